//! The receiver of a bounded stream.

use super::end::{End, RECEIVER, Until};
use super::state::SlotState;
use crate::slot::ready::{Token, register_token, unregister_token};
use crate::slot::received::Received;
use crate::slot::wait::{poll, wait};
use crate::slot::waiter::Waiter;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

/// The receiving end of a bounded stream; empty once the sender was seen to have left.
pub(crate) struct BoundedReceiver<T>(pub(super) Option<End<T, RECEIVER>>);

impl<T> BoundedReceiver<T> {
    /// The next value, if it is there. A sender that waited is woken last: if its waker panics, the value
    /// goes with the panic.
    #[inline]
    pub(crate) fn take(&mut self) -> Received<T, ()> {
        self.take_and(Waiter::wake)
    }

    /// The same without waking the sender that waited: here it is, for a caller that holds a lock.
    pub(crate) fn take_quietly(&mut self) -> (Received<T, ()>, Option<Waker>) {
        let mut sender = None;
        let received = self.take_and(|waiter| sender = Some(waiter.into_waker()));
        (received, sender)
    }

    #[inline(always)]
    fn take_and(&mut self, wake: impl FnOnce(Waiter)) -> Received<T, ()> {
        let Some(end) = &self.0 else { return Received::Closed };
        let seen = end.look();
        if seen != SlotState::FULL {
            if seen.is_full() || seen.is_closed() {
                return self.take_rarely(wake);
            }
            return Received::Nothing(());
        }
        // SAFETY: a message was sent.
        let (value, found) = unsafe { end.take() };
        if found != SlotState::FULL {
            // SAFETY: this is what the receiver has just found.
            unsafe { end.took_from(found, wake) };
        }
        Received::Message(value)
    }

    /// The next value, if it is there, when the slot says more than that.
    #[cold]
    fn take_rarely(&mut self, wake: impl FnOnce(Waiter)) -> Received<T, ()> {
        let Some(end) = &self.0 else { return Received::Closed };
        let seen = end.look_firmly();
        if seen.is_full() {
            // SAFETY: a message is here, sent or held.
            let (value, found) = unsafe { end.take() };
            // SAFETY: this is what the receiver has just found.
            unsafe { end.took_from(found, wake) };
            return Received::Message(value);
        }
        if seen.is_closed() {
            self.0 = None;
            return Received::Closed;
        }
        Received::Nothing(())
    }

    /// Blocks until [`take`](Self::take) gives something; false if the deadline passed first.
    #[inline]
    pub(crate) fn block(&mut self, deadline: Option<Instant>) -> bool {
        let Some(end) = &mut self.0 else { return true };
        loop {
            if end.has_something() {
                return true;
            }
            if !wait(&mut end.waiting(Until::Message), deadline) {
                return false;
            }
        }
    }

    /// Ready when [`take`](Self::take) gives something. At capacity 0 this is a promise to take what is
    /// offered.
    #[inline]
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Some(end) = &mut self.0 else { return Poll::Ready(()) };
        loop {
            if end.has_something() {
                return Poll::Ready(());
            }
            if poll(&mut end.waiting(Until::Message), cx).is_pending() {
                return Poll::Pending;
            }
        }
    }

    /// Does [`take`](Self::take) give something? At capacity 0, `true` is a promise to take what is offered.
    pub(crate) fn is_certain(&self) -> bool {
        self.0.as_ref().is_none_or(End::has_something)
    }

    /// Leaves a set's token with the sender. `Err`: [`take`](Self::take) gives something.
    ///
    /// At capacity 0 what a token tells of may have been taken back by the time that the set looks.
    pub(crate) fn register_token(&mut self, mut token: Token) -> Result<(), Token> {
        let Some(end) = &mut self.0 else { return Err(token) };
        loop {
            if end.has_something() {
                return Err(token);
            }
            match register_token(&mut end.waiting(Until::Message), token) {
                Ok(()) => return Ok(()),
                Err(back) => token = back,
            }
        }
    }

    /// Takes the token back, unless it is on its way to its list.
    pub(crate) fn unregister_token(&mut self) -> Option<Token> {
        unregister_token(&mut self.0.as_mut()?.waiting(Until::Message))
    }

    /// Was the sender seen to have left?
    pub(crate) fn is_over(&self) -> bool {
        self.0.is_none()
    }

    /// Is a value there (`Some(true)`), or has the sender left (`Some(false)`)? At capacity 0 the value may
    /// be taken back.
    pub(crate) fn peek(&self) -> Option<bool> {
        let Some(end) = &self.0 else { return Some(false) };
        let seen = end.look();
        if seen.is_full() {
            Some(true)
        } else if seen.is_closed() {
            Some(false)
        } else {
            None
        }
    }
}

impl<T> End<T, RECEIVER> {
    /// Takes the message and goes on to the next slot. Gives what was found, too.
    ///
    /// # Safety
    ///
    /// The side has seen a message in its slot, sent or held.
    #[inline(always)]
    unsafe fn take(&self) -> (T, SlotState) {
        let slot = self.slot();
        // SAFETY: the message is the receiver's.
        let value = unsafe { slot.payload.read() };
        // First, because what comes after a swap has to wait for it.
        self.advance();
        (value, slot.word.take())
    }

    /// A message was taken, perhaps from a sender that waits.
    ///
    /// # Safety
    ///
    /// The side's last step was to take, and this is what it found.
    #[cold]
    unsafe fn took_from(&self, found: SlotState, wake: impl FnOnce(Waiter)) {
        // SAFETY: the take has just taken the sender's flag out of the word.
        if let Some(waiter) = unsafe { self.waiter(found) } {
            wake(waiter);
        }
    }

    /// Would a take give something, now and later?
    #[inline]
    fn has_something(&self) -> bool {
        let seen = self.look_firmly();
        seen.is_full() || seen.is_closed()
    }

    /// What is in the slot, for good: an offer is held.
    #[inline(always)]
    fn look_firmly(&self) -> SlotState {
        let mut seen = self.look();
        while seen.is_loose() {
            seen = self.slot().word.hold(seen);
        }
        seen
    }
}
