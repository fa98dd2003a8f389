//! The receiver's waiter, in one place for all slots of a queue.
//!
//! The receiver puts the address of its cell here before it registers in a slot. A sender that finds it
//! registered takes the cell and wakes its waiter. One place is enough, although a sender may be slow: it may
//! take a waiter that the receiver put there for a later slot, and then the receiver is woken for nothing.
//! The empty place tells the receiver that no sender will wake it a second time, so it registers again.

use crate::sync::{AtomicPtr, Ordering, before_free};
use crate::wait::{SharedWaiter, Waiter, WaiterCell};
use std::ptr::null_mut;

/// The cell of the receiver, if it waits and no sender has taken it yet.
pub(super) struct ReceiverWaiter(AtomicPtr<WaiterCell>);

impl ReceiverWaiter {
    pub(super) fn new() -> Self {
        ReceiverWaiter(AtomicPtr::new(null_mut()))
    }

    /// Puts the address of a cell here.
    ///
    /// # Safety
    ///
    /// The address must just have been lent by a [`SharedWaiter`]. The caller must be the receiver, and must
    /// have taken any earlier cell out of here.
    pub(super) unsafe fn put(&self, cell: *const WaiterCell) {
        // ORDERING: Release pairs with `take`: the thread that takes the waiter sees it, even if that is a
        // sender that was meant to take an earlier one. It is a swap, although nothing is there, so that it
        // comes after the swaps that took nothing.
        self.0.swap(cell.cast_mut(), Ordering::Release);
    }

    /// Returns `true` if this cell, which the receiver has put here, is still here.
    pub(super) fn holds(&self, cell: *const WaiterCell) -> bool {
        // ORDERING: Relaxed: the thread that took the cell wakes the receiver, and after that the receiver
        // sees that it was taken.
        std::ptr::eq(self.0.load(Ordering::Relaxed), cell)
    }

    /// Takes the waiter, if there is one.
    pub(super) fn take(&self) -> Option<Waiter> {
        // ORDERING: Relaxed: a sender that has found the receiver registered sees what the receiver has put
        // here; others need not see it.
        if self.0.load(Ordering::Relaxed).is_null() {
            return None;
        }
        // ORDERING: Acquire pairs with `put`: the caller sees the waiter in the cell.
        let cell = self.0.swap(null_mut(), Ordering::Acquire);
        // SAFETY: the address was lent (`put`), and the swap has just taken it out of here, so only the
        // caller has it.
        (!cell.is_null()).then(|| unsafe { SharedWaiter::take(cell) })
    }

    /// Announces that the place is about to be freed.
    pub(super) fn before_free(&mut self) {
        before_free(&mut self.0);
    }
}
