//! Waiting in a thread, in a task, or as a member of a set: the same for each structure in which one side
//! waits for another.
//!
//! Each structure says how a waiter is registered in its word and how it is taken back. This file has the
//! order of the steps, and so the reason why no wake-up is lost. A registration is refused if something has
//! already happened, and each later event finds the waiter, so there is no gap between looking and
//! registering. [`wait_until`] makes sure that there is none between registering and sleeping.

#[cfg(all(test, not(pipes_loom)))]
mod tests;

use super::park::wait_until;
use super::spin::spin_then_yield;
use super::waiter::Waiter;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

/// The other side has taken the waiter: something has happened, look again.
#[derive(Debug)]
pub(crate) struct Taken;

/// A structure on which its owner can wait: a thread blocks, a task is woken, and a set gets its token.
pub(crate) trait Waitable {
    /// Returns how many messages may come in a row before the other side waits for this one.
    fn most_in_a_row(&self) -> usize;

    /// Returns `true` if at least this number of messages has come behind the first one, and `false` also if
    /// that cannot be seen from here. It is a hint: it may look at slots out of order, and what it sees there
    /// decides only how long a wait is.
    fn have_come(&self, _messages: usize) -> bool {
        false
    }

    /// May it happen soon, so that it pays to look for a moment before the thread sleeps? Not so when a
    /// sender waits for the receiver to leave: such a wait is long, and would teach the thread that looking
    /// does not pay.
    fn comes_soon(&self) -> bool {
        true
    }

    /// Has it happened?
    fn has_come(&self) -> bool;

    /// Is the task of this waker registered?
    fn is_waiting_as(&self, waker: &Waker) -> bool;

    /// Registers the waiter. The functions of this file call it only when none is registered, and the
    /// implementations rely on that. `Err`: it has happened, and here is the waiter.
    fn register(&mut self, waiter: Waiter) -> Result<(), Waiter>;

    /// Takes back the waiter that is registered, if there is one.
    fn unregister(&mut self) -> Result<Option<Waiter>, Taken>;
}

// The callers of the following functions have just seen that it has not happened.

/// Blocks the thread until it has happened (true) or the deadline has passed (false). If the deadline has
/// passed already, it does nothing.
#[cold]
pub(crate) fn wait(waitable: &mut impl Waitable, deadline: Option<Instant>) -> bool {
    if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
        return false;
    }
    // A task may still be registered from an earlier poll; the thread replaces it.
    if waitable.unregister().is_err() {
        return true;
    }
    if waitable.comes_soon() && look_for_a_moment(waitable) {
        return true;
    }
    let mut registered = false;
    let come = wait_until(
        || deadline,
        |cx| {
            let has_come = if registered {
                waitable.has_come()
            } else {
                registered = true;
                waitable.register(Waiter::of(cx)).is_err()
            };
            if has_come { Poll::Ready(()) } else { Poll::Pending }
        },
    );
    come.is_some() || waitable.unregister().is_err()
}

/// Returns `true` if it happens within a short time.
fn look_for_a_moment(waitable: &impl Waitable) -> bool {
    let most = waitable.most_in_a_row();
    spin_then_yield(most, || waitable.has_come(), |messages| waitable.have_come(messages))
}

/// Ready if it has happened; else the task is woken when it does.
#[inline(never)]
pub(crate) fn poll(waitable: &mut impl Waitable, cx: &mut Context<'_>) -> Poll<()> {
    if waitable.is_waiting_as(cx.waker()) {
        return Poll::Pending;
    }
    // A waker's `clone` and `drop` are its executor's code: it is cloned before anything changes, and the old
    // one is dropped before the new one is registered.
    let waiter = Waiter::of(cx);
    let free = waitable.unregister().is_ok();
    if free && waitable.register(waiter).is_ok() { Poll::Pending } else { Poll::Ready(()) }
}
