//! The sending end of a stream with one sender.

use super::send::SendFuture;
use super::shared::SharedChan;
use super::sink::with_value;
use crate::endpoint::{Closing, SendError, SendTimeoutError, TrySendError};
use crate::slot::{BoundedSender, Sender};
use crate::wait::{Awaited, Caller, EndInfo, EndList, Waitable};
use futures_sink::Sink;
use std::fmt;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

/// The sending end of a [`stream()`](crate::stream()) or a [`sync_stream()`](crate::sync_stream()). Dropping
/// it closes the stream; what was sent can still be received.
///
/// A chan is a [`Sink`], which is ready when there is room, fails when the port was dropped, and sends each
/// value at once; for one that collects values, see [`into_batch_sink`](Chan::into_batch_sink).
#[doc(alias = "Sender")]
#[must_use = "dropping a Chan closes it"]
pub struct Chan<T>(pub(super) SenderFlavor<T>);

/// The sending half behind a chan.
pub(super) enum SenderFlavor<T> {
    /// Of a stream in which there is always room.
    Unbounded(Sender<T>),
    /// Of a stream in which the sender waits for room, and its capacity.
    Bounded(BoundedSender<T>, usize),
    /// Of capacity 0.
    Rendezvous(Box<SharedChan<T>>),
}

impl<T> Chan<T> {
    /// Describes a chan that waits for its port to leave.
    const CLOSE: &'static EndInfo = &EndInfo::sender::<T>("Chan", Awaited::Close);

    pub(super) fn unbounded(sender: Sender<T>) -> Self {
        Chan(SenderFlavor::Unbounded(sender))
    }

    pub(super) fn bounded(sender: BoundedSender<T>, capacity: usize) -> Self {
        Chan(SenderFlavor::Bounded(sender, capacity))
    }

    pub(super) fn rendezvous(sender: SharedChan<T>) -> Self {
        Chan(SenderFlavor::Rendezvous(Box::new(sender)))
    }

    /// Sends a value, waiting for room if the stream is bounded.
    ///
    /// Blocks the thread if the stream is bounded; in a task, use [`send_async`](Chan::send_async) instead.
    ///
    /// ```
    /// let (mut chan, mut port) = pipes::stream();
    /// chan.send("one")?;
    /// chan.send("two")?;
    /// assert_eq!(port.recv()?, "one");
    ///
    /// drop(port);
    /// assert_eq!(
    ///     chan.send("three").expect_err("the port has gone").into_payload(),
    ///     "three"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The port was dropped; the error contains the value. Every later send returns this error again.
    #[inline]
    #[track_caller]
    pub fn send(&mut self, value: T) -> Result<(), SendError<T>> {
        match &mut self.0 {
            SenderFlavor::Unbounded(sender) => sender.send(value).map_err(SendError),
            flavor => send_waiting(flavor, value, Location::caller()),
        }
    }

    /// Sends a value if there is room now. Never blocks.
    ///
    /// With capacity 0 there is room while the receiver waits. A receiver whose wait has ended for another
    /// reason, such as a timeout or another receiver of a `select!`, may still be registered; then the value
    /// is sent, and is dropped if the receiver is dropped without receiving it.
    ///
    /// ```
    /// use pipes::TrySendError;
    ///
    /// let (mut chan, port) = pipes::sync_stream(1);
    /// assert_eq!(chan.try_send(1), Ok(()));
    /// assert_eq!(chan.try_send(2), Err(TrySendError::Full(2)));
    /// drop(port);
    /// assert_eq!(chan.try_send(3), Err(TrySendError::Closed(3)));
    /// ```
    ///
    /// # Errors
    ///
    /// `Full` if there is no room, in a bounded stream only; `Closed` if the port was dropped. The error
    /// contains the value.
    #[inline]
    pub fn try_send(&mut self, value: T) -> Result<(), TrySendError<T>> {
        match &mut self.0 {
            SenderFlavor::Unbounded(sender) => sender.send(value).map_err(TrySendError::Closed),
            SenderFlavor::Bounded(sender, _) => {
                sender.try_send(value).or(TrySendError::Full, TrySendError::Closed)
            }
            SenderFlavor::Rendezvous(chan) => chan.try_send(value),
        }
    }

    /// Sends a value, waiting for room for at most `timeout`.
    ///
    /// Blocks the thread; in a task, use [`send_async`](Chan::send_async) under a timeout instead. A value
    /// that is late is then dropped.
    ///
    /// A timeout too long for the clock waits forever. With capacity 0 the deadline may pass while the
    /// receiver is about to take the value; then the value is sent.
    ///
    /// ```
    /// use pipes::SendTimeoutError;
    /// use std::time::Duration;
    ///
    /// let (mut chan, _port) = pipes::sync_stream(1);
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
    pub fn send_timeout(&mut self, value: T, timeout: Duration) -> Result<(), SendTimeoutError<T>> {
        self.send_until(value, || Instant::now().checked_add(timeout), Location::caller())
    }

    /// Sends a value, waiting for room until the deadline at the latest.
    ///
    /// Blocks the thread; in a task, use [`send_async`](Chan::send_async) under a timeout instead. A value
    /// that is late is then dropped.
    ///
    /// ```
    /// use std::time::{Duration, Instant};
    ///
    /// let (mut chan, _port) = pipes::sync_stream(1);
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
    pub fn send_deadline(&mut self, value: T, deadline: Instant) -> Result<(), SendTimeoutError<T>> {
        self.send_until(value, || Some(deadline), Location::caller())
    }

    fn send_until(
        &mut self,
        value: T,
        deadline: impl FnOnce() -> Option<Instant>,
        caller: Caller,
    ) -> Result<(), SendTimeoutError<T>> {
        match &mut self.0 {
            SenderFlavor::Unbounded(sender) => sender.send(value).map_err(SendTimeoutError::Closed),
            SenderFlavor::Bounded(sender, _) => sender
                .send_until(value, deadline, caller)
                .or(SendTimeoutError::Timeout, SendTimeoutError::Closed),
            SenderFlavor::Rendezvous(chan) => {
                chan.send_until(value, deadline, BoundedSender::<T>::ROOM, caller)
            }
        }
    }

    /// Sends a value, in a task, when there is room.
    ///
    /// ```
    /// # futures::executor::block_on(async {
    /// let (mut chan, mut port) = pipes::sync_stream(1);
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
    /// [`SendFuture::into_inner`]. With capacity 0 a receiver that has already seen the value, for example
    /// through [`ready`](crate::Port::ready), still takes it.
    #[inline]
    #[track_caller]
    pub fn send_async(&mut self, value: T) -> SendFuture<'_, T> {
        SendFuture::new(self, value)
    }

    /// Returns the number of values that can be sent and not yet received; `None` if there is no limit.
    ///
    /// ```
    /// assert_eq!(pipes::sync_stream::<u32>(8).0.capacity(), Some(8));
    /// assert_eq!(pipes::stream::<u32>().0.capacity(), None);
    /// ```
    pub fn capacity(&self) -> Option<usize> {
        match &self.0 {
            SenderFlavor::Unbounded(_) => None,
            SenderFlavor::Bounded(_, capacity) => Some(*capacity),
            SenderFlavor::Rendezvous(chan) => chan.capacity(),
        }
    }

    /// Returns `true` if there is no room for a value now. `true` may already be stale. With capacity 0, it
    /// is always `true`.
    ///
    /// ```
    /// let (mut chan, _port) = pipes::sync_stream(1);
    /// assert!(!chan.is_full());
    /// chan.send(1)?;
    /// assert!(chan.is_full());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_full(&self) -> bool {
        match &self.0 {
            SenderFlavor::Unbounded(_) => false,
            SenderFlavor::Bounded(sender, _) => !sender.has_room(),
            SenderFlavor::Rendezvous(_) => true,
        }
    }

    /// Returns `true` if the port was dropped, or this end was closed as a sink. `true` stays true; `false`
    /// may already be stale.
    ///
    /// ```
    /// let (chan, port) = pipes::stream::<u32>();
    /// assert!(!chan.is_closed());
    /// drop(port);
    /// assert!(chan.is_closed());
    /// ```
    pub fn is_closed(&self) -> bool {
        match &self.0 {
            SenderFlavor::Unbounded(sender) => sender.receiver_has_left(),
            SenderFlavor::Bounded(sender, _) => sender.receiver_has_left(),
            SenderFlavor::Rendezvous(chan) => chan.is_closed(),
        }
    }

    /// Returns `true` if a send waits until its value is taken.
    pub(super) fn is_rendezvous(&self) -> bool {
        matches!(self.0, SenderFlavor::Rendezvous(_))
    }

    /// Closes the stream; every later send fails.
    pub(super) fn end(&mut self) {
        match &mut self.0 {
            SenderFlavor::Unbounded(sender) => sender.close(),
            SenderFlavor::Bounded(sender, _) => sender.close(),
            SenderFlavor::Rendezvous(_) => self.0 = SenderFlavor::Bounded(BoundedSender::closed(), 0),
        }
    }
}

#[inline(never)]
fn send_waiting<T>(flavor: &mut SenderFlavor<T>, value: T, caller: Caller) -> Result<(), SendError<T>> {
    match flavor {
        SenderFlavor::Bounded(sender, _) => sender.send(value, caller).map_err(SendError),
        SenderFlavor::Rendezvous(chan) => chan.offer(value, BoundedSender::<T>::ROOM, caller),
        SenderFlavor::Unbounded(_) => unreachable!("it never waits"),
    }
}

impl<T> Chan<T> {
    /// Returns the name of the channel.
    fn channel(&self) -> usize {
        match &self.0 {
            SenderFlavor::Unbounded(sender) => sender.channel(),
            SenderFlavor::Bounded(sender, _) => sender.channel(),
            SenderFlavor::Rendezvous(chan) => chan.channel(),
        }
    }

    /// Says what a send waits for.
    pub(super) fn room_end(&self, list: &mut EndList) {
        list.add(BoundedSender::<T>::ROOM, self.channel());
    }
}

impl<T> Closing for Chan<T> {
    #[inline]
    fn is_closed(&self) -> bool {
        Chan::is_closed(self)
    }

    fn poll_closed(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        match &mut self.0 {
            SenderFlavor::Unbounded(sender) => sender.closing().poll(cx),
            SenderFlavor::Bounded(sender, _) => sender.closing().poll(cx),
            SenderFlavor::Rendezvous(chan) => chan.poll_closed(cx),
        }
    }

    fn closing_end(&self, list: &mut EndList) {
        list.add(Self::CLOSE, self.channel());
    }

    fn wait_closed_until(&mut self, deadline: Option<Instant>) -> bool {
        match &mut self.0 {
            SenderFlavor::Unbounded(sender) => {
                sender.closing().block(deadline, Self::CLOSE, Location::caller())
            }
            SenderFlavor::Bounded(sender, _) => {
                sender.closing().block(deadline, Self::CLOSE, Location::caller())
            }
            SenderFlavor::Rendezvous(chan) => chan.wait_closed_as(deadline, Self::CLOSE, Location::caller()),
        }
    }
}

crate::__closing! { impl [T] for Chan<T> }

/// An error of the sink contains the value that was not sent, if there is one: a sink that has only waited
/// for room has none.
impl<T> Sink<T> for Chan<T> {
    type Error = SendError<Option<T>>;

    fn poll_ready(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        match &mut self.0 {
            SenderFlavor::Unbounded(_) => {}
            SenderFlavor::Bounded(sender, _) => ready!(sender.waiting().poll(cx)),
            SenderFlavor::Rendezvous(chan) => return Pin::new(&mut **chan).poll_ready(cx),
        }
        Poll::Ready(if self.is_closed() { Err(SendError(None)) } else { Ok(()) })
    }

    /// This never waits. So without a `poll_ready` that was ready, the value may come back although the port
    /// exists.
    fn start_send(mut self: Pin<&mut Self>, value: T) -> Result<(), Self::Error> {
        match &mut self.0 {
            SenderFlavor::Unbounded(sender) => sender.send(value).map_err(SendError),
            SenderFlavor::Bounded(sender, _) => sender.try_send(value).or(SendError, SendError),
            SenderFlavor::Rendezvous(chan) => chan.send_reserved(value),
        }
        .map_err(with_value)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        match &mut self.0 {
            SenderFlavor::Unbounded(_) | SenderFlavor::Bounded(..) => Poll::Ready(Ok(())),
            SenderFlavor::Rendezvous(chan) => Pin::new(&mut **chan).poll_flush(cx),
        }
    }

    fn poll_close(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        let flushed = self.as_mut().poll_flush(cx);
        if flushed.is_ready() {
            self.end();
        }
        flushed
    }
}

impl<T> fmt::Debug for Chan<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chan").field("closed", &self.is_closed()).finish()
    }
}
