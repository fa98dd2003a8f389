//! Reserving room in a stream with many senders before there is a value, and sending from a task.

use super::permit::{Permit, Room};
use super::permits::{Held, Request};
use super::rendezvous::Offer;
use super::send::sent_unless;
use super::shared::{SharedChan, SharedFlavor};
use super::shared_wait::room_of;
use crate::endpoint::{SendError, SendTimeoutError, TrySendError};
use crate::slot::SharedSender;
use crate::wait::{EndList, Ends, PendingWait};
use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

impl<T> SharedChan<T> {
    /// Reserves room for one value, waiting until there is room. In an unbounded stream there always is.
    ///
    /// Blocks the thread; in a task, use [`reserve_async`](SharedChan::reserve_async) instead.
    ///
    /// With a [`Permit`] a send does not wait. So the value can be made, or taken from elsewhere, when it is
    /// known that it can be sent.
    ///
    /// ```
    /// let (chan, mut port) = pipes::shared_sync_stream(1);
    /// let permit = chan.reserve()?;
    /// assert!(chan.try_send(1).is_err(), "the room is reserved");
    /// permit.send(2)?;
    /// assert_eq!(port.recv(), Ok(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The port was dropped.
    ///
    /// # Panics
    ///
    /// Panics if the capacity is 0.
    #[track_caller]
    pub fn reserve(&self) -> Result<Permit<'_, T>, SendError<()>> {
        let (sender, permits) = self.room();
        let caller = Location::caller();
        let held = permits.and_then(|permits| permits.take(|| None, room_of(sender), caller));
        permit(sender, held).ok_or(SendError(()))
    }

    /// Reserves room for one value if there is room now. Never blocks.
    ///
    /// ```
    /// use pipes::TrySendError;
    ///
    /// let (chan, _port) = pipes::shared_sync_stream(1);
    /// let permit = chan.try_reserve()?;
    /// assert_eq!(chan.try_reserve().map(drop), Err(TrySendError::Full(())));
    /// drop(permit);
    /// assert_eq!(chan.try_send(1), Ok(()), "the room was given back");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Full` if there is no room, or other senders wait for it; `Closed` if the port was dropped.
    ///
    /// # Panics
    ///
    /// Panics if the capacity is 0.
    #[track_caller]
    pub fn try_reserve(&self) -> Result<Permit<'_, T>, TrySendError<()>> {
        let (sender, permits) = self.room();
        let held = match permits {
            None => None,
            Some(permits) => match permits.try_take(1) {
                None if !self.is_closed() => return Err(TrySendError::Full(())),
                held => held,
            },
        };
        permit(sender, held).ok_or(TrySendError::Closed(()))
    }

    /// Reserves room for one value, waiting for at most `timeout`.
    ///
    /// Blocks the thread; in a task, use [`reserve_async`](SharedChan::reserve_async) under a timeout
    /// instead.
    ///
    /// A timeout too long for the clock waits forever.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let (chan, _port) = pipes::shared_sync_stream::<u32>(1);
    /// let _permit = chan.reserve()?;
    /// assert!(chan.reserve_timeout(Duration::from_millis(1)).is_err(), "there is no room");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Timeout` if there was no room in time; `Closed` if the port was dropped.
    ///
    /// # Panics
    ///
    /// Panics if the capacity is 0.
    #[track_caller]
    pub fn reserve_timeout(&self, timeout: Duration) -> Result<Permit<'_, T>, SendTimeoutError<()>> {
        self.reserve_until(|| Instant::now().checked_add(timeout))
    }

    /// Reserves room for one value, waiting until the deadline at the latest.
    ///
    /// Blocks the thread; in a task, use [`reserve_async`](SharedChan::reserve_async) under a timeout
    /// instead.
    ///
    /// ```
    /// use std::time::{Duration, Instant};
    ///
    /// let (chan, _port) = pipes::shared_sync_stream(1);
    /// let deadline = Instant::now() + Duration::from_millis(1);
    /// chan.reserve_deadline(deadline)?.send(1)?;
    /// assert!(chan.reserve_deadline(deadline).is_err(), "there is no room");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Timeout` if there was no room in time; `Closed` if the port was dropped.
    ///
    /// # Panics
    ///
    /// Panics if the capacity is 0.
    #[track_caller]
    pub fn reserve_deadline(&self, deadline: Instant) -> Result<Permit<'_, T>, SendTimeoutError<()>> {
        self.reserve_until(|| Some(deadline))
    }

    #[track_caller]
    fn reserve_until(
        &self,
        deadline: impl FnOnce() -> Option<Instant>,
    ) -> Result<Permit<'_, T>, SendTimeoutError<()>> {
        let (sender, permits) = self.room();
        let held = match permits {
            None => None,
            Some(permits) => Some(
                permits
                    .take(deadline, room_of(sender), Location::caller())
                    .ok_or(SendTimeoutError::Timeout(()))?,
            ),
        };
        permit(sender, held).ok_or(SendTimeoutError::Closed(()))
    }

    /// Reserves room for one value, in a task.
    ///
    /// ```
    /// # futures::executor::block_on(async {
    /// let (chan, mut port) = pipes::shared_sync_stream(1);
    /// let permit = chan.reserve_async().await?;
    /// permit.send("nothing is lost if the await is cancelled")?;
    /// assert!(port.recv_async().await.is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Cancel safety
    ///
    /// Cancel-safe: a future that is dropped loses its place in the queue, and the room that it was granted
    /// goes to the next sender. A future that was polled and is neither polled again nor dropped keeps its
    /// place, and the room when it is granted.
    ///
    /// # Errors
    ///
    /// The port was dropped.
    ///
    /// # Panics
    ///
    /// Panics if the capacity is 0.
    #[track_caller]
    pub fn reserve_async(&self) -> ReserveFuture<'_, T> {
        let (sender, request) = self.request();
        ReserveFuture { sender, request, wait: PendingWait::new() }
    }

    /// Sends a value, in a task, when there is room.
    ///
    /// ```
    /// # futures::executor::block_on(async {
    /// let (chan, mut port) = pipes::shared_sync_stream(1);
    /// chan.send_async("hello").await?;
    /// assert_eq!(port.recv_async().await?, "hello");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Cancel safety
    ///
    /// Dropping the future before it completes sends nothing and drops the value; see
    /// [`SharedSendFuture::into_inner`]. To keep the value, reserve room first;
    /// [`reserve_async`](SharedChan::reserve_async) also says what a future keeps that is neither polled nor
    /// dropped. At capacity 0, a receiver that has already seen the value still takes it.
    #[track_caller]
    pub fn send_async(&self, value: T) -> SharedSendFuture<'_, T> {
        self.send_seen_as(value, PendingWait::new())
    }

    /// Sends in a task. To others, this is the wait.
    pub(super) fn send_seen_as(&self, value: T, wait: PendingWait) -> SharedSendFuture<'_, T> {
        let sending = match &self.flavor {
            SharedFlavor::Rendezvous(sender) => Sending::Meeting(Offer::new(sender, value)),
            SharedFlavor::Unbounded(_) | SharedFlavor::Bounded(..) => {
                let (sender, request) = self.request();
                Sending::Queueing { sender, request, value: Some(value) }
            }
        };
        SharedSendFuture(sending, wait)
    }

    /// Returns the sender, and a request for a permit if the stream is bounded.
    #[track_caller]
    pub(super) fn request(&self) -> (&SharedSender<T>, Option<Request<'_>>) {
        let (sender, permits) = self.room();
        (sender, permits.map(|permits| Request::new(permits, 1)))
    }
}

/// Returns the permit, unless the port was dropped.
fn permit<'a, T>(sender: &'a SharedSender<T>, held: Option<Held<'a>>) -> Option<Permit<'a, T>> {
    (!sender.receiver_has_left()).then_some(Permit(Room::OfOne(sender, held)))
}

/// A reservation in a task; see [`SharedChan::reserve_async`].
#[must_use = "futures do nothing unless they are awaited"]
pub struct ReserveFuture<'a, T> {
    sender: &'a SharedSender<T>,
    /// `None` in an unbounded stream.
    request: Option<Request<'a>>,
    wait: PendingWait,
}

impl<'a, T> Future for ReserveFuture<'a, T> {
    /// Polled again after completion, it reserves again.
    type Output = Result<Permit<'a, T>, SendError<()>>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let ReserveFuture { sender, request, wait } = &mut *self;
        let held = match request {
            None => None,
            Some(request) => {
                Some(ready!(wait.poll(cx, request, |_, list| room_of(sender).list(list), Request::poll)))
            }
        };
        Poll::Ready(permit(sender, held).ok_or(SendError(())))
    }
}

impl<T> fmt::Debug for ReserveFuture<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReserveFuture").field("closed", &self.sender.receiver_has_left()).finish()
    }
}

/// A send in a task; see [`SharedChan::send_async`].
///
/// Dropped before it completes, it sends nothing and drops the value.
#[must_use = "futures do nothing unless they are awaited"]
pub struct SharedSendFuture<'a, T>(Sending<'a, T>, PendingWait);

enum Sending<'a, T> {
    Queueing {
        sender: &'a SharedSender<T>,
        /// `None` in an unbounded stream.
        request: Option<Request<'a>>,
        /// The value, until it is sent.
        value: Option<T>,
    },
    /// At capacity 0.
    Meeting(Offer<'a, T>),
}

impl<T> Sending<'_, T> {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), SendError<T>>> {
        match self {
            Sending::Queueing { value: None, .. } => Poll::Ready(Ok(())),
            Sending::Queueing { sender, request, value } => {
                if let Some(request) = request {
                    ready!(request.poll(cx)).forget();
                }
                let Some(value) = value.take() else { return Poll::Ready(Ok(())) };
                Poll::Ready(sender.send(value).map_err(SendError))
            }
            Sending::Meeting(offer) => offer.poll(cx).map(|()| sent_unless(offer.take_back())),
        }
    }

    /// Says what the send waits for.
    fn room_end(&self, list: &mut EndList) {
        let channel = match self {
            Sending::Queueing { sender, .. } => sender.channel(),
            Sending::Meeting(offer) => offer.channel(),
        };
        list.add(SharedChan::<T>::ROOM, channel);
    }
}

impl<T> SharedSendFuture<'_, T> {
    /// Returns the value, unless it was sent.
    ///
    /// ```
    /// let (chan, _port) = pipes::shared_sync_stream(1);
    /// chan.send(1)?;
    /// let sending = chan.send_async(2);
    /// assert_eq!(sending.into_inner(), Some(2), "it was not sent");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_inner(mut self) -> Option<T> {
        let value = self.take_back();
        // If a waker's destructor panics at this point, the value is dropped. A value that was returned
        // already would leak.
        drop(self);
        value
    }

    /// Ends the send, and returns the value if it is not sent.
    pub(super) fn take_back(&mut self) -> Option<T> {
        match &mut self.0 {
            Sending::Queueing { value, .. } => value.take(),
            Sending::Meeting(offer) => offer.take_back(),
        }
    }
}

// The value is moved out when it is sent; it is never pinned.
impl<T> Unpin for SharedSendFuture<'_, T> {}

impl<T> Future for SharedSendFuture<'_, T> {
    /// Polled again after completion, it returns `Ok`.
    type Output = Result<(), SendError<T>>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let SharedSendFuture(sending, wait) = &mut *self;
        wait.poll(cx, sending, Sending::room_end, Sending::poll)
    }
}

impl<T> fmt::Debug for SharedSendFuture<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_done = match &self.0 {
            Sending::Queueing { value, .. } => value.is_none(),
            Sending::Meeting(offer) => offer.is_over(),
        };
        f.debug_struct("SharedSendFuture").field("done", &is_done).finish()
    }
}
