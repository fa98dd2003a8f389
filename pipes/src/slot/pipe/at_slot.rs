//! A half at its slot, as a place to wait at: for a message if it receives there, for the receiver to leave
//! if it sends.
//!
//! Both sit in seats of their own, and either may sit down and rise while the other one is sitting. What a
//! sender waits for is always the end: a watch that is answered is its last.

#[cfg(all(test, not(pipes_loom)))]
mod tests;

use super::half::Half;
use super::kind::Kind;
use super::state::SlotState;
use crate::slot::ready::{Token, register_token, unregister_token};
use crate::slot::seat::Party;
use crate::slot::wait::{Taken, Waitable, poll, wait};
use crate::slot::waiter::Waiter;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

impl Half {
    /// The half, as a place to wait at until there is a message or the sender has left.
    ///
    /// # Safety
    ///
    /// As for [`Half::look`], as long as the place is used.
    #[inline(always)]
    pub(super) unsafe fn receiving(&mut self, kind: &'static Kind) -> AtSlot<'_> {
        AtSlot { half: self, kind, party: Party::Receiver }
    }

    /// The half, as a place to wait at until the receiver has left.
    ///
    /// # Safety
    ///
    /// The half is live, it is its turn to send, and `kind` is its pipe's, as long as the place is used.
    #[inline(always)]
    pub(super) unsafe fn watching(&mut self, kind: &'static Kind) -> AtSlot<'_> {
        AtSlot { half: self, kind, party: Party::Sender }
    }

    /// Takes back whoever watches for the half, and drops it: before the half sends.
    ///
    /// A waker is its executor's code: it may panic, or come back into this library, and so it is dropped
    /// while the half still has its owner and nothing was done. If the receiver has left, it has the watcher,
    /// and the half finds out by sending.
    ///
    /// # Safety
    ///
    /// As for [`Half::watching`].
    #[cold]
    pub(super) unsafe fn stop_watching(&mut self, kind: &'static Kind) {
        // SAFETY: the caller's promises.
        drop(unsafe { self.unregister(kind, Party::Sender) });
    }

    /// Sits down and registers; the half is not registered. `Err`: it has happened, and here is the waiter.
    ///
    /// # Safety
    ///
    /// The half is live, at its slot it is the party, and `kind` is its pipe's.
    #[inline(always)]
    unsafe fn register(&mut self, kind: &'static Kind, party: Party, waiter: Waiter) -> Result<(), Waiter> {
        let number = self.seating().number();
        // SAFETY: the half is live.
        let seat = unsafe { self.seat(self.side(), number) };
        // SAFETY: the seat is the half's own, and it is not registered there.
        unsafe { seat.put(waiter) };
        // SAFETY: as above.
        if unsafe { self.slot(kind) }.word.register(party, number) {
            self.set_seating(self.seating().registered());
            return Ok(());
        }
        // SAFETY: it was just put there, and nobody knows of it.
        Err(unsafe { seat.take() })
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
        let seating = self.seating();
        if !seating.is_registered() {
            return Ok(None);
        }
        // SAFETY: the half is live.
        if !unsafe { self.slot(kind) }.word.unregister(party, seating.number()) {
            return Err(Taken);
        }
        self.set_seating(seating.unregistered());
        // SAFETY: the half is live,
        let seat = unsafe { self.seat(self.side(), seating.number()) };
        // SAFETY: and has unregistered, so that the waiter is its own again.
        Ok(Some(unsafe { seat.take() }))
    }
}

/// A half at its slot, as a place to wait at.
pub(super) struct AtSlot<'a> {
    half: &'a mut Half,
    kind: &'static Kind,
    party: Party,
}

impl AtSlot<'_> {
    /// Blocks until it has happened, or the deadline has passed. False: the latter.
    #[inline]
    pub(super) fn wait(&mut self, deadline: Option<Instant>) -> bool {
        self.has_come() || wait(self, deadline)
    }

    /// Ready if it has happened; else the task is woken when it does.
    #[inline]
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.has_come() { Poll::Ready(()) } else { poll(self, cx) }
    }

    /// Leaves a set's token with the other side. `Err`: it has happened.
    #[inline(always)]
    pub(super) fn register_token(&mut self, token: Token) -> Result<(), Token> {
        if self.has_come() { Err(token) } else { self.register_after_look(token) }
    }

    /// [`register_token`](Self::register_token) for those who have just looked.
    #[inline(always)]
    pub(super) fn register_after_look(&mut self, token: Token) -> Result<(), Token> {
        register_token(self, token)
    }

    /// Takes the token back. None: it is on its way to its list, or was never left here.
    pub(super) fn unregister_token(&mut self) -> Option<Token> {
        unregister_token(self)
    }

    #[inline(always)]
    fn look(&self) -> SlotState {
        // SAFETY: whoever made this has promised that the half is at its slot, which only asks for a look.
        unsafe { self.half.look(self.kind) }
    }
}

impl Waitable for AtSlot<'_> {
    fn runs_ahead(&self) -> bool {
        self.party == Party::Receiver && self.kind.chain.is_some()
    }

    /// A message; not that the receiver leaves.
    fn comes_soon(&self) -> bool {
        self.party == Party::Receiver
    }

    #[inline(always)]
    fn has_come(&self) -> bool {
        match self.look() {
            SlotState::Closed => true,
            SlotState::Full(_) => self.party == Party::Receiver,
            SlotState::Empty | SlotState::Waiting(_) => false,
        }
    }

    fn is_waiting_as(&self, waker: &Waker) -> bool {
        // What the word says, not the half: a waiter that was taken may be gone, and another one live at its
        // address.
        if !self.look().has(self.party) {
            return false;
        }
        // SAFETY: the half is live.
        let seat = unsafe { self.half.seat(self.half.side(), self.half.seating().number()) };
        // SAFETY: the half has registered in this seat, for only it does so.
        unsafe { seat.is(waker) }
    }

    #[inline(always)]
    fn register(&mut self, waiter: Waiter) -> Result<(), Waiter> {
        // SAFETY: whoever made this has promised that the half is the party at its slot.
        unsafe { self.half.register(self.kind, self.party, waiter) }
    }

    #[inline(always)]
    fn unregister(&mut self) -> Result<Option<Waiter>, Taken> {
        // SAFETY: as above.
        unsafe { self.half.unregister(self.kind, self.party) }
    }
}
