//! When a task gives way: a receive in a task returns `Pending` once after a number of messages.
//!
//! An executor runs another task only when a poll returns. A task that receives in a loop from a sender that
//! keeps up finds a message each time, so its poll would not return: on an executor with one thread, no timer
//! and no other task would run. So each thread has a *budget* of messages. A receive in a task that finds it
//! spent wakes its own task and returns `Pending`: the task is polled again after the others.
//!
//! The budget belongs to the thread and not to the future, because a loop makes a new future for each
//! message, and a protocol even a new endpoint. It is full again after a receive has given way, and only
//! then. A receive that finds nothing does not give way and does not fill the budget, because the same poll
//! of the task may find messages elsewhere, again and again, as in a `select!` of a busy port and an idle
//! one. So a task that waits between its messages gives way as well, once needlessly for each 128 messages,
//! which costs one poll.
//!
//! What only looks, or only waits, spends nothing: `try_recv`, `poll_ready`, `ready`.
//!
//! tokio's channels have a budget of 128 as well, which tokio's executors fill before each poll of a task.
//! Here the executor is not known.

use std::cell::Cell;
use std::task::{Context, Poll};

/// The number of messages that a thread receives in tasks before one of them gives way.
const MESSAGES: usize = 128;

/// In a model nothing is counted: its threads share one thread of the system, and would share a budget.
const COUNTS: bool = cfg!(not(pipes_loom));

thread_local! {
    /// The messages that are left.
    static LEFT: Cell<usize> = const { Cell::new(MESSAGES) };
}

/// Receives in a task, unless it has to give way. `is_here` says whether a message is here, and `is_message`
/// whether one was received. (A close is no message: it costs nothing, and no receive of it gives way.)
#[inline]
pub(crate) fn receive<R, T>(
    receiver: &mut R,
    cx: &mut Context<'_>,
    is_here: impl FnOnce(&mut R) -> bool,
    poll: impl FnOnce(&mut R, &mut Context<'_>) -> Poll<T>,
    is_message: impl FnOnce(&T) -> bool,
) -> Poll<T> {
    receive_many(receiver, cx, is_here, poll, |received| usize::from(is_message(received)))
}

/// The same for several messages: `count` says how many are in a result.
#[inline]
pub(crate) fn receive_many<R, T>(
    receiver: &mut R,
    cx: &mut Context<'_>,
    is_here: impl FnOnce(&mut R) -> bool,
    poll: impl FnOnce(&mut R, &mut Context<'_>) -> Poll<T>,
    count: impl FnOnce(&T) -> usize,
) -> Poll<T> {
    let left = if COUNTS { left() } else { MESSAGES };
    if left == 0 && is_here(receiver) {
        return give_way(cx);
    }
    let polled = poll(receiver, cx);
    if COUNTS && let Poll::Ready(received) = &polled {
        // If a waker that the poll has called or dropped has received as well, that is not counted.
        set_left(left.saturating_sub(count(received)));
    }
    polled
}

#[cold]
fn give_way<T>(cx: &mut Context<'_>) -> Poll<T> {
    set_left(MESSAGES);
    cx.waker().wake_by_ref();
    Poll::Pending
}

/// A thread that is ending may have no budget any more; it does not give way.
#[inline]
fn left() -> usize {
    LEFT.try_with(Cell::get).unwrap_or(MESSAGES)
}

#[inline]
fn set_left(messages: usize) {
    let _ = LEFT.try_with(|left| left.set(messages));
}
