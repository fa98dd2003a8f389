//! Requests for room, with which chans are in selections.

use super::chan::{BroadcastChan, LaggingChan};
use super::send::awaited;
use crate::endpoint::{Readiness, SendArm, SendError, SendRequest};
use crate::slot::{BroadcastRing, Claimed, Locked};
use crate::wait::{EndList, Ends, wait_until};
use std::cell::Cell;
use std::fmt;
use std::panic::Location;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

/// A sender that waits for room; see [`BroadcastChan::request_room`]. Another one could take room that was
/// only seen, so a look takes a place in the line, and the room is that of the first.
///
/// Receivers come and go. So a later look may say something else than [`Readiness`] promises: that the
/// request is not closed after all, or, if it was ready because there was no receiver, that it would block.
/// What the last look has found counts for a send.
#[must_use = "dropping a request gives the room back"]
pub struct BroadcastRequest<'a, T> {
    room: Room<'a, T>,
    /// The last look has found room, or no receiver.
    found_ready: Cell<bool>,
}

enum Room<'a, T> {
    /// With the ticket of its entry in the line of senders, if it has one.
    InLine(&'a BroadcastRing<Claimed<T>>, Cell<Option<u64>>),
    /// The senders do not wait.
    Always(&'a BroadcastRing<Locked<T>>),
}

impl<'a, T> BroadcastRequest<'a, T> {
    fn new(room: Room<'a, T>) -> Self {
        BroadcastRequest { room, found_ready: Cell::new(false) }
    }

    /// Enters the line, or looks whether it is the first and there is room.
    fn look(&self, waker: Option<&Waker>) -> bool {
        let Room::InLine(ring, place) = &self.room else { return true };
        let mut ticket = place.get();
        // A waker is its executor's code: it is cloned before the lock is taken.
        let is_ready = ring.request(&mut ticket, waker.cloned());
        place.set(ticket);
        self.found_ready.set(is_ready);
        is_ready
    }
}

impl<T> BroadcastChan<T> {
    /// Returns a request for room for one value, to be waited for beside others in a
    /// [`Select`](crate::Select).
    ///
    /// A request that was looked at or is waited for has its place in the line of senders, and those behind
    /// it wait until it sends or is dropped: drop a request that need not wait any longer.
    ///
    /// It is also ready when there is no receiver. If another one comes before it sends, the value is sent if
    /// there is room, and comes back otherwise: a send does not block after the request was found ready.
    ///
    /// ```
    /// use pipes::{Readiness, SendRequest};
    ///
    /// let (chan, mut port) = pipes::broadcast(1);
    /// chan.send(1)?;
    /// let mut request = chan.request_room();
    /// assert!(!request.is_ready());
    ///
    /// assert_eq!(port.recv(), Ok(1));
    /// assert!(request.is_ready());
    /// assert!(chan.try_send(3).is_err(), "the room is that of the request");
    /// request.send(2)?;
    /// assert_eq!(port.recv(), Ok(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn request_room(&self) -> BroadcastRequest<'_, T> {
        BroadcastRequest::new(Room::InLine(self.ring(), Cell::new(None)))
    }
}

impl<T> SendArm for BroadcastChan<T> {
    type Request<'a>
        = BroadcastRequest<'a, T>
    where
        T: 'a;

    fn request_room(&mut self) -> BroadcastRequest<'_, T> {
        BroadcastChan::request_room(self)
    }
}

impl<T> SendArm for LaggingChan<T> {
    type Request<'a>
        = BroadcastRequest<'a, T>
    where
        T: 'a;

    fn request_room(&mut self) -> BroadcastRequest<'_, T> {
        BroadcastRequest::new(Room::Always(self.ring()))
    }
}

#[diagnostic::do_not_recommend]
impl<T> Readiness for BroadcastRequest<'_, T> {
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.look(Some(cx.waker())) { Poll::Ready(()) } else { Poll::Pending }
    }

    fn wait(&mut self, deadline: Option<Instant>) -> bool {
        let mut list = EndList::default();
        self.ends(&mut list);
        wait_until(Location::caller(), &list, || deadline, |cx| self.poll_ready(cx)).is_some()
    }

    fn is_ready(&self) -> bool {
        self.look(None)
    }

    fn is_closed(&self) -> bool {
        match &self.room {
            Room::InLine(ring, _) => ring.has_no_receiver(),
            Room::Always(ring) => ring.has_no_receiver(),
        }
    }

    fn ends(&self, list: &mut EndList) {
        if let Room::InLine(ring, _) = &self.room {
            awaited(ring).list(list);
        }
    }
}

impl<T> SendRequest for BroadcastRequest<'_, T> {
    type Payload = T;

    fn send(&mut self, payload: T) -> Result<(), SendError<T>> {
        // One that was found ready does not look again: after that, a send does not block.
        if !self.found_ready.get() && !self.is_ready() {
            self.wait(None);
        }
        self.found_ready.set(false);
        // There is room, unless the request was ready because there was no receiver, and another one has come
        // since: then the value comes back all the same.
        match &mut self.room {
            Room::InLine(ring, ticket) => {
                let sent = ring.send(payload, ticket.get_mut());
                // One that has not sent leaves the line as well.
                ring.give_up(ticket.take());
                sent
            }
            Room::Always(ring) => ring.send(payload, &mut None),
        }
        .or(SendError, SendError)
    }
}

impl<T> Drop for BroadcastRequest<'_, T> {
    fn drop(&mut self) {
        if let Room::InLine(ring, ticket) = &self.room {
            ring.give_up(ticket.take());
        }
    }
}

impl<T> fmt::Debug for BroadcastRequest<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BroadcastRequest")
    }
}
