//! How a side leaves a bounded stream.
//!
//! A sender marks the slot that it stands at, whether a message is still in it or not: the receiver takes what was sent, comes
//! to the mark, and knows. A receiver marks every slot with a message in it and the one behind them, where the sender stands or
//! will stand next; so the sender learns of it at its next step, and not one message more is sent. Then the receiver drops
//! what it has found.
//!
//! Whatever a destructor does, the others run, the queue is left, and the other side is woken: each of these is the destructor
//! of a guard.

use super::end::{End, RECEIVER};
use super::queue::Queue;
use super::state::State;
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
        let found = self.slot().word.close();
        // SAFETY: the side has just closed on top of what it found.
        let _waking = Waking(unsafe { self.waiter(found) });
        let _leaving = Leaving(self.queue);
        if found.is_closed() && found.is_offer() {
            // SAFETY: the receiver has left the offer to its sender, who was not told of it yet.
            drop(unsafe { self.slot().read() });
        }
    }

    /// Leaves as the receiver.
    fn close_receiving(&mut self) {
        let (unread, waiter) = self.close_slots();
        let _waking = Waking(waiter);
        let _leaving = Leaving(self.queue);
        Unread { end: self, left: unread }.discard();
    }

    /// Closes every slot that has a message, and the one behind them. Gives how many messages there are for the receiver to
    /// drop, and the sender's waiter.
    fn close_slots(&self) -> (usize, Option<Waiter>) {
        let desk = self.desk();
        let (mut unread, mut waiter) = (0, None);
        for index in (desk.index.get()..=desk.last).chain(0..desk.index.get()) {
            // SAFETY: the queue lives, and the index is that of a slot.
            let slot = unsafe { Queue::slot(self.queue, index) };
            // SAFETY: it was made with the queue.
            let found = unsafe { slot.as_ref() }.word.close();
            // SAFETY: the side has just closed on top of what it found.
            if let Some(found) = unsafe { self.waiter(found) } {
                waiter = Some(found);
            }
            if !is_left_to_receiver(found) {
                break;
            }
            unread += 1;
        }
        (unread, waiter)
    }
}

/// Does a receiver that closes on this drop a message? An offer goes back to its sender, if there still is one.
fn is_left_to_receiver(found: State) -> bool {
    found.is_full() && (!found.is_offer() || found.is_closed())
}

/// Messages that nobody will receive.
struct Unread<'a, T, const SIDE: bool> {
    end: &'a mut End<T, SIDE>,
    left: usize,
}

impl<T, const SIDE: bool> Unread<'_, T, SIDE> {
    fn discard(&mut self) {
        while self.left > 0 {
            self.left -= 1;
            // SAFETY: the receiver has found a message here when it closed the slot.
            let payload = unsafe { self.end.slot().read() };
            self.end.advance();
            drop(payload);
        }
    }
}

impl<T, const SIDE: bool> Drop for Unread<'_, T, SIDE> {
    fn drop(&mut self) {
        // If a destructor has panicked, those behind it.
        self.discard();
    }
}

/// Leaves the queue when it is dropped.
struct Leaving<T>(NonNull<Queue<T>>);

impl<T> Drop for Leaving<T> {
    fn drop(&mut self) {
        // SAFETY: made where an end is dropped, which has nothing more to do with the queue. The receiver has dropped what the
        // sender had sent; what an end sees of the other's mark comes after that.
        unsafe { Queue::leave(self.0) };
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
