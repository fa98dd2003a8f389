//! How a half waits at its slot: a receiver waits for a message, a sender waits for the receiver to leave.
//!
//! Each side uses its own cells, and each can register and unregister while the other one is registered. A
//! sender waits only for the end, so the watch that succeeds is its last.

#[cfg(all(test, not(pipes_loom)))]
mod tests;

use super::half::Half;
use super::kind::Kind;
use super::state::SlotState;
use crate::wait::{Party, Taken, Waitable, Waiter};
use std::task::Waker;

impl Half {
    /// Waits at the half's slot until there is a message or the sender has left.
    ///
    /// # Safety
    ///
    /// As for [`Half::look`], and it is the half's turn to receive, as long as the result is used.
    #[inline(always)]
    pub(super) unsafe fn receiving(&mut self, kind: &'static Kind) -> Waiting<'_> {
        Waiting { half: self, kind, party: Party::Receiver }
    }

    /// Waits at the half's slot until the receiver has left.
    ///
    /// # Safety
    ///
    /// The half is live, it is its turn to send, and `kind` is its pipe's, as long as the result is used.
    #[inline(always)]
    pub(super) unsafe fn watching(&mut self, kind: &'static Kind) -> Waiting<'_> {
        Waiting { half: self, kind, party: Party::Sender }
    }

    /// Takes back the half's waiter and drops it, before the half sends.
    ///
    /// A waker's destructor is its executor's code: it may panic, or call into this library. So it runs
    /// before anything else is done, while the half still has its owner. If the receiver has left, it has
    /// taken the waiter, and the half finds that out by sending.
    ///
    /// # Safety
    ///
    /// As for [`Half::watching`].
    #[cold]
    pub(super) unsafe fn stop_watching(&mut self, kind: &'static Kind) {
        // SAFETY: the half is live, it is the sender at its slot, and `kind` is its pipe's (caller).
        drop(unsafe { self.unregister(kind, Party::Sender) });
    }

    /// Registers the waiter; the half is not registered. `Err`: it has happened, and here is the waiter.
    ///
    /// # Safety
    ///
    /// The half is live, it is the party `party` at its slot, and `register` is called only if it is not
    /// registered.
    #[inline(always)]
    unsafe fn register(&mut self, kind: &'static Kind, party: Party, waiter: Waiter) -> Result<(), Waiter> {
        let number = self.registration().cell();
        // SAFETY: the half is live (caller).
        let cell = unsafe { self.cell(self.side(), number) };
        // SAFETY: the cell is one of the half's own side, which is not registered in it.
        unsafe { cell.put(waiter) };
        // SAFETY: the half is live, and `kind` is its pipe's (caller).
        if unsafe { self.slot(kind) }.word.register(party, number) {
            self.set_registration(self.registration().registered());
            return Ok(());
        }
        // SAFETY: the waiter was just put there, and the registration was refused, so the cell is still the
        // half's own.
        Err(unsafe { cell.take() })
    }

    /// Unregisters, if the half was registered, and gives the waiter back. `Err`: the other side has it; look
    /// again.
    ///
    /// # Safety
    ///
    /// As for [`Half::register`].
    #[inline(always)]
    pub(super) unsafe fn unregister(
        &mut self,
        kind: &'static Kind,
        party: Party,
    ) -> Result<Option<Waiter>, Taken> {
        let registration = self.registration();
        if !registration.is_registered() {
            return Ok(None);
        }
        // SAFETY: the half is live, and `kind` is its pipe's (caller).
        if !unsafe { self.slot(kind) }.word.unregister(party, registration.cell()) {
            return Err(Taken);
        }
        self.set_registration(registration.unregistered());
        // SAFETY: the half is live (caller).
        let cell = unsafe { self.cell(self.side(), registration.cell()) };
        // SAFETY: the half was registered in this cell and has unregistered, so the waiter is its own again.
        Ok(Some(unsafe { cell.take() }))
    }
}

/// A half that waits at its slot.
pub(super) struct Waiting<'a> {
    half: &'a mut Half,
    kind: &'static Kind,
    party: Party,
}

impl Waiting<'_> {
    #[inline(always)]
    fn look(&self) -> SlotState {
        // SAFETY: the half is live, and `kind` is its pipe's: the caller of `receiving` or `watching` has
        // promised it.
        unsafe { self.half.look(self.kind) }
    }
}

impl Waitable for Waiting<'_> {
    fn most_in_a_row(&self) -> usize {
        if self.party == Party::Receiver && self.kind.chain.is_some() { usize::MAX } else { 1 }
    }

    /// Looks no further than the end of the block.
    fn have_come(&self, messages: usize) -> bool {
        self.kind.chain.is_some() && messages < self.half.slots_left(self.kind) && {
            // SAFETY: the half is live, and `kind` is its pipe's (the caller of `receiving` or `watching` has
            // promised it). The pipe has blocks, and that many slots are left in the half's.
            unsafe { self.half.is_full_behind(self.kind, messages) }
        }
    }

    /// A message may come soon; a receiver that leaves is not expected soon.
    fn comes_soon(&self) -> bool {
        self.party == Party::Receiver
    }

    #[inline(always)]
    fn has_come(&self) -> bool {
        match self.look() {
            SlotState::Closed => true,
            SlotState::Full(_) => self.party == Party::Receiver,
            SlotState::Empty | SlotState::Marked(_) => false,
        }
    }

    fn is_waiting_as(&self, waker: &Waker) -> bool {
        // This asks the word and not the half: a waiter that was taken may have been freed, and another one
        // may live at its address.
        if !self.look().has(self.party) {
            return false;
        }
        // SAFETY: the half is live: the caller of `receiving` or `watching` has promised it.
        let cell = unsafe { self.half.cell(self.half.side(), self.half.registration().cell()) };
        // SAFETY: the half has registered in this cell, because only it adds the mark of its party, and it
        // has put no other waiter there since.
        unsafe { cell.is(waker) }
    }

    #[inline(always)]
    fn register(&mut self, waiter: Waiter) -> Result<(), Waiter> {
        // SAFETY: the half is live and the party `self.party` at its slot: the caller of `receiving` or
        // `watching` has promised it. It is not registered, as `Waitable` demands.
        unsafe { self.half.register(self.kind, self.party, waiter) }
    }

    #[inline(always)]
    fn unregister(&mut self) -> Result<Option<Waiter>, Taken> {
        // SAFETY: the half is live and the party `self.party` at its slot, and `kind` is its pipe's: the
        // caller of `receiving` or `watching` has promised it.
        unsafe { self.half.unregister(self.kind, self.party) }
    }
}
