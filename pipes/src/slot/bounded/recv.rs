//! The receiver of a bounded stream.

use super::end::{End, RECEIVER, Until};
use super::state::SlotState;
use crate::slot::received::Received;
use crate::wait::{Waitable, Waiter, steps, uses};
use std::mem::ManuallyDrop;
use std::task::Waker;

/// The receiving end of a bounded stream. It is `None` after it has found that the sender has left.
pub(crate) struct BoundedReceiver<T>(pub(super) Option<End<T, RECEIVER>>);

impl<T> BoundedReceiver<T> {
    /// Takes the next value, if there is one. A sender that waited is woken last: if its waker panics, the
    /// value is dropped.
    #[inline]
    pub(crate) fn take(&mut self) -> Received<T, ()> {
        let Some(end) = &self.0 else { return Received::Closed };
        let seen = end.look();
        if seen != SlotState::FULL {
            if seen.is_full() || seen.is_closed() {
                return self.take_rarely();
            }
            return Received::Nothing(());
        }
        // SAFETY: the receiver has just seen a message in its slot.
        Received::Message(unsafe { end.take(Waiter::wake) })
    }

    /// Takes as [`take`](Self::take) does, when the slot's word says more than that there is a message, or
    /// none.
    #[cold]
    fn take_rarely(&mut self) -> Received<T, ()> {
        match self.find() {
            // SAFETY: the receiver has just found a message.
            Received::Message(end) => Received::Message(unsafe { end.take(Waiter::wake) }),
            Received::Nothing(()) => Received::Nothing(()),
            Received::Closed => Received::Closed,
        }
    }

    /// Takes as [`take`](Self::take) does, but puts the value into a place, and passes the waker of a sender
    /// that waited to `wakes` instead of waking it.
    pub(crate) fn take_deferred(
        &mut self,
        into: &mut Option<T>,
        wakes: impl FnOnce(Waker),
    ) -> Received<(), ()> {
        match self.find() {
            Received::Message(end) => {
                // SAFETY: the receiver has just found a message.
                *into = Some(unsafe { end.take(|waiter| wakes(waiter.into_waker())) });
                Received::Message(())
            }
            Received::Nothing(()) => Received::Nothing(()),
            Received::Closed => Received::Closed,
        }
    }

    /// Leaves, and appends the values that were sent and not received. The sender is woken last.
    pub(crate) fn leave(mut self, into: &mut Vec<T>) {
        let Some(end) = self.0.take() else { return };
        let mut end = ManuallyDrop::new(end);
        let _waiter = end.unregister();
        end.close_receiving(|value| into.push(value));
    }

    /// Returns the end, if there is a message in its slot.
    fn find(&mut self) -> Received<&End<T, RECEIVER>, ()> {
        let Some(end) = &self.0 else { return Received::Closed };
        let seen = end.look();
        if !seen.is_full() && seen.is_closed() {
            self.0 = None;
            return Received::Closed;
        }
        match &self.0 {
            Some(end) if seen.is_full() => Received::Message(end),
            _ => Received::Nothing(()),
        }
    }

    /// Returns the name of the channel.
    pub(crate) fn channel(&self) -> usize {
        self.0.as_ref().map_or(0, End::channel)
    }

    /// Returns what the receiver waits for, which is that [`take`](Self::take) returns something.
    #[inline(always)]
    pub(crate) fn waiting(&mut self) -> impl Waitable {
        self.0.as_mut().map(|end| end.waiting(Until::Message))
    }

    /// Returns `true` if the receiver has found that the sender has left.
    pub(crate) fn is_over(&self) -> bool {
        self.0.is_none()
    }

    /// Returns `Some(true)` if a value is there, and `Some(false)` if the sender has left.
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
    /// Takes the message and goes on to the next slot. Then it wakes the sender, if that waits.
    ///
    /// # Safety
    ///
    /// The side must have seen a message in its slot.
    #[inline(always)]
    unsafe fn take(&self, wake: impl FnOnce(Waiter)) -> T {
        let slot = self.slot();
        steps::receives::<T>(self.channel(), Self::PARTY as usize, || slot.place());
        // SAFETY: the slot has a message that was sent (caller), so the payload is the receiver's.
        let value = unsafe { slot.payload.read() };
        uses::received(self.channel(), Self::PARTY as usize, 1);
        // This comes first, because the processor does not begin what comes after a swap before that is done.
        self.advance();
        let found = slot.word.take();
        if found != SlotState::FULL {
            // SAFETY: the side's last step was to take, and this is what it found.
            unsafe { self.took_from(found, wake) };
        }
        value
    }

    /// Wakes the sender after its message was taken, if it waits.
    ///
    /// # Safety
    ///
    /// The side's last step must have been to take, and this must be what it found.
    #[cold]
    unsafe fn took_from(&self, found: SlotState, wake: impl FnOnce(Waiter)) {
        // SAFETY: the side's last step was to take, which removed the sender's flag, and this is what it
        // found (caller).
        if let Some(waiter) = unsafe { self.waiter(found) } {
            wake(waiter);
        }
    }
}
