//! The receiver's waiter, in one place for all slots of a queue.
//!
//! The receiver puts the address of its seat here before it registers in a slot. A sender that finds it
//! registered takes the seat and wakes its waiter. One place is enough, although a sender may be slow: it may
//! take a waiter that the receiver put there for a later slot, and then the receiver is woken for nothing.
//! The empty place tells the receiver that no sender will wake it a second time, so it registers again.

use crate::sync::{AtomicPtr, Ordering, retire};
use crate::wait::{Record, Seat, Waiter};
use std::ptr::null_mut;

/// The seat of the receiver, if it waits and no sender has taken it yet.
pub(super) struct Call(AtomicPtr<Seat>);

impl Call {
    pub(super) fn new() -> Self {
        Call(AtomicPtr::new(null_mut()))
    }

    /// Puts the address of a seat here.
    ///
    /// # Safety
    ///
    /// The address must just have been lent by a [`Record`]. The caller must be the receiver, and must have
    /// taken any earlier seat out of here.
    pub(super) unsafe fn put(&self, seat: *const Seat) {
        // ORDERING: Release pairs with `take`: the thread that takes the waiter sees it, also a sender that
        // was meant to take an earlier one. It is a swap, although nothing is there, so that it comes after
        // the swaps that took nothing.
        self.0.swap(seat.cast_mut(), Ordering::Release);
    }

    /// Returns `true` if this seat, which the receiver has put here, is still here.
    pub(super) fn holds(&self, seat: *const Seat) -> bool {
        // ORDERING: Relaxed: the thread that took the seat wakes the receiver, and after that the receiver
        // sees that it was taken.
        std::ptr::eq(self.0.load(Ordering::Relaxed), seat)
    }

    /// Takes the waiter, if there is one.
    pub(super) fn take(&self) -> Option<Waiter> {
        // ORDERING: Relaxed: a sender that has found the receiver registered sees what the receiver has put
        // here; others need not see it.
        if self.0.load(Ordering::Relaxed).is_null() {
            return None;
        }
        // ORDERING: Acquire pairs with `put`: the caller sees the waiter in the seat.
        let seat = self.0.swap(null_mut(), Ordering::Acquire);
        // SAFETY: the address was lent (`put`), and the swap has just taken it out of here, so only the
        // caller has it.
        (!seat.is_null()).then(|| unsafe { Record::claim(seat) })
    }

    /// Announces that the place is about to be freed.
    pub(super) fn retire(&mut self) {
        retire(&mut self.0);
    }
}
