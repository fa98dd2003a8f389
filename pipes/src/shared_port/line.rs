//! The line in which receivers wait.

use crate::endpoint::{WakerList, wake_all};
use crate::sync::{Lock, WakeArc};
use std::task::{Wake, Waker};

/// The receivers that wait, the longest wait first.
pub(super) struct Line(Lock<WakerList<WaitsAs>>);

/// A receiver's place in the line, and as what it waits.
#[derive(Clone, Copy)]
pub(super) struct Standing {
    ticket: u64,
    pub(super) waits_as: WaitsAs,
}

/// As what a receiver waits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WaitsAs {
    /// As a receive, which looks when it is called, or leaves the line.
    Receive,
    /// As a stream, of which neither is certain.
    Stream,
}

impl Line {
    pub(super) fn new() -> Self {
        Line(Lock::new(WakerList::new()))
    }

    /// Takes the first ones out of the line, up to one that is certain to look.
    pub(super) fn call(&self) -> Later {
        let mut waiting = self.0.lock();
        let mut called = Later::default();
        while let Some((waker, waits_as)) = waiting.pop() {
            if waits_as == WaitsAs::Receive {
                called.last = Some(waker);
                break;
            }
            called.streams.push(waker);
        }
        called
    }

    /// Takes all out of the line: at the end, which all of them find. One that wakes the next would wake it
    /// inside of its own wake-up, and so on.
    pub(super) fn call_all(&self) -> Later {
        Later { streams: self.0.lock().take().rev().collect(), last: None }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.lock().is_empty()
    }

    /// Stands in the line with this waker: in the old place if that is still there, else at the end. Gives
    /// the waker that it replaces.
    pub(super) fn stand(
        &self,
        standing: &mut Option<Standing>,
        waker: Waker,
        waits_as: WaitsAs,
    ) -> Option<Waker> {
        let mut ticket = standing.map(|standing| standing.ticket);
        let replaced = self.0.lock().enter(&mut ticket, waker, waits_as);
        *standing = ticket.map(|ticket| Standing { ticket, waits_as });
        replaced
    }

    /// Leaves the line. Gives the waker, unless it was called already.
    pub(super) fn leave(&self, standing: Standing) -> Option<Waker> {
        self.0.lock().remove(standing.ticket)
    }
}

impl Wake for Line {
    fn wake(self: WakeArc<Self>) {
        drop(self.call());
    }
}

/// Who is to be woken when the port is unlocked: when this is dropped, also if another waker or a destructor
/// panics meanwhile.
#[derive(Default)]
pub(super) struct Later {
    streams: Vec<Waker>,
    last: Option<Waker>,
}

impl Later {
    pub(super) fn of(waker: Option<Waker>) -> Self {
        Later { streams: Vec::new(), last: waker }
    }
}

impl Drop for Later {
    fn drop(&mut self) {
        wake_all(self.last.take().into_iter().chain(self.streams.drain(..).rev()));
    }
}
