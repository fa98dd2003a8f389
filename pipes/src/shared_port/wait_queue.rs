//! The queue in which receivers wait.

use crate::sync::{Lock, WakeArc};
use crate::wait::{DeferredWakes, WakerList};
use std::task::{Wake, Waker};

/// The receivers that wait, the longest wait first.
pub(super) struct WaitQueue(Lock<WakerList<WaiterKind>>);

/// How a receiver waits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WaiterKind {
    /// As a receive, which looks when it is woken, or leaves the queue.
    Receive,
    /// As a stream, which may do neither.
    Stream,
}

impl WaitQueue {
    pub(super) fn new() -> Self {
        WaitQueue(Lock::new(WakerList::new()))
    }

    /// Takes receivers out of the front of the queue, up to the first that is certain to look. They are woken
    /// in the order of the queue.
    pub(super) fn wake_first(&self) -> DeferredWakes {
        let mut waiting = self.0.lock();
        let mut called = DeferredWakes::default();
        while let Some((_, waker, kind)) = waiting.pop() {
            called.push(waker);
            if kind == WaiterKind::Receive {
                break;
            }
        }
        called.reversed()
    }

    /// Takes all receivers out of the queue, at the end of the stream, which all of them find. If each woke
    /// the next, it would do so inside its own wake-up, and so the stack would grow with the queue.
    pub(super) fn wake_all(&self) -> DeferredWakes {
        DeferredWakes::of(self.0.lock().take().rev())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.lock().is_empty()
    }

    /// Enters the queue with this waker: in the old place if that is still there, otherwise at the end.
    /// Returns the waker that it replaces.
    pub(super) fn enter(&self, ticket: &mut Option<u64>, waker: Waker, kind: WaiterKind) -> Option<Waker> {
        self.0.lock().enter(ticket, waker, kind)
    }

    /// Leaves the queue. Returns the waker, unless it was taken out before.
    pub(super) fn remove(&self, ticket: u64) -> Option<Waker> {
        self.0.lock().remove(ticket).map(|(waker, _)| waker)
    }
}

impl Wake for WaitQueue {
    fn wake(self: WakeArc<Self>) {
        drop(self.wake_first());
    }
}
