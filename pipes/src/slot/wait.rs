//! Waiting, the same wherever one side waits for another: in a thread, in a task, or as a member of a set.
//!
//! Each structure says how a waiter is registered in its word and how it is taken back; the order of the
//! steps, and so the reason why no wake-up is lost, is here. A registration is refused once something has
//! happened, and whatever happens after it finds the waiter: between looking and registering there is no gap.
//! That there is none between registering and sleeping either is what [`wait_until`] is for.

#[cfg(all(test, not(pipes_loom)))]
mod tests;

use super::waiter::Waiter;
use crate::sync::{linger, wait_until};
use std::task::{Context, Poll, Waker};
use std::time::Instant;

/// The other side has taken the waiter: something has happened, look again.
#[derive(Debug)]
pub(super) struct Taken;

/// What its owner can wait on: a thread blocks, a task is woken, and a set gets its token.
pub(super) trait Waitable {
    /// May more than one thing happen in a row, so that it pays to let a few come?
    fn runs_ahead(&self) -> bool;

    /// Is it what a thread lives by, so that it pays to look for a moment before it sleeps? Not the end of
    /// everything: that is waited for long, and would teach the thread that looking is in vain.
    fn comes_soon(&self) -> bool {
        true
    }

    /// Does the other side act only while it sees the owner wait? Then the owner registers before it looks
    /// for a moment: on a busy machine that moment may be all its time.
    fn must_be_seen(&self) -> bool {
        false
    }

    /// Has it happened?
    fn has_come(&self) -> bool;

    /// Is the task of this waker the one that is registered?
    fn is_waiting_as(&self, waker: &Waker) -> bool;

    /// Registers; nobody is registered yet. `Err`: it has happened, and here is the waiter.
    fn register(&mut self, waiter: Waiter) -> Result<(), Waiter>;

    /// Takes back whoever is registered, if anybody is.
    fn unregister(&mut self) -> Result<Option<Waiter>, Taken>;
}

// Each of these is for when it has just been seen not to have happened.

/// Blocks the thread until it has happened, or the deadline has passed. False: the latter. Without time
/// nothing is done: it was just seen not to have happened.
#[cold]
pub(super) fn wait(waitable: &mut impl Waitable, deadline: Option<Instant>) -> bool {
    if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
        return false;
    }
    // A task may still be registered, from an earlier poll: it gives way to the thread.
    if waitable.unregister().is_err() {
        return true;
    }
    let (lingers, is_seen_first) = (waitable.comes_soon(), waitable.must_be_seen());
    if lingers && !is_seen_first && linger(waitable.runs_ahead(), || waitable.has_come()) {
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
                    || lingers && is_seen_first && linger(waitable.runs_ahead(), || waitable.has_come())
            };
            if has_come { Poll::Ready(()) } else { Poll::Pending }
        },
    );
    come.is_some() || waitable.unregister().is_err()
}

/// Ready if it has happened; else the task is woken when it does.
#[inline(never)]
pub(super) fn poll(waitable: &mut impl Waitable, cx: &mut Context<'_>) -> Poll<()> {
    if waitable.is_waiting_as(cx.waker()) {
        return Poll::Pending;
    }
    // A waker is its executor's code: it is cloned before anything changes, and the old one dropped before
    // anything new is registered.
    let waiter = Waiter::of(cx);
    let free = waitable.unregister().is_ok();
    if free && waitable.register(waiter).is_ok() { Poll::Pending } else { Poll::Ready(()) }
}
