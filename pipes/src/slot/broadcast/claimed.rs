//! A place whose message stays until every receiver has received it.
//!
//! A receiver with a claim needs no lock to clone the message: the senders wait, and no other receiver moves
//! the message out. See [`state`](super::state) for who may use the message.

use super::place::{Place, Rest};
use super::state::Claims;
use crate::slot::payload::PayloadCell;
use crate::wait::Count;
use std::panic::RefUnwindSafe;

/// A place for which the senders wait.
pub(crate) struct Claimed<T> {
    claims: Claims,
    /// There is a message in every state but `FREE`. When the ring is dropped, no receiver has a claim, so
    /// the place is free.
    payload: PayloadCell<T>,
}

// SAFETY: a message is moved in and out by one thread at a time, and receivers in several threads may look at
// it at the same time, as the states say. So it must be `Send` and `Sync`.
unsafe impl<T: Send + Sync> Sync for Claimed<T> {}

// A panic of a `clone` leaves the message and the claim as they were.
impl<T> RefUnwindSafe for Claimed<T> {}

impl<T> Claimed<T> {
    /// Moves the message out, and frees the place.
    ///
    /// # Safety
    ///
    /// The state gives the message to the caller alone: it has found `LEFT_TO_ONE` and has the claim, or has
    /// given up the last claim.
    #[inline(always)]
    unsafe fn take(&self) -> (T, bool) {
        // SAFETY: the message is here, because the place is not free, and it is the caller's (caller).
        let message = unsafe { self.payload.read() };
        (message, self.claims.free())
    }
}

impl<T> Place for Claimed<T> {
    type Message = T;

    fn new() -> Self {
        Claimed { claims: Claims::new(), payload: PayloadCell::new() }
    }

    fn is_free(&self) -> bool {
        self.claims.is_free()
    }

    fn mark(&self) -> bool {
        self.claims.mark()
    }

    #[inline(always)]
    unsafe fn put(&self, _: Count, message: T, receivers: usize) -> Result<Option<T>, T> {
        // SAFETY: the place is free, so it is empty and no receiver has a claim, and no other thread puts a
        // message here (caller).
        unsafe { self.payload.write(message) };
        self.claims.put(receivers);
        Ok(None)
    }

    #[inline(always)]
    unsafe fn receive(&self, number: Count, _: &mut bool) -> Option<(T, Rest<T>)>
    where
        T: Clone,
    {
        if self.claims.is_left_to_one() {
            // SAFETY: the caller has a claim (caller), and it is the only one.
            let (message, is_waited_for) = unsafe { self.take() };
            return Some((message, Rest { message: None, is_waited_for }));
        }
        // SAFETY: the caller has a claim (caller), so the message is here and is not moved out before the
        // caller leaves.
        let message = unsafe { self.payload.get() }.clone();
        // SAFETY: the caller has a claim (caller). It is given up here, after the last use of the reference.
        let rest = unsafe { self.leave(number) };
        Some((message, rest))
    }

    #[inline(always)]
    unsafe fn leave(&self, _: Count) -> Rest<T> {
        if !self.claims.leave() {
            return Rest::NONE;
        }
        // SAFETY: the caller has given up the last claim.
        let (message, is_waited_for) = unsafe { self.take() };
        Rest { message: Some(message), is_waited_for }
    }

    /// The senders overwrite nothing.
    fn clear(&self) -> Option<T> {
        None
    }

    unsafe fn join(&self, _: Count) {
        self.claims.join();
    }
}
