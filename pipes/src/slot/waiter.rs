//! Who waits: a thread, a task, or a set that wants to know which of its members is ready.
//!
//! Blocking and async receivers differ in nothing but this. A waiter is moved out of its seat before it is
//! woken, and it is woken last, when the sender no longer touches the pipe: the woken side may free it.

use std::task::{Context, Waker};

/// Somebody to be told that a slot has changed. Two words, whoever it is: a waker, with a table of its own
/// for each kind.
pub(super) struct Waiter(Waker);

impl Waiter {
    /// A thread in a wait, or a task of any executor. Cloning a task's waker is its executor's code.
    pub(super) fn of(cx: &Context<'_>) -> Self {
        Waiter(cx.waker().clone())
    }

    /// What this wakes: a task, or what has the shape of its waker.
    #[inline]
    pub(super) fn new(waker: Waker) -> Self {
        Waiter(waker)
    }

    /// The waker that it is, to be woken or dropped, and nothing else.
    pub(super) fn into_waker(self) -> Waker {
        self.0
    }

    /// Does the waker wake the same?
    pub(super) fn is_of(&self, waker: &Waker) -> bool {
        self.0.will_wake(waker)
    }

    /// Do both wake the same?
    pub(super) fn is(&self, other: &Waiter) -> bool {
        self.0.will_wake(&other.0)
    }

    /// Tells it. A task's waker is its executor's code: it may panic, or come back into this library.
    #[inline]
    pub(super) fn wake(self) {
        self.0.wake();
    }
}

/// Wakes the one that was waiting, as the last thing that a sender does.
#[inline(always)]
pub(super) fn wake(waiter: Option<Waiter>) {
    if let Some(waiter) = waiter {
        waiter.wake();
    }
}
