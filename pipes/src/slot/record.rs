//! A seat on the heap, for an owner whom any of several others may wake.
//!
//! A pipe's seats lie in the pipe, and two of them are enough because only one sender can be slow to let go
//! of one. Where many may wake the same owner, any number of them may be slow. So the seat is counted: one
//! count is the owner's, another travels as an address in an atomic word and belongs to whoever takes it out
//! of there. The owner uses the seat again if it is the only one that knows it, which it nearly always is,
//! and takes a fresh one if not. Nobody waits for anybody.

use super::seat::Seat;
use super::waiter::Waiter;
use crate::sync::Arc;
use std::task::Waker;

/// The owner's count of its seat.
pub(super) struct Record(Arc<Seat>);

impl Record {
    pub(super) fn new() -> Self {
        Record(Arc::new(Seat::new()))
    }

    /// Sits down, and gives the address that is to be published.
    ///
    /// It has to come back: to [`claim`](Record::claim) by whoever takes it out of the word, or to
    /// [`recover`](Record::recover) if the owner does. Until then nothing else is lent.
    pub(super) fn lend(&mut self, waiter: Waiter) -> *const Seat {
        if Arc::get_mut(&mut self.0).is_none() {
            self.0 = Arc::new(Seat::new());
        }
        // SAFETY: nobody else knows the seat.
        unsafe { self.0.put(waiter) };
        Arc::into_raw(self.0.clone())
    }

    /// The owner takes back what it has lent.
    ///
    /// # Safety
    ///
    /// The address is the one lent last, and the caller has just taken it out of its word, or never put it
    /// there.
    pub(super) unsafe fn recover(&mut self, lent: *const Seat) -> Waiter {
        // SAFETY: the caller's promise.
        unsafe { Record::claim(lent) }
    }

    /// Takes the waiter, and lets go of the seat.
    ///
    /// # Safety
    ///
    /// The address was lent, and the caller has just taken it out of its word: it is the only one.
    pub(super) unsafe fn claim(lent: *const Seat) -> Waiter {
        // SAFETY: this count came with the address.
        let seat = unsafe { Arc::from_raw(lent) };
        // SAFETY: a waiter was put before the address was lent, and only the caller takes it.
        unsafe { seat.take() }
    }

    /// Would the waiter wake the same task?
    ///
    /// # Safety
    ///
    /// The owner has lent its seat and not recovered it since.
    pub(super) unsafe fn is(&self, waker: &Waker) -> bool {
        // SAFETY: a waiter was put, and the owner has not sat down again since.
        unsafe { self.0.is(waker) }
    }
}
