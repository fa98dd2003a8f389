//! How a side leaves a bounded stream.
//!
//! Each marks one slot, the one at which the sender stands. For the sender that is simple, whether a message
//! is still in it or not: the receiver takes what was sent, comes to the mark, and knows. A receiver first
//! drops, one after the other, the messages that it finds, and leaves their slots as they are. If there is
//! one that is empty, that is where the sender stands; if there is none, the sender stands before the first
//! one, and waits for room. So a sender can go on for a while, but not for more messages than there is room
//! for; and when it learns that the receiver has left, all that was sent is gone.
//!
//! Whatever a destructor does, the others run, the buffer is left, and the other side is woken: each of these
//! is done by a guard.

use super::buffer::Buffer;
use super::end::{End, RECEIVER};
use super::state::SlotState;
use crate::slot::waiter::Waiter;
use std::ptr::NonNull;

impl<T, const SIDE: bool> Drop for End<T, SIDE> {
    #[cold]
    fn drop(&mut self) {
        // The side's own waker is dropped last: it is its executor's code.
        let _waiter = self.unregister();
        if SIDE == RECEIVER { self.close_receiving() } else { self.close_sending() }
    }
}

impl<T, const SIDE: bool> End<T, SIDE> {
    /// Leaves as the sender.
    fn close_sending(&mut self) {
        let found = self
            .slot()
            .word
            .close(|_| false)
            .expect("a close is refused only by its condition, which is never met here");
        // SAFETY: the side has just closed on top of what it found.
        let _waking = Waking(unsafe { self.waiter(found) });
        let _leaving = Leaving(self.buffer);
        if found.is_closed() && found.is_offer() {
            // SAFETY: the receiver has left the offer to its sender, who was not told of it yet.
            drop(unsafe { self.slot().payload.read() });
        }
    }

    /// Leaves as the receiver.
    fn close_receiving(&mut self) {
        let (left, leaving) = (self.slots(), Leaving(self.buffer));
        Draining { end: self, left, closed: false, _leaving: leaving, waking: Waking(None) }.run();
    }
}

/// Is a message here for a receiver that leaves to drop? An offer goes back to its sender, if there still is
/// one.
fn is_unread(seen: SlotState) -> bool {
    seen.is_full() && (!seen.is_offer() || seen.is_closed())
}

/// A receiver that drops what nobody will receive, and leaves.
struct Draining<'a, T, const SIDE: bool> {
    end: &'a mut End<T, SIDE>,
    /// How many slots may still have a message.
    left: usize,
    closed: bool,
    _leaving: Leaving<T>,
    waking: Waking,
}

impl<T, const SIDE: bool> Draining<'_, T, SIDE> {
    fn run(&mut self) {
        while !self.closed {
            let full = self.left == 0;
            let word = &self.end.slot().word;
            if let Some(found) = word.close(|seen| !full && is_unread(seen)) {
                // SAFETY: the side has just closed on top of what it found.
                self.waking.0 = unsafe { self.end.waiter(found) };
                self.closed = true;
            } else {
                // SAFETY: a message is here for the receiver, and this side will not come back to it.
                let payload = unsafe { self.end.slot().payload.read() };
                self.left -= 1;
                self.end.advance();
                drop(payload);
            }
        }
    }
}

impl<T, const SIDE: bool> Drop for Draining<'_, T, SIDE> {
    fn drop(&mut self) {
        // If a destructor has panicked: those behind it.
        self.run();
    }
}

/// Leaves the buffer when it is dropped.
struct Leaving<T>(NonNull<Buffer<T>>);

impl<T> Drop for Leaving<T> {
    fn drop(&mut self) {
        // SAFETY: made where an end is dropped, which has nothing more to do with the buffer. What was sent
        // was dropped by the receiver before it left, or received; what was offered goes with either side.
        unsafe { Buffer::leave(self.0) };
    }
}

/// Wakes the other side when it is dropped: last of all.
struct Waking(Option<Waiter>);

impl Drop for Waking {
    fn drop(&mut self) {
        if let Some(waiter) = self.0.take() {
            waiter.wake();
        }
    }
}
