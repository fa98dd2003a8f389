//! Waiters: a thread, a task, or a set that wants to know which of its members is ready.
//!
//! Only the waiter differs between blocking and async receivers. A waiter is moved out of its cell before it
//! is woken, and waking it is the last step, after which the sender does not touch the pipe: the woken side
//! may free it.

use std::task::{Context, Waker};

/// A thread, a task or a set's token that waits for a slot to change. It is always a waker, which is two
/// words, with a vtable of its own for each kind.
pub(crate) struct Waiter(Waker);

impl Waiter {
    /// Returns the waiter of the thread or task that polls with this context. Cloning a task's waker runs its
    /// executor's code.
    pub(crate) fn of(cx: &Context<'_>) -> Self {
        Waiter(cx.waker().clone())
    }

    /// Wraps a waker, which may be a token in the shape of one.
    #[inline]
    pub(crate) fn new(waker: Waker) -> Self {
        Waiter(waker)
    }

    /// Returns the waker, which may only be woken or dropped.
    pub(crate) fn into_waker(self) -> Waker {
        self.0
    }

    /// Returns `true` if the waker wakes the same thread, task or token.
    pub(crate) fn is_of(&self, waker: &Waker) -> bool {
        self.0.will_wake(waker)
    }

    /// Returns `true` if both wake the same thread, task or token.
    pub(crate) fn is(&self, other: &Waiter) -> bool {
        self.0.will_wake(&other.0)
    }

    /// Wakes the thread, the task or the set. A task's waker is its executor's code: it may panic, or call
    /// into this library.
    #[inline]
    pub(crate) fn wake(self) {
        self.0.wake();
    }
}

/// Wakes the waiter, if there is one, as the last step of a send.
#[inline(always)]
pub(crate) fn wake(waiter: Option<Waiter>) {
    if let Some(waiter) = waiter {
        waiter.wake();
    }
}
