//! Threads and tasks, and futures that wait, as data.

use super::ends::{Caller, EndList};
use crate::sync::{ThreadId, WakeArc};
use std::fmt;
use std::time::Instant;

/// A thread, or a task of an executor.
///
/// Printed, it is `ThreadId(3)` or `task 5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ThreadOrTask {
    /// A thread.
    Thread(ThreadId),
    /// A task. Only the feature `inspect` knows tasks.
    Task(TaskId),
}

/// A task: one with a name, or one that is known by its waker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TaskId(pub(super) Id);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(not(feature = "inspect"), expect(dead_code, reason = "without the feature there are no tasks"))]
pub(super) enum Id {
    Named(usize),
    /// The address that its wakers have in common.
    Waker(usize),
}

/// A thread or a task, with its name.
#[derive(Clone, Debug)]
pub(crate) struct Runner {
    pub(crate) id: ThreadOrTask,
    pub(crate) name: Option<WakeArc<str>>,
}

/// A future that waits, as others see it.
pub(crate) struct SeenPending {
    pub(crate) by: Runner,
    pub(crate) caller: Caller,
    pub(crate) since: Instant,
    pub(crate) ends: EndList,
    /// When its waker was called, if it was not polled since.
    pub(crate) woken: Option<Instant>,
}

impl fmt::Display for ThreadOrTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ThreadOrTask::Thread(id) => write!(f, "{id:?}"),
            ThreadOrTask::Task(TaskId(Id::Named(number))) => write!(f, "task {number}"),
            ThreadOrTask::Task(TaskId(Id::Waker(address))) => write!(f, "task {address:#x}"),
        }
    }
}
