//! Whom to wake: the one waiter of a queue.
//!
//! The receiver puts its seat here before it registers in a slot, and a sender that finds it registered takes
//! the seat and wakes whoever sits there. One place is enough, although a sender may be slow: what it then
//! takes may have been put there for a later slot, and the receiver is woken for nothing. It learns from the
//! empty place that nobody will wake it a second time, and registers again.

use crate::slot::record::Record;
use crate::slot::seat::Seat;
use crate::slot::waiter::Waiter;
use crate::sync::{AtomicPtr, Ordering, retire};
use std::ptr::null_mut;

/// The seat of the receiver if it waits, and nobody has taken it yet.
pub(super) struct Call(AtomicPtr<Seat>);

impl Call {
    pub(super) fn new() -> Self {
        Call(AtomicPtr::new(null_mut()))
    }

    /// Puts a seat there.
    ///
    /// # Safety
    ///
    /// The address was just lent by a [`Record`], and the caller is the receiver, and has taken the seat
    /// before.
    pub(super) unsafe fn put(&self, seat: *const Seat) {
        // ORDERING: Release pairs with `take`: the waiter in the seat is seen by whoever takes it, also by a
        // sender that was to take an earlier one. A swap, though nothing is there: it comes after the swaps
        // of those who took nothing.
        self.0.swap(seat.cast_mut(), Ordering::Release);
    }

    /// Is this seat still there? The receiver asks about the one that it has put.
    pub(super) fn holds(&self, seat: *const Seat) -> bool {
        // ORDERING: Relaxed: if it was taken, whoever has taken it wakes the receiver, and after that it is
        // seen.
        std::ptr::eq(self.0.load(Ordering::Relaxed), seat)
    }

    /// Takes the waiter, if it is there.
    pub(super) fn take(&self) -> Option<Waiter> {
        // ORDERING: Relaxed: a sender that has found the receiver registered sees what that has put; others
        // need not know.
        if self.0.load(Ordering::Relaxed).is_null() {
            return None;
        }
        // ORDERING: Acquire pairs with `put`: the waiter in the seat is seen.
        let seat = self.0.swap(null_mut(), Ordering::Acquire);
        // SAFETY: it was lent, and has just been taken out of here.
        (!seat.is_null()).then(|| unsafe { Record::claim(seat) })
    }

    /// The place is about to be freed.
    pub(super) fn retire(&mut self) {
        retire(&mut self.0);
    }
}
