//! The states of a place, and every atomic step between them.
//!
//! A receiver that has not received a message has a *claim* to it. The word of a place counts the claims to
//! the message that lies there, and one more for the message itself.
//!
//! | count | state | who may use the message |
//! |---|---|---|
//! | 0 | `FREE`: there is no message | the sender that has the lock of the tail: it may move one in |
//! | more than 2 | `CLAIMED` by several receivers | each of them may look at it |
//! | 2 | `LEFT_TO_ONE` receiver | that receiver; it may move it out |
//! | 1 | `LEFT` by all: the last ones have cloned it at the same time | the receiver that left last; it moves it out |
//!
//! | step | by | from | to |
//! |---|---|---|---|
//! | **put** | the sender that has the lock of the tail | `FREE` | `CLAIMED` or `LEFT_TO_ONE`, by the number of receivers |
//! | **join**: one more | a receiver with a claim, for its clone | `LEFT_TO_ONE`, `CLAIMED` | `CLAIMED` |
//! | **leave**: one less | a receiver with a claim, which it gives up | `CLAIMED` | `CLAIMED`, `LEFT_TO_ONE` |
//! | | | `LEFT_TO_ONE` | `LEFT` |
//! | **free** | the receiver that has moved the message out | `LEFT_TO_ONE`, `LEFT` | `FREE` |
//! | **mark**: sets `WAITED_FOR` | a sender that has the lock of the tail, and will wait | any | the same |
//!
//! `WAITED_FOR` says that a sender waits for the place. *Mark* and *free* change the same word: so either the
//! sender finds `FREE` and does not wait, or the receiver finds the mark.
//!
//! A claim is passed on only by its owner. So a receiver that finds `LEFT_TO_ONE` remains the only one until
//! it passes its own claim on.
//!
//! These are the states of a place for which the senders wait. Where they do not wait, there is no *mark*,
//! and *put* comes in every state. All steps are done with the lock of the place there, which orders what
//! they do.

use crate::sync::{AtomicUsize, Ordering};

const WAITED_FOR: usize = 1;
/// The unit of the count.
const ONE: usize = 2;

/// The most receivers of a ring. The word has room for about twice as many claims: a receiver that leaves the
/// ring gives up its claims a moment after it is no longer counted.
pub(super) const MOST: usize = usize::MAX / ONE / 2;

/// The word of a place.
pub(super) struct Claims(AtomicUsize);

impl Claims {
    /// Creates the word of a place that is free.
    pub(super) fn new() -> Self {
        Claims(AtomicUsize::new(0))
    }

    /// Returns `true` if the place is free.
    pub(super) fn is_free(&self) -> bool {
        // ORDERING: Acquire pairs with `free`: the message before is moved out.
        self.0.load(Ordering::Acquire) < ONE
    }

    /// Announces that a sender waits for the place. Returns `true` if it is free; before the sender uses it,
    /// it looks once more with [`is_free`](Claims::is_free).
    pub(super) fn mark(&self) -> bool {
        // ORDERING: Relaxed: `is_free` pairs with `free`. If the receiver finds the mark instead, the lock of
        // the tail orders the wake-up of the sender.
        self.0.fetch_or(WAITED_FOR, Ordering::Relaxed) < ONE
    }

    /// Gives a claim to each of this many receivers, after the message was moved in. FREE=>CLAIMED.
    pub(super) fn put(&self, receivers: usize) {
        // ORDERING: Relaxed: the receivers know of the message from the count of messages, which is changed
        // after this.
        self.0.store((receivers + 1) * ONE, Ordering::Relaxed);
    }

    /// Returns `true` if one claim is left, for a caller that has one.
    #[inline(always)]
    pub(super) fn is_left_to_one(&self) -> bool {
        // ORDERING: Acquire pairs with `leave` (the steps in between continue its release sequence): the
        // other receivers have cloned the message.
        self.0.load(Ordering::Acquire) / ONE == 2
    }

    /// Adds a claim beside that of the caller.
    pub(super) fn join(&self) {
        // ORDERING: Relaxed: a thread gets the new receiver from the caller.
        self.0.fetch_add(ONE, Ordering::Relaxed);
    }

    /// Gives up the caller's claim. Returns `true` if it was the last one: then the message is the caller's.
    #[inline(always)]
    pub(super) fn leave(&self) -> bool {
        // ORDERING: Release pairs with `is_left_to_one` and with the `leave` of the last receiver: this one
        // has cloned the message. Acquire, for the last one, which moves the message out.
        self.0.fetch_sub(ONE, Ordering::AcqRel) / ONE == 2
    }

    /// Makes the place free, after the message was moved out. Returns `true` if a sender waits for it.
    #[inline(always)]
    pub(super) fn free(&self) -> bool {
        // ORDERING: Release pairs with `is_free` and `mark`: the next message is moved in after this one was
        // moved out. LEFT_TO_ONE=>FREE, LEFT=>FREE.
        self.0.swap(0, Ordering::Release) & WAITED_FOR != 0
    }

    /// Makes a place free for which no sender waits, with its lock.
    #[inline(always)]
    pub(super) fn clear(&self) {
        // ORDERING: Relaxed: the lock of the place orders it.
        self.0.store(0, Ordering::Relaxed);
    }
}
