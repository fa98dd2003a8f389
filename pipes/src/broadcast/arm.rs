//! Chans in the sending arms of `select!`.

use super::chan::{BroadcastChan, LaggingChan};
use super::ring::Ring;
use crate::endpoint::{Readiness, SendArm, SendError, SendRequest};
use crate::wait::wait_until;
use std::cell::Cell;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

/// A sender that waits for room. Another one could take room that was only seen, so a look takes a place in
/// the line, and the room is that of the first.
#[expect(missing_debug_implementations, reason = "only generated code has it")]
pub struct BroadcastRequest<'a, T> {
    ring: &'a Ring<T>,
    /// The ticket of its entry in the line of senders, if it has one.
    ticket: Cell<Option<u64>>,
}

impl<'a, T> BroadcastRequest<'a, T> {
    fn new(ring: &'a Ring<T>) -> Self {
        BroadcastRequest { ring, ticket: Cell::new(None) }
    }

    /// Enters the line, or looks whether it is the first and there is room.
    fn look(&self, waker: Option<Waker>) -> bool {
        let mut ticket = self.ticket.get();
        let has_room = self.ring.request(&mut ticket, waker);
        self.ticket.set(ticket);
        has_room
    }
}

impl<T> SendArm for BroadcastChan<T> {
    type Request<'a>
        = BroadcastRequest<'a, T>
    where
        T: 'a;

    fn request_room(&mut self) -> BroadcastRequest<'_, T> {
        BroadcastRequest::new(self.ring())
    }
}

impl<T> SendArm for LaggingChan<T> {
    type Request<'a>
        = BroadcastRequest<'a, T>
    where
        T: 'a;

    fn request_room(&mut self) -> BroadcastRequest<'_, T> {
        BroadcastRequest::new(self.ring())
    }
}

#[diagnostic::do_not_recommend]
impl<T> Readiness for BroadcastRequest<'_, T> {
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        // A waker is its executor's code: it is cloned before the lock is taken.
        if self.look(Some(cx.waker().clone())) { Poll::Ready(()) } else { Poll::Pending }
    }

    fn wait(&mut self, deadline: Option<Instant>) -> bool {
        wait_until(|| deadline, |cx| self.poll_ready(cx)).is_some()
    }

    fn is_ready(&self) -> bool {
        self.look(None)
    }

    fn is_closed(&self) -> bool {
        self.ring.has_no_receiver()
    }
}

impl<T> SendRequest for BroadcastRequest<'_, T> {
    type Payload = T;

    fn send(&mut self, payload: T) -> Result<(), SendError<T>> {
        // There is room, unless the request was ready because there was no receiver, and another one has come
        // since: then the value comes back all the same.
        let mut ticket = self.ticket.take();
        let sent = self.ring.send(payload, &mut ticket, None);
        self.ticket.set(ticket);
        sent.map_err(|error| SendError(error.into_payload()))
    }
}

impl<T> Drop for BroadcastRequest<'_, T> {
    fn drop(&mut self) {
        self.ring.give_up(self.ticket.take());
    }
}
