//! Whose future a thread polls. Only with the feature `inspect`.

use super::running::{Id, Runner, TaskId, ThreadOrTask};
use crate::sync::{AtomicUsize, Ordering, WakeArc, this_thread, thread_local};
use std::cell::RefCell;
use std::task::Waker;

thread_local! {
    /// Whose future this thread polls: that of a named task, or that of a `block_on`.
    static POLLED: RefCell<Option<Runner>> = const { RefCell::new(None) };
}

/// Polls a future for a runner.
pub(crate) fn polled_by<R>(runner: Runner, poll: impl FnOnce() -> R) -> R {
    struct Restored(Option<Runner>);
    impl Drop for Restored {
        fn drop(&mut self) {
            let _ending = POLLED.try_with(|polled| polled.replace(self.0.take()));
        }
    }
    let _restored = Restored(POLLED.try_with(|polled| polled.replace(Some(runner))).ok().flatten());
    poll()
}

impl Runner {
    /// Returns a new task with this name.
    pub(crate) fn task(name: WakeArc<str>) -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(1);
        // ORDERING: Relaxed: the numbers only have to differ.
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Runner { id: ThreadOrTask::Task(TaskId(Id::Named(number))), name: Some(name) }
    }

    /// Returns the calling thread.
    pub(crate) fn this_thread() -> Self {
        let thread = this_thread();
        Runner { id: ThreadOrTask::Thread(thread.id()), name: thread.name().map(WakeArc::from) }
    }

    /// Returns whose future is polled here; of a task without a name, that of the waker.
    pub(crate) fn of_poll(waker: &Waker) -> Self {
        let polled = POLLED.try_with(|polled| polled.borrow().clone()).ok().flatten();
        let of_waker = || ThreadOrTask::Task(TaskId(Id::Waker(waker.data().addr())));
        polled.unwrap_or_else(|| Runner { id: of_waker(), name: None })
    }

    /// Returns the task that runs here, or the thread.
    pub(crate) fn current() -> ThreadOrTask {
        let polled = POLLED.try_with(|polled| polled.borrow().as_ref().map(|it| it.id)).ok().flatten();
        polled.unwrap_or_else(|| ThreadOrTask::Thread(this_thread().id()))
    }
}
