//! The line in which receivers wait.

use crate::sync::{Lock, WakeArc};
use crate::wait::{Later, WakerList};
use std::task::{Wake, Waker};

/// The receivers that wait, the longest wait first.
pub(super) struct Line(Lock<WakerList<WaitsAs>>);

/// How a receiver waits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WaitsAs {
    /// As a receive, which looks when it is woken, or leaves the line.
    Receive,
    /// As a stream, which may do neither.
    Stream,
}

impl Line {
    pub(super) fn new() -> Self {
        Line(Lock::new(WakerList::new()))
    }

    /// Takes receivers out of the front of the line, up to the first that is certain to look. They are woken
    /// in the order of the line.
    pub(super) fn call(&self) -> Later {
        let mut waiting = self.0.lock();
        let mut called = Later::default();
        while let Some((_, waker, waits_as)) = waiting.pop() {
            called.push(waker);
            if waits_as == WaitsAs::Receive {
                break;
            }
        }
        called.reversed()
    }

    /// Takes all receivers out of the line, at the end of the stream, which all of them find. (If each woke
    /// the next, it would do so inside its own wake-up, and so the stack would grow with the line.)
    pub(super) fn call_all(&self) -> Later {
        Later::of(self.0.lock().take().rev())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.lock().is_empty()
    }

    /// Enters the line with this waker: in the old place if that is still there, otherwise at the end.
    /// Returns the waker that it replaces.
    pub(super) fn stand(&self, ticket: &mut Option<u64>, waker: Waker, waits_as: WaitsAs) -> Option<Waker> {
        self.0.lock().enter(ticket, waker, waits_as)
    }

    /// Returns `true` if the receiver waits and was not woken.
    pub(super) fn contains(&self, ticket: u64) -> bool {
        self.0.lock().contains(ticket)
    }

    /// Leaves the line. Returns the waker, unless it was taken out before.
    pub(super) fn leave(&self, ticket: u64) -> Option<Waker> {
        self.0.lock().remove(ticket).map(|(waker, _)| waker)
    }
}

impl Wake for Line {
    fn wake(self: WakeArc<Self>) {
        drop(self.call());
    }
}
