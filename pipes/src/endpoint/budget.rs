//! When a task gives way: a receive in a task returns `Pending` once after a number of messages.
//!
//! An executor runs another task only when a poll returns. A task that receives in a loop from a sender that
//! keeps up finds a message each time, so its poll would not return: on an executor with one thread, no timer
//! and no other task would run. So each thread has a *budget* of messages. A receive in a task that finds it
//! spent wakes its own task and returns `Pending`: the task is polled again after the others.
//!
//! The budget belongs to the thread and not to the future, because a loop makes a new future for each
//! message, and a protocol even a new endpoint. It is full again after each poll that returns `Pending`, by
//! itself or because nothing was there. If the poll of a task ends in another way, the next task on this
//! thread begins with what is left, and gives way once too early.
//!
//! What only looks, or only waits, spends nothing: `try_recv`, `poll_ready`, `ready`.
//!
//! tokio does the same with 128 units a poll.

use std::cell::Cell;
use std::task::{Context, Poll};

/// The number of messages that a thread receives in tasks before one of them gives way.
const MESSAGES: usize = 128;

thread_local! {
    /// The messages that are left.
    static LEFT: Cell<usize> = const { Cell::new(MESSAGES) };
}

/// Receives in a task, unless it has to give way. A poll that is ready has received one message.
#[inline]
pub(crate) fn receive<T>(cx: &mut Context<'_>, poll: impl FnOnce(&mut Context<'_>) -> Poll<T>) -> Poll<T> {
    receive_many(cx, poll, |_| 1)
}

/// The same for several messages: `count` says how many are in a result.
#[inline]
pub(crate) fn receive_many<T>(
    cx: &mut Context<'_>,
    poll: impl FnOnce(&mut Context<'_>) -> Poll<T>,
    count: impl FnOnce(&T) -> usize,
) -> Poll<T> {
    // The threads of a model share one thread of the system, and would share its budget.
    if cfg!(any(pipes_loom, pipes_shuttle)) {
        return poll(cx);
    }
    if left() == 0 {
        return give_way(cx);
    }
    let polled = poll(cx);
    // It is loaded again, because a waker that the poll has called or dropped may have received as well.
    set_left(match &polled {
        Poll::Ready(received) => left().saturating_sub(count(received)),
        Poll::Pending => MESSAGES,
    });
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
