//! When a task gives way: after a number of receives, the next one in a task returns `Pending`.
//!
//! An executor runs another task only when a poll returns. A task that receives in a loop from a sender that
//! keeps up finds a message each time, so its poll would not return: on an executor with one thread, no timer
//! and no other task would run. So a task has a *budget*. A receive in a task that finds it spent, and would
//! complete, wakes its own task and returns `Pending`: the task is polled again after the others.
//!
//! **What a receive costs.** One, if it completes: with a message, with a close, or with the end. Several
//! messages at a time cost one each. A close is not free, because a loop may receive a hundred thousand of
//! them from a set of receivers, or the same one again and again. A receive that finds nothing costs nothing
//! and does not give way. Nor does a call that only looks or only waits: `try_recv`, `poll_ready`, `ready`.
//!
//! **Who owns the budget.** It is kept for each thread and not in futures, because a loop makes a new future
//! for each message, and a protocol even a new endpoint. The thread knows the last task by the data pointer
//! of its waker. Another task begins with a full budget of 128: the executor has run in between. If the
//! thread's budget went on from task to task, one task in every 128 messages would give way although each
//! task waits by itself; in a ring of tasks, that separates for good messages that one poll would have passed
//! on together.
//!
//! But another waker does not prove that the executor has run. `FuturesUnordered` gives each of its futures a
//! waker, and so does an executor that runs inside a task. So the thread has a budget as well: 16,381
//! receives of all tasks. When it is spent, the next four receives that would complete return `Pending`.
//! There are four of them because `FuturesUnordered` polls on until two of its futures have woken themselves,
//! and with a `FuturesUnordered` inside another, that takes two times two.
//!
//! - A loop gives way after 128, whichever receivers and futures it uses: they share the task's waker.
//! - In a `select!`, the arms share the waker. An idle receiver spends nothing and fills nothing, because the
//!   same poll may find messages beside it again and again. A sending arm costs one, too.
//! - Futures with wakers of their own give way after 16,381 receives of the thread, and so does a task that
//!   runs an executor, unless the receives inside of that one give way: then the next time.
//! - A task that moves to another thread is another task there, and has a full budget: it was polled anew. If
//!   it comes back and no task has received there meanwhile, it goes on with what it had left.
//! - Tasks whose wakers have the same data pointer share a budget, such as those with `Waker::noop`, or a
//!   task in the memory of one that has ended. They give way sooner, which costs a poll.
//!
//! tokio's channels have a budget of 128 as well, which tokio's executors fill before each poll of a task.
//! Here the executor is not known.

use std::cell::Cell;
use std::ptr;
use std::task::{Context, Poll};

/// The number of receives of a task before it gives way.
const OF_TASK: isize = 128;

/// The number of receives of a thread, in all tasks, before they give way. A prime, so that where a task and
/// an executor inside it receive in turn, it is not always the inner one that gives way.
const OF_THREAD: isize = 16_381;

/// How many receives in a row give way when the thread's budget is spent.
const IN_A_ROW: usize = 4;

/// In a model nothing is counted: its threads share one thread of the system, and would share a budget.
const COUNTS: bool = cfg!(not(pipes_loom));

thread_local! {
    static BUDGET: Budget = const { Budget::new() };
}

struct Budget {
    /// The data pointer of the last task's waker. It is only compared.
    task: Cell<*const ()>,
    /// What that task has left of its budget.
    left: Cell<isize>,
    /// What the thread has left of its budget, not counting what the task has left.
    reserve: Cell<isize>,
    /// How many receives have given way since the thread's budget was spent.
    given_way: Cell<usize>,
}

/// Receives in a task, unless the task has to give way. `would_complete` says whether the receive would
/// complete now.
#[inline]
pub(crate) fn receive<R, T>(
    receiver: &mut R,
    cx: &mut Context<'_>,
    would_complete: impl FnOnce(&mut R) -> bool,
    poll: impl FnOnce(&mut R, &mut Context<'_>) -> Poll<T>,
) -> Poll<T> {
    receive_many(receiver, cx, would_complete, poll, |_| 1)
}

/// Receives in a task, as [`receive`] does; the result costs as much as `cost` says.
#[inline]
pub(crate) fn receive_many<R, T>(
    receiver: &mut R,
    cx: &mut Context<'_>,
    would_complete: impl FnOnce(&mut R) -> bool,
    poll: impl FnOnce(&mut R, &mut Context<'_>) -> Poll<T>,
    cost: impl FnOnce(&T) -> usize,
) -> Poll<T> {
    if !COUNTS {
        return poll(receiver, cx);
    }
    // A thread that is ending may have no budget any more; it does not give way.
    let left = BUDGET.try_with(|budget| budget.left(cx.waker().data())).unwrap_or(OF_TASK);
    if left <= 0 && would_complete(receiver) {
        let _ = BUDGET.try_with(Budget::give_way);
        cx.waker().wake_by_ref();
        return Poll::Pending;
    }
    let polled = poll(receiver, cx);
    if let Poll::Ready(received) = &polled {
        // If a waker that the poll has called or dropped has received as well, that is not counted.
        let _ = BUDGET.try_with(|budget| budget.spend(left, cost(received)));
    }
    polled
}

impl Budget {
    const fn new() -> Self {
        Budget {
            task: Cell::new(ptr::null()),
            left: Cell::new(OF_TASK),
            reserve: Cell::new(OF_THREAD - OF_TASK),
            given_way: Cell::new(0),
        }
    }

    /// Returns what is left to the task with this waker.
    #[inline]
    fn left(&self, task: *const ()) -> isize {
        if self.task.get() != task {
            self.task.set(task);
            self.fill();
        }
        self.left.get()
    }

    /// Subtracts the cost of a receive from `left`, which is what the task had before it.
    #[inline]
    fn spend(&self, left: isize, cost: usize) {
        let after = left.saturating_sub_unsigned(cost);
        self.left.set(after);
        if cost > 1 && after < 0 {
            self.overdraw(after);
        }
    }

    /// Takes from the thread's budget what a receive of many messages has cost beyond the task's, so that
    /// another task does not pay for it.
    #[cold]
    fn overdraw(&self, after: isize) {
        self.left.set(0);
        self.reserve.set((self.reserve.get() + after).max(0));
    }

    /// Fills the task's budget, as far as the thread's budget allows.
    #[inline]
    fn fill(&self) {
        let left = self.left.get();
        let taken = self.reserve.get().min(OF_TASK - left);
        self.left.set(left + taken);
        self.reserve.set(self.reserve.get() - taken);
    }

    #[cold]
    fn give_way(&self) {
        self.fill();
        if self.left.get() <= 0 {
            let given_way = self.given_way.get() + 1;
            self.given_way.set(given_way % IN_A_ROW);
            if given_way == IN_A_ROW {
                self.left.set(OF_TASK);
                self.reserve.set(OF_THREAD - OF_TASK);
            }
        }
    }
}
