//! A seat on the heap, for an owner that any of several others may wake.
//!
//! A pipe's seats lie in the pipe, and two of them are enough because only one sender can be slow to read
//! one. Where several threads may wake the same owner, any number of them may be slow. So the seat is
//! reference-counted: one count is the owner's; another travels as an address in an atomic word and belongs
//! to the thread that takes it out of there. The owner uses the seat again if it has the only count, which is
//! nearly always so, and otherwise makes a new one. No thread waits for another.

use super::seat::Seat;
use super::waiter::Waiter;
use crate::sync::Arc;
use std::task::Waker;

/// The owner's count of its seat.
pub(crate) struct Record(Arc<Seat>);

impl Record {
    pub(crate) fn new() -> Self {
        Record(Arc::new(Seat::new()))
    }

    /// Puts a waiter into the seat, and returns the address to publish.
    ///
    /// The address must come back: to [`claim`](Record::claim) by the thread that takes it out of the word,
    /// or to [`recover`](Record::recover) if the owner takes it out. Until then nothing else is lent.
    pub(crate) fn lend(&mut self, waiter: Waiter) -> *const Seat {
        if Arc::get_mut(&mut self.0).is_none() {
            self.0 = Arc::new(Seat::new());
        }
        // SAFETY: the owner has the only count of the seat, so no other thread touches it, and none is
        // registered there.
        unsafe { self.0.put(waiter) };
        Arc::into_raw(self.0.clone())
    }

    /// The owner takes back what it has lent.
    ///
    /// # Safety
    ///
    /// The address is the one that was lent last, and the caller has just taken it out of its word, or never
    /// put it there.
    pub(crate) unsafe fn recover(&mut self, lent: *const Seat) -> Waiter {
        // SAFETY: the address was lent, and the caller alone has it (caller).
        unsafe { Record::claim(lent) }
    }

    /// Takes the waiter, and lets go of the seat.
    ///
    /// # Safety
    ///
    /// The address was lent, and the caller alone has it: it has just taken it out of its word, or never put
    /// it there.
    pub(crate) unsafe fn claim(lent: *const Seat) -> Waiter {
        // SAFETY: `lend` made the address with `Arc::into_raw`, and its count is the caller's now.
        let seat = unsafe { Arc::from_raw(lent) };
        // SAFETY: a waiter was put before the address was lent, and the caller alone has the address, so it
        // is taken once.
        unsafe { seat.take() }
    }

    /// Would the waiter wake the same task?
    ///
    /// # Safety
    ///
    /// The owner has lent its seat and not recovered it since.
    pub(crate) unsafe fn is(&self, waker: &Waker) -> bool {
        // SAFETY: the owner has lent its seat, so a waiter was put there, and no other one since (caller).
        unsafe { self.0.is(waker) }
    }
}
