//! Requests for room, with which chans are in selections.

use super::chan::{Chan, SenderFlavor};
use super::permit::{self, Permit};
use super::permits::{Held, Request};
use super::shared::SharedChan;
use super::shared_wait::room_of;
use crate::endpoint::{Readiness, SendArm, SendError, SendRequest};
use crate::slot::{BoundedSender, SharedSender};
use crate::wait::{EndList, Ends, Waitable, wait_until};
use std::cell::RefCell;
use std::fmt;
use std::mem::replace;
use std::panic::Location;
use std::task::{Context, Poll, ready};
use std::time::Instant;

/// A chan that waits for room; see [`Chan::request_room`]. It is the only sender, so room that it has seen
/// stays, and need not be reserved.
#[must_use = "dropping a request gives the room back"]
pub struct ChanRequest<'a, T>(pub(super) &'a mut Chan<T>);

impl<T> Chan<T> {
    /// Returns a request for room for one value, to be waited for beside others in a
    /// [`Select`](crate::Select). An unbounded stream always has room.
    ///
    /// ```
    /// use pipes::{Readiness, SendRequest};
    ///
    /// let (mut chan, mut port) = pipes::sync_stream(1);
    /// chan.send(1)?;
    /// let mut request = chan.request_room();
    /// assert!(!request.is_ready());
    ///
    /// assert_eq!(port.recv(), Ok(1));
    /// assert!(request.is_ready());
    /// request.send(2)?;
    /// assert_eq!(port.recv(), Ok(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the capacity is 0: a sender has room there only while it offers its value.
    #[track_caller]
    pub fn request_room(&mut self) -> ChanRequest<'_, T> {
        assert!(!self.is_rendezvous(), "a stream of capacity 0 never has room to wait for");
        ChanRequest(self)
    }
}

impl<T> SendArm for Chan<T> {
    type Request<'a>
        = ChanRequest<'a, T>
    where
        T: 'a;

    #[track_caller]
    fn request_room(&mut self) -> ChanRequest<'_, T> {
        Chan::request_room(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T> Readiness for ChanRequest<'_, T> {
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        match &mut self.0.0 {
            SenderFlavor::Unbounded(_) | SenderFlavor::Rendezvous(_) => Poll::Ready(()),
            SenderFlavor::Bounded(sender, _) => sender.waiting().poll(cx),
        }
    }

    fn wait(&mut self, deadline: Option<Instant>) -> bool {
        match &mut self.0.0 {
            SenderFlavor::Unbounded(_) | SenderFlavor::Rendezvous(_) => true,
            SenderFlavor::Bounded(sender, _) => {
                sender.waiting().block(deadline, BoundedSender::<T>::ROOM, Location::caller())
            }
        }
    }

    fn is_ready(&self) -> bool {
        match &self.0.0 {
            SenderFlavor::Unbounded(_) | SenderFlavor::Rendezvous(_) => true,
            SenderFlavor::Bounded(sender, _) => sender.has_room(),
        }
    }

    fn is_closed(&self) -> bool {
        self.0.is_closed()
    }

    fn would_block(&self) -> bool {
        // There is room, too, when the port has left.
        !self.is_ready()
    }

    fn ends(&self, list: &mut EndList) {
        if let SenderFlavor::Bounded(sender, _) = &self.0.0 {
            list.add(BoundedSender::<T>::ROOM, sender.channel());
        }
    }
}

impl<T> SendRequest for ChanRequest<'_, T> {
    type Payload = T;

    fn send(&mut self, payload: T) -> Result<(), SendError<T>> {
        self.0.send(payload)
    }
}

impl<T> fmt::Debug for ChanRequest<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ChanRequest")
    }
}

/// One of several senders that waits for room; see [`SharedChan::request_room`]. Another one could take room
/// that was only seen, so a look takes a permit, and a wait takes a place in the queue; what it has is its
/// own, whatever the chan has reserved as a sink.
#[must_use = "dropping a request gives the room back"]
pub struct SharedRequest<'a, T> {
    sender: &'a SharedSender<T>,
    room: RefCell<Room<'a>>,
}

struct Room<'a> {
    /// `None` in an unbounded stream.
    request: Option<Request<'a>>,
    /// The permit, if there is one; `None` in an unbounded stream.
    held: Option<Held<'a>>,
    /// `true` once it has looked for a permit under the lock of the queue.
    has_looked: bool,
}

impl<'a> Room<'a> {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.held.is_none()
            && let Some(request) = &mut self.request
        {
            self.held = Some(ready!(request.poll(cx)));
        }
        Poll::Ready(())
    }

    /// Takes a permit if there is one. Returns `true` if there is room.
    fn look(&mut self) -> bool {
        let Some(request) = &mut self.request else { return true };
        // A thread that spins looks again and again. Only the first of these looks may need the lock.
        if self.held.is_none() && (!replace(&mut self.has_looked, true) || request.seems_granted()) {
            self.held = request.try_take();
        }
        self.held.is_some()
    }
}

impl<T> SharedChan<T> {
    /// Returns a request for room for one value, to be waited for beside others in a
    /// [`Select`](crate::Select). An unbounded stream always has room.
    ///
    /// A request that is waited for is in the queue of senders. Room that it was granted is kept for it until
    /// it sends or is dropped, even if the selection has chosen another one: drop a request that need not
    /// wait any longer. What the chan has reserved as a `Sink` is not used, and is kept.
    ///
    /// ```
    /// use pipes::{Readiness, SendRequest};
    ///
    /// let (chan, mut port) = pipes::shared_sync_stream(1);
    /// let mut request = chan.request_room();
    /// assert!(request.is_ready());
    /// assert!(chan.try_send(1).is_err(), "the room is reserved");
    /// request.send(2)?;
    /// assert_eq!(port.recv(), Ok(2));
    ///
    /// assert!(request.is_ready());
    /// drop(request);
    /// assert!(chan.try_send(3).is_ok(), "the room was given back");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the capacity is 0: a sender has room there only while it offers its value.
    #[track_caller]
    pub fn request_room(&self) -> SharedRequest<'_, T> {
        let (sender, request) = self.request();
        SharedRequest { sender, room: RefCell::new(Room { request, held: None, has_looked: false }) }
    }
}

impl<T> SendArm for SharedChan<T> {
    type Request<'a>
        = SharedRequest<'a, T>
    where
        T: 'a;

    #[track_caller]
    fn request_room(&mut self) -> SharedRequest<'_, T> {
        SharedChan::request_room(self)
    }
}

impl<'c, T> SendArm for &'c SharedChan<T> {
    type Request<'a>
        = SharedRequest<'c, T>
    where
        Self: 'a;

    #[track_caller]
    fn request_room(&mut self) -> SharedRequest<'c, T> {
        SharedChan::request_room(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T> Readiness for SharedRequest<'_, T> {
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.room.get_mut().poll(cx)
    }

    fn wait(&mut self, deadline: Option<Instant>) -> bool {
        // Room that was granted when the deadline passed is its own.
        let room = room_of(self.sender);
        wait_until(Location::caller(), &room, || deadline, |cx| self.poll_ready(cx)).is_some()
            || self.is_ready()
    }

    fn is_ready(&self) -> bool {
        self.room.borrow_mut().look()
    }

    fn is_closed(&self) -> bool {
        self.sender.receiver_has_left()
    }

    fn ends(&self, list: &mut EndList) {
        room_of(self.sender).list(list);
    }
}

impl<T> SendRequest for SharedRequest<'_, T> {
    type Payload = T;

    fn send(&mut self, payload: T) -> Result<(), SendError<T>> {
        if !self.is_ready() {
            self.wait(None);
        }
        let room = self.room.get_mut();
        room.has_looked = false;
        Permit(permit::Room::OfOne(self.sender, room.held.take())).send(payload)
    }
}

impl<T> fmt::Debug for SharedRequest<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedRequest")
    }
}
