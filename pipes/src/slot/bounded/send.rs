//! The sender of a bounded stream.

use super::end::{End, SENDER, Until};
use super::state::SlotState;
use crate::wait::{Awaited, Caller, EndInfo, Waitable, steps, uses, wake};
use std::ptr::{self, NonNull};
use std::task::{Context, Poll, ready};
use std::time::Instant;

/// The outcome of a send.
#[derive(Debug)]
pub(crate) enum Sent<T> {
    /// The value was sent.
    Done,
    /// There is no room now. Contains the value.
    Full(T),
    /// There is no receiver. Contains the value.
    Gone(T),
}

impl<T> Sent<T> {
    /// Converts the outcome into a result. These functions make the error from the value.
    pub(crate) fn or<E>(self, full: impl FnOnce(T) -> E, gone: impl FnOnce(T) -> E) -> Result<(), E> {
        match self {
            Sent::Done => Ok(()),
            Sent::Full(value) => Err(full(value)),
            Sent::Gone(value) => Err(gone(value)),
        }
    }
}

impl Sent<()> {
    /// Returns this outcome with the value that was not sent.
    pub(super) fn with<T>(self, value: Option<T>) -> Sent<T> {
        match (self, value) {
            (Sent::Full(()), Some(value)) => Sent::Full(value),
            (Sent::Gone(()), Some(value)) => Sent::Gone(value),
            _ => Sent::Done,
        }
    }
}

/// The sending end of a bounded stream. It is `None` after it has found that the receiver has left.
pub(crate) struct BoundedSender<T>(pub(super) Option<End<T, SENDER>>);

impl<T> BoundedSender<T> {
    /// Describes a sender that waits for room.
    pub(crate) const ROOM: &'static EndInfo = &EndInfo::sender::<T>("Chan", Awaited::Room);

    /// Sends a value, and returns it in `Err` if the receiver has left. Blocks until there is room.
    #[inline]
    pub(crate) fn send(&mut self, value: T, caller: Caller) -> Result<(), T> {
        let Some(end) = self.vacant() else { return self.send_later(value, caller) };
        // SAFETY: the sender has seen no message in its slot, so the payload is the sender's to write.
        unsafe { end.slot().payload.write(value) };
        let found = end.publish();
        if found == SlotState::EMPTY {
            return Ok(());
        }
        // SAFETY: the sender's last step was to publish, and this is what it found.
        unsafe { self.filled_for(found) }
    }

    #[cold]
    #[inline(never)]
    fn send_later(&mut self, value: T, caller: Caller) -> Result<(), T> {
        let mut value = Some(value);
        let sent = match self.put_from(&mut value) {
            Sent::Full(()) => self.put_when_free(&mut value, None, caller),
            sent => sent,
        };
        match (sent, value) {
            (Sent::Done, _) | (_, None) => Ok(()),
            (Sent::Full(()) | Sent::Gone(()), Some(value)) => Err(value),
        }
    }

    /// Sends a value. Blocks until there is room, and returns `Full` if the deadline passed first. `deadline`
    /// is called only if the sender has to wait.
    pub(crate) fn send_until(
        &mut self,
        value: T,
        deadline: impl FnOnce() -> Option<Instant>,
        caller: Caller,
    ) -> Sent<T> {
        let mut value = Some(value);
        let sent = match self.put_from(&mut value) {
            Sent::Full(()) => self.put_when_free(&mut value, deadline(), caller),
            sent => sent,
        };
        sent.with(value)
    }

    fn put_when_free(
        &mut self,
        value: &mut Option<T>,
        deadline: Option<Instant>,
        caller: Caller,
    ) -> Sent<()> {
        while self.waiting().block(deadline, Self::ROOM, caller) {
            match self.put_from(value) {
                Sent::Full(()) => {}
                sent => return sent,
            }
        }
        Sent::Full(())
    }

    /// Sends from a task. The value is taken out of its place when it is sent.
    ///
    /// If the value is in its place when this is ready, the receiver has left.
    #[inline]
    pub(crate) fn poll_send(&mut self, cx: &mut Context<'_>, value: &mut Option<T>) -> Poll<()> {
        while value.is_some() {
            match self.put_from(value) {
                Sent::Done | Sent::Gone(()) => break,
                Sent::Full(()) => ready!(self.waiting().poll(cx)),
            }
        }
        Poll::Ready(())
    }

    /// Returns `true` if there is room for [`try_send`](Self::try_send) or the receiver has left. Once
    /// `true`, this stays true.
    pub(crate) fn has_room(&self) -> bool {
        self.0.as_ref().is_none_or(|end| Until::Room.has_come(end.look()))
    }

    /// Returns the name of the channel.
    pub(crate) fn channel(&self) -> usize {
        self.0.as_ref().map_or(0, End::channel)
    }

    /// Returns what the sender waits for before a send: that there is room for [`try_send`](Self::try_send),
    /// or that the receiver has left.
    #[inline(always)]
    pub(crate) fn waiting(&mut self) -> impl Waitable {
        self.0.as_mut().map(|end| end.waiting(Until::Room))
    }

    /// Returns what the sender waits for when it watches, which is that the receiver has left.
    #[inline(always)]
    pub(crate) fn closing(&mut self) -> impl Waitable {
        self.0.as_mut().map(|end| end.waiting(Until::Close))
    }

    /// Returns `true` if the receiver has left.
    pub(crate) fn receiver_has_left(&self) -> bool {
        self.0.as_ref().is_none_or(|end| end.look().is_closed())
    }

    /// Creates a sender that has left.
    pub(crate) fn closed() -> Self {
        BoundedSender(None)
    }

    /// Leaves. Messages that were sent can still be received.
    pub(crate) fn close(&mut self) {
        self.0 = None;
    }

    /// Sends if there is room. Never blocks.
    #[inline]
    pub(crate) fn try_send(&mut self, value: T) -> Sent<T> {
        let Some(end) = self.vacant() else { return self.put_rarely(value) };
        // SAFETY: the sender has seen no message in its slot, so the payload is the sender's to write.
        unsafe { end.slot().payload.write(value) };
        let found = end.publish();
        if found == SlotState::EMPTY {
            return Sent::Done;
        }
        // SAFETY: the sender's last step was to publish, and this is what it found.
        match unsafe { self.filled_for(found) } {
            Ok(()) => Sent::Done,
            Err(value) => Sent::Gone(value),
        }
    }

    /// Returns the end if the word of its slot says that there is no message, and nothing else.
    #[inline(always)]
    fn vacant(&self) -> Option<&End<T, SENDER>> {
        self.0.as_ref().filter(|end| end.look() == SlotState::EMPTY)
    }

    /// Finishes a step that has put a value into the slot, if the receiver waits or has left. If it has left,
    /// the value comes back in `Err`.
    ///
    /// # Safety
    ///
    /// The sender's last step must have been to publish, and `found` must be what it found.
    #[cold]
    unsafe fn filled_for(&mut self, found: SlotState) -> Result<(), T> {
        let Some(end) = &mut self.0 else { return Ok(()) };
        if found.is_closed() {
            end.go_back();
            // SAFETY: the sender has just written the payload, and the receiver had left before, so it does
            // not read it.
            let value = unsafe { end.slot().payload.read() };
            self.0 = None;
            return Err(value);
        }
        // SAFETY: the publish has just removed the receiver's flag from the word, and this is what it found
        // (caller).
        wake(unsafe { end.waiter(found) });
        Ok(())
    }

    #[cold]
    fn put_rarely(&mut self, value: T) -> Sent<T> {
        let mut value = Some(value);
        let sent = self.put_from(&mut value);
        sent.with(value)
    }

    /// Sends if there is room, like [`try_send`](Self::try_send). The value is taken out of its place if it
    /// is sent.
    pub(super) fn put_from(&mut self, value: &mut Option<T>) -> Sent<()> {
        let Some(end) = &mut self.0 else { return Sent::Gone(()) };
        let seen = end.look();
        if seen.is_closed() {
            self.0 = None;
            return Sent::Gone(());
        }
        if seen.is_full() {
            return Sent::Full(());
        }
        if seen != SlotState::EMPTY {
            // This side may be registered, to wait for the receiver to leave. That waker is dropped first,
            // because its destructor is its executor's code, and a panic after the value was published would
            // lose the result.
            drop(end.unregister());
        }
        let Some(message) = value else { return Sent::Done };
        // SAFETY: the slot has no message, so the payload is the sender's to write. If the copy is sent, it
        // is the only one that is used.
        unsafe { end.slot().payload.copy_in(NonNull::from(message)) };
        let found = end.publish();
        if found.is_closed() {
            // The receiver had left before, so it does not read the copy.
            end.go_back();
            self.0 = None;
            return Sent::Gone(());
        }
        empty(value);
        // SAFETY: the publish has just removed the receiver's flag from the word, and this is what it found.
        wake(unsafe { end.waiter(found) });
        Sent::Done
    }
}

impl<T> End<T, SENDER> {
    /// Publishes the message that was written into the slot, and goes on to the next one. Returns what was
    /// found.
    #[inline(always)]
    fn publish(&self) -> SlotState {
        let slot = self.slot();
        uses::sent::<T>(self.channel(), Self::PARTY as usize, 1);
        steps::sends::<T>(self.channel(), Self::PARTY as usize, || slot.place());
        // This comes first, because the processor does not begin what follows a swap until the swap is done.
        self.advance();
        slot.word.publish()
    }
}

/// Empties a place whose value was copied into a slot and sent.
///
/// The value is not moved out. The receiver may be using it already, or have dropped it, and moving a `Box`
/// counts as an access to what it owns.
pub(super) fn empty<T>(place: &mut Option<T>) {
    // SAFETY: the place is borrowed exclusively. That its value is not dropped is right: its copy was sent.
    unsafe { ptr::write(place, None) };
}
