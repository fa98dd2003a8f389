//! The sender of a bounded stream.

use super::end::{End, SENDER, Until};
use super::state::SlotState;
use crate::slot::wait::{poll, wait};
use crate::slot::waiter::wake;
use std::task::{Context, Poll};
use std::time::Instant;

/// The outcome of a send.
#[derive(Debug)]
pub(crate) enum Sent<T> {
    /// It is sent.
    Done,
    /// There is no room now; here it is.
    Full(T),
    /// The receiver has left; here it is.
    Gone(T),
}

/// The sending end of a bounded stream. It is `None` after it has found that the receiver has left.
pub(crate) struct BoundedSender<T>(pub(super) Option<End<T, SENDER>>);

impl<T> BoundedSender<T> {
    /// Sends if there is room; at capacity 0, if the receiver waits. Never blocks.
    ///
    /// At capacity 0 the message then belongs to the receiver, like one in a buffer: if the receiver leaves
    /// without taking it, it is dropped.
    #[inline]
    pub(crate) fn try_send(&mut self, value: T) -> Sent<T> {
        if self.is_rendezvous() { self.hand_over(value) } else { self.put(value) }
    }

    /// Sends; blocks until there is room, and at capacity 0 until the message was taken. `Full`: the deadline
    /// passed first. `deadline` is called only if the sender has to wait.
    ///
    /// If the deadline passes at capacity 0 after the receiver has [promised](super::BoundedReceiver::poll)
    /// to take the message, the message is sent.
    #[inline]
    pub(crate) fn send(&mut self, value: T, deadline: impl FnOnce() -> Option<Instant>) -> Sent<T> {
        if self.is_rendezvous() {
            return self.meet(value, deadline());
        }
        match self.put(value) {
            Sent::Full(value) => self.send_later(value, deadline()),
            sent => sent,
        }
    }

    #[cold]
    fn send_later(&mut self, mut value: T, deadline: Option<Instant>) -> Sent<T> {
        while self.block(deadline) {
            match self.put(value) {
                Sent::Full(back) => value = back,
                sent => return sent,
            }
        }
        Sent::Full(value)
    }

    /// Sends, from a task. The value is taken out when it is sent. At capacity 0 it is taken out when it is
    /// offered, which is earlier: a future that is dropped while it waits without the value must
    /// [`withdraw`](Self::withdraw).
    ///
    /// `Err`: the receiver has left.
    #[inline]
    pub(crate) fn poll_send(&mut self, cx: &mut Context<'_>, value: &mut Option<T>) -> Poll<Result<(), T>> {
        if self.is_rendezvous() {
            return self.poll_send_later(cx, value);
        }
        let Some(message) = value.take() else { return Poll::Ready(Ok(())) };
        match self.put(message) {
            Sent::Done => Poll::Ready(Ok(())),
            Sent::Gone(message) => Poll::Ready(Err(message)),
            Sent::Full(message) => {
                *value = Some(message);
                self.poll_send_later(cx, value)
            }
        }
    }

    /// The same, when it has to wait.
    #[cold]
    fn poll_send_later(&mut self, cx: &mut Context<'_>, value: &mut Option<T>) -> Poll<Result<(), T>> {
        while let Some(message) = value.take() {
            match self.put(message) {
                Sent::Done => break,
                Sent::Gone(message) => return Poll::Ready(Err(message)),
                Sent::Full(message) => {
                    *value = Some(message);
                    if self.poll(cx).is_pending() {
                        return Poll::Pending;
                    }
                }
            }
        }
        self.poll_settled(cx)
    }

    /// Is there room for [`put`](Self::put), or has the receiver left? `true` stays true.
    pub(crate) fn has_room(&self) -> bool {
        self.0.as_ref().is_none_or(|end| Until::Room.has_come(end.look()))
    }

    /// Blocks until there is room for [`put`](Self::put) or the receiver has left; false if the deadline
    /// passed first.
    pub(crate) fn block(&mut self, deadline: Option<Instant>) -> bool {
        self.block_until(Until::Room, deadline)
    }

    /// Ready when there is room for [`put`](Self::put) or the receiver has left.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.poll_until(Until::Room, cx)
    }

    /// Blocks until the receiver has left; false if the deadline passed first.
    pub(crate) fn block_closed(&mut self, deadline: Option<Instant>) -> bool {
        self.block_until(Until::Close, deadline)
    }

    /// Ready when the receiver has left. A send drops the waker that was registered here.
    pub(crate) fn poll_closed(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.poll_until(Until::Close, cx)
    }

    /// Has the receiver left?
    pub(crate) fn receiver_has_left(&self) -> bool {
        self.0.as_ref().is_none_or(|end| end.look().is_closed())
    }

    /// Leaves. Messages that were sent can still be received.
    pub(crate) fn close(&mut self) {
        self.0 = None;
    }

    /// Puts the value into the slot, if there is room: sent, or at capacity 0 [offered](super::rendezvous).
    #[inline(always)]
    pub(crate) fn put(&mut self, value: T) -> Sent<T> {
        let Some(end) = &self.0 else { return Sent::Gone(value) };
        if end.look() != SlotState::EMPTY {
            return self.put_rarely(value);
        }
        // SAFETY: the sender has seen no message in its slot.
        let found = unsafe { end.publish(value) };
        if found != SlotState::EMPTY {
            // SAFETY: the sender's last step was to publish, and this is what it found.
            return unsafe { self.put_for(found) };
        }
        Sent::Done
    }

    /// Puts the value into the slot, if there is room, when the word says more than that the slot is empty.
    #[cold]
    fn put_rarely(&mut self, value: T) -> Sent<T> {
        let Some(end) = &mut self.0 else { return Sent::Gone(value) };
        let seen = end.look();
        if seen.is_closed() {
            self.0 = None;
            return Sent::Gone(value);
        }
        if seen.is_full() {
            return Sent::Full(value);
        }
        // This side may be registered to wait for the receiver to leave. That waker is dropped first: its
        // destructor is its executor's code, and a panic after the value was published would lose the result.
        drop(end.unregister());
        // SAFETY: the sender has seen no message in its slot.
        let found = unsafe { end.publish(value) };
        // SAFETY: the sender's last step was to publish, and this is what it found.
        unsafe { self.put_for(found) }
    }

    /// Finishes a `put` that found a receiver that waits, or has left.
    ///
    /// # Safety
    ///
    /// The sender's last step was to publish, and this is what it found.
    #[cold]
    unsafe fn put_for(&mut self, found: SlotState) -> Sent<T> {
        let Some(end) = &mut self.0 else { return Sent::Done };
        if found.is_closed() {
            end.go_back();
            // SAFETY: the sender has just written the payload, and the receiver had left before, so it does
            // not read it.
            let value = unsafe { end.slot().payload.read() };
            self.0 = None;
            return Sent::Gone(value);
        }
        // SAFETY: the publish has just removed the receiver's flag from the word, and this is what it found
        // (caller).
        wake(unsafe { end.waiter(found) });
        Sent::Done
    }

    fn block_until(&mut self, until: Until, deadline: Option<Instant>) -> bool {
        let Some(end) = &mut self.0 else { return true };
        loop {
            if until.has_come(end.look()) {
                return true;
            }
            if !wait(&mut end.waiting(until), deadline) {
                return false;
            }
        }
    }

    fn poll_until(&mut self, until: Until, cx: &mut Context<'_>) -> Poll<()> {
        let Some(end) = &mut self.0 else { return Poll::Ready(()) };
        loop {
            if until.has_come(end.look()) {
                return Poll::Ready(());
            }
            if poll(&mut end.waiting(until), cx).is_pending() {
                return Poll::Pending;
            }
        }
    }
}

impl<T> End<T, SENDER> {
    /// Publishes the value and goes on to the next slot. Returns what was found.
    ///
    /// # Safety
    ///
    /// The side has seen no message in its slot.
    #[inline(always)]
    unsafe fn publish(&self, value: T) -> SlotState {
        let (slot, message) = (self.slot(), self.cursor().message);
        // SAFETY: the slot has no message (caller), so the payload is the sender's to write.
        unsafe { slot.payload.write(value) };
        // This comes first, because the processor does not begin what comes after a swap before that is done.
        self.advance();
        slot.word.publish(message)
    }
}
