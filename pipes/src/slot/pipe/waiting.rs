//! How a half waits at its slot: a receiver waits for a message, a sender waits for the receiver to leave.
//!
//! Each side uses its own cells, and each can register and unregister while the other one is registered. A
//! sender waits only for the end, so the watch that succeeds is its last.

#[cfg(all(test, not(pipes_loom)))]
mod tests;

use super::half::Half;
use super::kind::Memory;
use super::slot::SlotHead;
use super::state::{SlotState, SlotWord};
use crate::wait::{Party, Taken, Waitable, Waiter};
use std::task::Waker;

impl<M: Memory> Half<M> {
    /// Returns the half as a receiver, which waits at its slot until there is a message or the sender has
    /// left.
    ///
    /// # Safety
    ///
    /// It must be the half's turn to receive.
    #[inline(always)]
    pub(super) unsafe fn receiving(&mut self) -> Waiting<'_> {
        // SAFETY: the half is the receiver at its slot (caller).
        unsafe { self.at_slot(Party::Receiver) }
    }

    /// Returns the half as a sender, which waits at its slot until the receiver has left.
    ///
    /// # Safety
    ///
    /// It must be the half's turn to send.
    #[inline(always)]
    pub(super) unsafe fn watching(&mut self) -> Waiting<'_> {
        // SAFETY: the half is the sender at its slot (caller).
        unsafe { self.at_slot(Party::Sender) }
    }

    /// Returns the half as a party that waits at its slot.
    ///
    /// # Safety
    ///
    /// The half must be the party `party` at its slot.
    #[inline(always)]
    unsafe fn at_slot(&mut self, party: Party) -> Waiting<'_> {
        let slot = self.slot_address().cast::<SlotHead>();
        // SAFETY: a slot lies here, which was prepared when its block was made. It lives until the half moves
        // on, and the half cannot do that as long as the result borrows it.
        let slot = unsafe { slot.as_ref() };
        Waiting { half: self.erased_mut(), word: &slot.word, party }
    }
}

impl Half {
    /// Takes back the half's waiter and drops it, before the half sends.
    ///
    /// A waker's destructor is its executor's code: it may panic, or call into this library. So it runs
    /// before anything else is done, while the half still has its owner. If the receiver has left, it has
    /// taken the waiter, and the half finds that out by sending.
    ///
    /// # Safety
    ///
    /// It must be the half's turn to send.
    #[cold]
    pub(super) unsafe fn stop_watching(&mut self) {
        // SAFETY: the half is the sender at its slot (caller).
        drop(unsafe { self.unregister(Party::Sender) });
    }

    /// Unregisters the half if it was registered, and returns its waiter. Returns `None` if the other side
    /// has taken the waiter.
    ///
    /// # Safety
    ///
    /// The half must be the party `party` at its slot.
    #[inline(always)]
    pub(super) unsafe fn unregister(&mut self, party: Party) -> Option<Waiter> {
        if !self.registration().is_registered() {
            return None;
        }
        // SAFETY: the half is the party `party` at its slot (caller).
        unsafe { self.at_slot(party) }.unregister().ok().flatten()
    }
}

/// A half that waits at its slot, as the party `party` there.
pub(super) struct Waiting<'a> {
    half: &'a mut Half,
    /// The word of the half's slot.
    word: &'a SlotWord,
    party: Party,
}

impl Waitable for Waiting<'_> {
    fn channel(&self) -> usize {
        self.half.channel()
    }

    fn most_in_a_row(&self) -> usize {
        if self.party == Party::Receiver && self.half.kind().chain.is_some() { usize::MAX } else { 1 }
    }

    /// Looks no further than the end of the block.
    fn have_come(&self, messages: usize) -> bool {
        self.half.kind().chain.is_some() && messages < self.half.slots_left() && {
            // SAFETY: the pipe has blocks, and that many slots are left in the half's.
            unsafe { self.half.is_full_behind(messages) }
        }
    }

    /// A message may come soon; a receiver that leaves is not expected soon.
    fn comes_soon(&self) -> bool {
        self.party == Party::Receiver
    }

    #[inline(always)]
    fn has_come(&self) -> bool {
        match self.word.look() {
            SlotState::Closed => true,
            SlotState::Full(_) => self.party == Party::Receiver,
            SlotState::Empty | SlotState::Marked(_) => false,
        }
    }

    fn is_waiting_as(&self, waker: &Waker) -> bool {
        // This asks the word and not the half: a waiter that was taken may have been freed, and another one
        // may live at its address.
        if !self.word.look().has(self.party) {
            return false;
        }
        let cell = self.half.cell(self.half.side(), self.half.registration().cell());
        // SAFETY: the half has registered in this cell, because only it adds the mark of its party, and it
        // has put no other waiter there since.
        unsafe { cell.is(waker) }
    }

    #[inline(always)]
    fn register(&mut self, waiter: Waiter) -> Result<(), Waiter> {
        let registration = self.half.registration();
        assert!(!registration.is_registered(), "one waiter at a time");
        let cell = self.half.cell(self.half.side(), registration.cell());
        // SAFETY: the cell is one of the half's own side, which is not registered.
        unsafe { cell.put(waiter) };
        if self.word.register(self.party, registration.cell()) {
            self.half.set_registration(registration.registered());
            return Ok(());
        }
        // SAFETY: the waiter was just put there, and the registration was refused, so the cell is still the
        // half's own.
        Err(unsafe { cell.take() })
    }

    #[inline(always)]
    fn unregister(&mut self) -> Result<Option<Waiter>, Taken> {
        let registration = self.half.registration();
        if !registration.is_registered() {
            return Ok(None);
        }
        if !self.word.unregister(self.party, registration.cell()) {
            return Err(Taken);
        }
        self.half.set_registration(registration.unregistered());
        let cell = self.half.cell(self.half.side(), registration.cell());
        // SAFETY: the half was registered in this cell and has unregistered, so the waiter is its own again.
        Ok(Some(unsafe { cell.take() }))
    }
}
