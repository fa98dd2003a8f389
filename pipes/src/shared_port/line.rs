//! The line in which receivers wait.

use crate::endpoint::wake_all;
use crate::sync::{Lock, WakeArc};
use std::collections::VecDeque;
use std::task::{Wake, Waker};

/// The receivers that wait, the longest wait first.
pub(super) struct Line(Lock<Waiting>);

#[derive(Default)]
struct Waiting {
    places: VecDeque<Standing>,
    next: u64,
}

/// A receiver's place in the line.
struct Standing {
    ticket: u64,
    waker: Waker,
    /// As what it waits.
    role: Role,
}

/// As what a receiver waits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// As a receive, which looks when it is called, or leaves the line.
    Receive,
    /// As a stream, of which neither is certain.
    Stream,
}

impl Line {
    pub(super) fn new() -> Self {
        Line(Lock::new(Waiting::default()))
    }

    /// Takes the first ones out of the line, up to one that is certain to look.
    pub(super) fn call(&self) -> Later {
        let mut waiting = self.0.lock();
        let mut called = Later::default();
        while let Some(Standing { waker, role, .. }) = waiting.places.pop_front() {
            if role == Role::Receive {
                called.last = Some(waker);
                break;
            }
            called.streams.push(waker);
        }
        called
    }

    /// Takes all out of the line: at the end, which all of them find. One that wakes the next would wake it inside of its own wake-up,
    /// and so on.
    pub(super) fn call_all(&self) -> Later {
        let places = std::mem::take(&mut self.0.lock().places);
        Later { streams: places.into_iter().rev().map(|place| place.waker).collect(), last: None }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.lock().places.is_empty()
    }

    /// Stands in the line with this waker, at the place of the ticket if it is still there. Gives the waker that stood there.
    pub(super) fn stand(&self, ticket: &mut Option<(u64, Role)>, waker: Waker, role: Role) -> Option<Waker> {
        let mut waiting = self.0.lock();
        if let Some((number, known)) = ticket
            && let Some(place) = waiting.places.iter_mut().find(|place| place.ticket == *number)
        {
            (place.role, *known) = (role, role);
            return Some(std::mem::replace(&mut place.waker, waker));
        }
        let number = waiting.next;
        waiting.next += 1;
        waiting.places.push_back(Standing { ticket: number, waker, role });
        *ticket = Some((number, role));
        None
    }

    /// Leaves the line. Gives the waker, unless it was called already.
    pub(super) fn leave(&self, ticket: u64) -> Option<Waker> {
        let mut waiting = self.0.lock();
        let place = waiting.places.iter().position(|place| place.ticket == ticket)?;
        waiting.places.remove(place).map(|place| place.waker)
    }
}

impl Wake for Line {
    fn wake(self: WakeArc<Self>) {
        drop(self.call());
    }
}

/// Who is to be woken when the port is unlocked: when this is dropped, also if another waker or a destructor panics meanwhile.
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
