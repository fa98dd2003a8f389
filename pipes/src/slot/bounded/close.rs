//! How a side leaves a bounded stream.
//!
//! Each side marks the slot at which the sender stands as `CLOSED`. For the sender this is simple, whether or
//! not a message is still in the slot: the receiver takes all messages and then comes to the mark. A receiver
//! first takes the messages that it finds, one after the other, to drop or to keep them, and leaves their
//! slots as they are. If there is an empty slot, the sender stands there. If there is none, the sender stands
//! at the first slot and waits for room. So a sender can go on for a while, but for no more messages than the
//! capacity; and when it learns that the receiver has left, all messages have been taken.
//!
//! If the destructor of a message panics, the others still run, the side still leaves the buffer, and the
//! other side is still woken. A guard takes care of each of these.

use super::buffer::Buffer;
use super::end::{End, RECEIVER};
use crate::wait::{Waiter, steps, uses};
use std::ptr::NonNull;

impl<T, const SIDE: bool> Drop for End<T, SIDE> {
    #[cold]
    fn drop(&mut self) {
        // The side's own waker is dropped last: its destructor is its executor's code.
        let _waiter = self.unregister();
        if SIDE == RECEIVER { self.close_receiving(drop) } else { self.close_sending() }
    }
}

impl<T, const SIDE: bool> End<T, SIDE> {
    /// Leaves as the sender.
    fn close_sending(&mut self) {
        steps::closes(self.channel(), Self::PARTY as usize);
        let found = self
            .slot()
            .word
            .close(|_| false)
            .expect("a close is refused only by its condition, which is never met here");
        // SAFETY: the side has just closed the slot with this found in it, once.
        let _waking = Waking(unsafe { self.waiter(found) });
        let _leaving = Leaving(self.buffer);
    }

    /// Leaves as the receiver, and calls `unread` with each message that it has not received.
    pub(super) fn close_receiving(&mut self, unread: impl FnMut(T)) {
        steps::closes(self.channel(), Self::PARTY as usize);
        let (left, leaving) = (self.slots(), Leaving(self.buffer));
        Draining { end: self, left, closed: false, unread, _leaving: leaving, waking: Waking(None) }.run();
    }
}

/// A receiver that takes the messages that it has not received, and leaves.
struct Draining<'a, T, F: FnMut(T), const SIDE: bool> {
    end: &'a mut End<T, SIDE>,
    /// The number of slots that may still have a message.
    left: usize,
    closed: bool,
    /// What is done with each of these messages.
    unread: F,
    _leaving: Leaving<T>,
    waking: Waking,
}

impl<T, F: FnMut(T), const SIDE: bool> Draining<'_, T, F, SIDE> {
    fn run(&mut self) {
        while !self.closed {
            let full = self.left == 0;
            let word = &self.end.slot().word;
            if let Some(found) = word.close(|seen| !full && seen.is_full()) {
                // SAFETY: the side has just closed the slot with this found in it, once.
                self.waking.0 = unsafe { self.end.waiter(found) };
                self.closed = true;
            } else {
                // SAFETY: the slot's message is the receiver's, which does not come back to this slot.
                let payload = unsafe { self.end.slot().payload.read() };
                uses::received(self.end.channel(), End::<T, SIDE>::PARTY as usize, 1);
                self.left -= 1;
                self.end.advance();
                (self.unread)(payload);
            }
        }
    }
}

impl<T, F: FnMut(T), const SIDE: bool> Drop for Draining<'_, T, F, SIDE> {
    fn drop(&mut self) {
        // If a destructor has panicked, this goes on with the messages behind its own.
        self.run();
    }
}

/// Leaves the buffer when this is dropped.
struct Leaving<T>(NonNull<Buffer<T>>);

impl<T> Drop for Leaving<T> {
    fn drop(&mut self) {
        // SAFETY: this is made where an end is dropped, and dropped when that end no longer uses the buffer.
        // The receiver has taken or dropped each message that was sent.
        unsafe { Buffer::leave(self.0) };
    }
}

/// Wakes the other side when this is dropped, as the very last step.
struct Waking(Option<Waiter>);

impl Drop for Waking {
    fn drop(&mut self) {
        if let Some(waiter) = self.0.take() {
            waiter.wake();
        }
    }
}
