//! A waiter cell on the heap, for an owner that any of several others may wake.
//!
//! A pipe's cells lie in the pipe, and two for each side are enough because only one sender can be slow to
//! read one. Where several threads may wake the same owner, any number of them may be slow. So the cell is
//! reference-counted: one count is the owner's; another travels as an address in an atomic word and belongs
//! to the thread that takes it out of there. The owner uses the cell again if it has the only count, which is
//! nearly always so, and otherwise makes a new one. No thread waits for another.

use super::waiter::Waiter;
use super::waiter_cell::WaiterCell;
use crate::sync::Arc;
use std::task::Waker;

/// The owner's count of its cell.
pub(crate) struct SharedWaiter(Arc<WaiterCell>);

impl SharedWaiter {
    pub(crate) fn new() -> Self {
        SharedWaiter(Arc::new(WaiterCell::new()))
    }

    /// Puts a waiter into the cell, and returns the address to publish.
    ///
    /// The address must come back: to [`take`](SharedWaiter::take) by the thread that takes it out of the
    /// word, or to [`recover`](SharedWaiter::recover) if the owner takes it out. Until then the owner lends
    /// nothing else.
    pub(crate) fn lend(&mut self, waiter: Waiter) -> *const WaiterCell {
        if Arc::get_mut(&mut self.0).is_none() {
            self.0 = Arc::new(WaiterCell::new());
        }
        // SAFETY: the owner has the only count of the cell, so no other thread touches it, and none is
        // registered there.
        unsafe { self.0.put(waiter) };
        Arc::into_raw(self.0.clone())
    }

    /// Takes back what the owner has lent.
    ///
    /// # Safety
    ///
    /// The address must be the one that was lent last, and the caller must just have taken it out of its
    /// word, or never have put it there.
    pub(crate) unsafe fn recover(&mut self, lent: *const WaiterCell) -> Waiter {
        // SAFETY: the address was lent, and the caller alone has it (caller).
        unsafe { SharedWaiter::take(lent) }
    }

    /// Takes the waiter, and drops this count of the cell.
    ///
    /// # Safety
    ///
    /// The address must have been lent, and only the caller may have it: it has just taken it out of its
    /// word, or never put it there.
    pub(crate) unsafe fn take(lent: *const WaiterCell) -> Waiter {
        // SAFETY: `lend` made the address with `Arc::into_raw`, and its count is the caller's now.
        let cell = unsafe { Arc::from_raw(lent) };
        // SAFETY: a waiter was put before the address was lent, and the caller alone has the address, so it
        // is taken once.
        unsafe { cell.take() }
    }

    /// Returns `true` if the waiter would wake the same task.
    ///
    /// # Safety
    ///
    /// The owner must have lent its cell and not recovered it since.
    pub(crate) unsafe fn is(&self, waker: &Waker) -> bool {
        // SAFETY: the owner has lent its cell, so a waiter was put there, and no other one since (caller).
        unsafe { self.0.is(waker) }
    }
}
