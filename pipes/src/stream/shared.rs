//! Streams with many senders.

use super::close_waiters::CloseWaiters;
use super::permits::Permits;
use super::port::Port;
use super::receiver_flavor::ReceiverFlavor;
use super::rendezvous::{RendezvousSender, rendezvous};
use super::shared_wait::{room_of, take_to_send};
use super::sink::Reserved;
use crate::endpoint::{Closing, SendError, SendTimeoutError, TrySendError};
use crate::slot::{SharedSender, shared};
use crate::sync::Arc;
use crate::wait::{Caller, EndInfo, EndList};
use std::fmt;
use std::panic::Location;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

/// Creates an unbounded stream with any number of senders: clone the [`SharedChan`] for each.
///
/// There is one order of all messages, in which the [`Port`] receives them. The messages of one sender come
/// in order, and if a send happens before a send by another sender, its message comes first. Sending never
/// blocks and takes no lock. A sender that is suspended in the middle of a send does not hold up the other
/// senders; the receiver sleeps until that message is there. The stream closes when the last sender is
/// dropped; a sender that panics only closes its own end.
///
/// ```
/// let (chan, port) = pipes::shared_stream();
/// for number in 1..=3 {
///     let chan = chan.clone();
///     std::thread::spawn(move || chan.send(number));
/// }
/// drop(chan);
/// assert_eq!(port.into_iter().sum::<i32>(), 6);
/// ```
#[doc(alias = "mpsc")]
#[doc(alias = "channel")]
pub fn shared_stream<T>() -> (SharedChan<T>, Port<T>) {
    let (sender, receiver) = shared();
    let close_waiters = CloseWaiters::new();
    let port = Port(ReceiverFlavor::shared(receiver, close_waiters.clone()));
    (SharedChan::new(SharedFlavor::Unbounded(sender), close_waiters), port)
}

/// Creates a bounded stream with any number of senders: at most `capacity` values are sent and not yet
/// received, and a sender that finds no room waits. A capacity of more than `usize::MAX / 2` counts as that.
///
/// Waiting senders stand in a queue: room that becomes free goes to the one that has waited longest, and none
/// that comes later overtakes it. Before a thread joins the queue, it looks for room for a moment. A sender
/// that is suspended in the middle of a send, or with a [`Permit`](crate::Permit), keeps its room.
///
/// The order of messages and the close are as in a [`shared_stream()`]. A message costs its sender one atomic
/// step more, and the receiver another. A send that finds no free room takes a lock for a moment, even if it
/// never blocks, and so does a receive while senders wait. No user code runs under the lock.
///
/// The last step of a receive is to wake the sender that gets the room, and a sender that gives room back
/// wakes the next. If the waker of a sending task panics there, a value that was being received is dropped
/// while the panic unwinds; the stream is not affected.
///
/// ```
/// use pipes::TrySendError;
///
/// let (chan, mut port) = pipes::shared_sync_stream(2);
/// chan.send(1)?;
/// chan.send(2)?;
/// assert_eq!(chan.try_send(3), Err(TrySendError::Full(3)));
///
/// let waiting = std::thread::spawn(move || chan.send(3));
/// assert!(port.iter().eq([1, 2, 3]), "the third is sent when there is room");
/// assert!(waiting.join().expect("it does not panic").is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Capacity 0
///
/// A [`send`](SharedChan::send) waits until its value is taken, and a [`try_send`](SharedChan::try_send)
/// sends only to a receiver that waits, as in a [`sync_stream(0)`](crate::sync_stream()). Senders are served
/// in the order in which they came. There is never room to reserve.
#[doc(alias = "mpsc")]
#[doc(alias = "bounded")]
#[doc(alias = "rendezvous")]
#[doc(alias = "semaphore")]
pub fn shared_sync_stream<T>(capacity: usize) -> (SharedChan<T>, Port<T>) {
    let close_waiters = CloseWaiters::new();
    if capacity == 0 {
        let (sender, receiver) = rendezvous();
        let port = Port(ReceiverFlavor::rendezvous(receiver, close_waiters.clone()));
        return (SharedChan::new(SharedFlavor::Rendezvous(sender), close_waiters), port);
    }
    let (sender, receiver) = shared();
    let permits = Arc::new(Permits::new(capacity));
    let port = Port(ReceiverFlavor::limited(receiver, close_waiters.clone(), permits.clone()));
    (SharedChan::new(SharedFlavor::Bounded(sender, permits), close_waiters), port)
}

/// One of the sending ends of a [`shared_stream()`] or a [`shared_sync_stream()`]. Dropping the last one
/// closes the stream; what was sent can still be received.
#[doc(alias = "Sender")]
#[must_use = "dropping the last SharedChan closes it"]
pub struct SharedChan<T> {
    pub(super) flavor: SharedFlavor<T>,
    pub(super) close_waiters: Arc<CloseWaiters>,
    /// The ticket of this sender's entry among the close waiters, if it has one.
    ticket: Option<u64>,
    /// What this sender has reserved as a sink.
    pub(super) reserved: Reserved,
}

/// The sending half of each kind of stream with many senders.
pub(super) enum SharedFlavor<T> {
    Unbounded(SharedSender<T>),
    /// The senders wait for a permit.
    Bounded(SharedSender<T>, Arc<Permits>),
    /// Of capacity 0.
    Rendezvous(RendezvousSender<T>),
}

impl<T> SharedChan<T> {
    pub(super) fn new(flavor: SharedFlavor<T>, close_waiters: Arc<CloseWaiters>) -> Self {
        SharedChan { flavor, close_waiters, ticket: None, reserved: Reserved::Nothing }
    }

    /// Returns the name of the channel.
    pub(crate) fn channel(&self) -> usize {
        match &self.flavor {
            SharedFlavor::Unbounded(sender) | SharedFlavor::Bounded(sender, _) => sender.channel(),
            SharedFlavor::Rendezvous(sender) => sender.shared.channel(),
        }
    }

    /// Returns the sender of a stream that has room, and its permits if it is bounded.
    ///
    /// # Panics
    ///
    /// Panics if the capacity is 0.
    #[track_caller]
    pub(super) fn room(&self) -> (&SharedSender<T>, Option<&Arc<Permits>>) {
        match &self.flavor {
            SharedFlavor::Unbounded(sender) => (sender, None),
            SharedFlavor::Bounded(sender, permits) => (sender, Some(permits)),
            SharedFlavor::Rendezvous(_) => panic!("a stream of capacity 0 never has room to wait for"),
        }
    }

    /// Sends a value, waiting for room if the stream is bounded.
    ///
    /// Blocks the thread if the stream is bounded; in a task, use [`send_async`](SharedChan::send_async)
    /// instead.
    ///
    /// ```
    /// let (chan, port) = pipes::shared_stream();
    /// let other = chan.clone();
    /// std::thread::spawn(move || other.send(1));
    /// std::thread::spawn(move || chan.send(2));
    /// assert_eq!(port.into_iter().sum::<i32>(), 3);
    /// ```
    ///
    /// # Errors
    ///
    /// The port was dropped; the error contains the value. Every later send returns this error again.
    #[inline]
    #[track_caller]
    pub fn send(&self, value: T) -> Result<(), SendError<T>> {
        let sender = match &self.flavor {
            SharedFlavor::Unbounded(sender) => sender,
            SharedFlavor::Bounded(sender, permits) => {
                if !take_to_send(permits) {
                    self.wait_to_send(Location::caller());
                }
                sender
            }
            SharedFlavor::Rendezvous(_) => return self.offer(value, Self::ROOM, Location::caller()),
        };
        sender.send(value).map_err(SendError)
    }

    /// Sends a value if there is room now. Never blocks.
    ///
    /// ```
    /// use pipes::TrySendError;
    ///
    /// let (chan, port) = pipes::shared_sync_stream(1);
    /// assert_eq!(chan.try_send(1), Ok(()));
    /// assert_eq!(chan.try_send(2), Err(TrySendError::Full(2)));
    /// drop(port);
    /// assert_eq!(chan.try_send(3), Err(TrySendError::Closed(3)));
    /// ```
    ///
    /// # Errors
    ///
    /// `Full` if there is no room, or other senders wait for it, in a bounded stream only; `Closed` if the
    /// port was dropped. The error contains the value.
    #[inline]
    pub fn try_send(&self, value: T) -> Result<(), TrySendError<T>> {
        let sender = match &self.flavor {
            SharedFlavor::Unbounded(sender) => sender,
            SharedFlavor::Bounded(sender, permits) => match permits.try_take(1) {
                Some(permit) => {
                    permit.forget();
                    sender
                }
                None if self.is_closed() => return Err(TrySendError::Closed(value)),
                None => return Err(TrySendError::Full(value)),
            },
            SharedFlavor::Rendezvous(sender) => {
                return sender.try_send(value).or(TrySendError::Full, TrySendError::Closed);
            }
        };
        sender.send(value).map_err(TrySendError::Closed)
    }

    /// Sends a value, waiting for room for at most `timeout`.
    ///
    /// Blocks the thread; in a task, use [`reserve_async`](SharedChan::reserve_async) under a timeout
    /// instead.
    ///
    /// A timeout too long for the clock waits forever.
    ///
    /// ```
    /// use pipes::SendTimeoutError;
    /// use std::time::Duration;
    ///
    /// let (chan, _port) = pipes::shared_sync_stream(1);
    /// chan.send(1)?;
    /// let late = chan.send_timeout(2, Duration::from_millis(1));
    /// assert_eq!(late, Err(SendTimeoutError::Timeout(2)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Timeout` if there was no room in time; `Closed` if the port was dropped. The error contains the
    /// value.
    #[track_caller]
    pub fn send_timeout(&self, value: T, timeout: Duration) -> Result<(), SendTimeoutError<T>> {
        self.send_until(value, || Instant::now().checked_add(timeout), Self::ROOM, Location::caller())
    }

    /// Sends a value, waiting for room until the deadline at the latest.
    ///
    /// Blocks the thread; in a task, use [`reserve_async`](SharedChan::reserve_async) under a timeout
    /// instead.
    ///
    /// ```
    /// use std::time::{Duration, Instant};
    ///
    /// let (chan, _port) = pipes::shared_sync_stream(1);
    /// let deadline = Instant::now() + Duration::from_millis(1);
    /// chan.send_deadline(1, deadline)?;
    /// assert!(chan.send_deadline(2, deadline).is_err(), "there is no room");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Timeout` if there was no room in time; `Closed` if the port was dropped. The error contains the
    /// value.
    #[track_caller]
    pub fn send_deadline(&self, value: T, deadline: Instant) -> Result<(), SendTimeoutError<T>> {
        self.send_until(value, || Some(deadline), Self::ROOM, Location::caller())
    }

    pub(super) fn send_until(
        &self,
        value: T,
        deadline: impl FnOnce() -> Option<Instant>,
        end: &'static EndInfo,
        caller: Caller,
    ) -> Result<(), SendTimeoutError<T>> {
        let sender = match &self.flavor {
            SharedFlavor::Unbounded(sender) => sender,
            SharedFlavor::Bounded(sender, permits) => match permits.take(deadline, room_of(sender), caller) {
                Some(permit) => {
                    permit.forget();
                    sender
                }
                None => return Err(SendTimeoutError::Timeout(value)),
            },
            SharedFlavor::Rendezvous(sender) => {
                return sender
                    .send(value, deadline, end, caller)
                    .or(SendTimeoutError::Timeout, SendTimeoutError::Closed);
            }
        };
        sender.send(value).map_err(SendTimeoutError::Closed)
    }

    /// Returns the number of values that can be sent and not yet received; `None` if there is no limit.
    ///
    /// ```
    /// assert_eq!(pipes::shared_sync_stream::<u32>(8).0.capacity(), Some(8));
    /// assert_eq!(pipes::shared_stream::<u32>().0.capacity(), None);
    /// ```
    pub fn capacity(&self) -> Option<usize> {
        match &self.flavor {
            SharedFlavor::Unbounded(_) => None,
            SharedFlavor::Bounded(_, permits) => Some(permits.count),
            SharedFlavor::Rendezvous(_) => Some(0),
        }
    }

    /// Returns `true` if the port was dropped. `true` stays true; `false` may already be stale.
    ///
    /// ```
    /// let (chan, port) = pipes::shared_stream::<u32>();
    /// assert!(!chan.is_closed());
    /// drop(port);
    /// assert!(chan.is_closed());
    /// ```
    pub fn is_closed(&self) -> bool {
        match &self.flavor {
            SharedFlavor::Unbounded(sender) | SharedFlavor::Bounded(sender, _) => sender.receiver_has_left(),
            SharedFlavor::Rendezvous(sender) => sender.receiver_has_left(),
        }
    }

    /// Polls an offer, at capacity 0; see [`RendezvousSender::poll_offer`].
    pub(super) fn poll_offer(&mut self, cx: &mut Context<'_>, value: &mut Option<T>) -> Poll<()> {
        match &mut self.flavor {
            SharedFlavor::Rendezvous(sender) => sender.poll_offer(cx, value),
            SharedFlavor::Unbounded(_) | SharedFlavor::Bounded(..) => Poll::Ready(()),
        }
    }

    /// Takes an offer back, at capacity 0; see [`RendezvousSender::take_back`].
    pub(super) fn take_back(&mut self) -> Option<T> {
        match &mut self.flavor {
            SharedFlavor::Rendezvous(sender) => sender.take_back(),
            SharedFlavor::Unbounded(_) | SharedFlavor::Bounded(..) => None,
        }
    }

    /// Watches for the receiver to leave, with this waker. Returns `true` if it has left.
    fn watch_for_close(&mut self, waker: &Waker) -> bool {
        // A waker is its executor's code: it is cloned before the lock is taken, and dropped after.
        let waker = waker.clone();
        let (_old, gone) = self.close_waiters.enter(&mut self.ticket, waker);
        gone
    }
}

impl<T> Closing for SharedChan<T> {
    #[inline]
    fn is_closed(&self) -> bool {
        SharedChan::is_closed(self)
    }

    fn poll_closed(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.watch_for_close(cx.waker()) { Poll::Ready(()) } else { Poll::Pending }
    }

    fn closing_end(&self, list: &mut EndList) {
        list.add(Self::CLOSE, self.channel());
    }

    fn wait_closed_until(&mut self, deadline: Option<Instant>) -> bool {
        self.wait_closed_as(deadline, Self::CLOSE, Location::caller())
    }
}

crate::__closing! { impl [T] for SharedChan<T> }

impl<T> Clone for SharedChan<T> {
    fn clone(&self) -> Self {
        let flavor = match &self.flavor {
            SharedFlavor::Unbounded(sender) => SharedFlavor::Unbounded(sender.clone()),
            SharedFlavor::Bounded(sender, permits) => SharedFlavor::Bounded(sender.clone(), permits.clone()),
            SharedFlavor::Rendezvous(sender) => SharedFlavor::Rendezvous(sender.clone()),
        };
        SharedChan::new(flavor, self.close_waiters.clone())
    }
}

impl<T> Drop for SharedChan<T> {
    fn drop(&mut self) {
        // It is dropped last: if its destructor panics, the room was given back.
        let _close_waiter = self.ticket.map(|ticket| self.close_waiters.leave(ticket));
        self.release();
    }
}

impl<T> fmt::Debug for SharedChan<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedChan").field("closed", &self.is_closed()).finish()
    }
}
