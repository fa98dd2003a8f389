//! The sending end of a stream with one sender.

use super::send::SendFuture;
use super::shared::SharedChan;
use crate::endpoint::{Closing, SendError, SendTimeoutError, TrySendError};
use crate::slot::{BoundedSender, Sender};
use crate::wait::Waitable;
use futures_sink::Sink;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

/// The sending end of a [`stream()`](crate::stream()) or a [`sync_stream()`](crate::sync_stream()). Dropping
/// it closes the stream; what was sent can still be received.
///
/// A chan is a [`Sink`], which is ready when there is room, and sends each value at once; for one that
/// collects values, see [`into_batch_sink`](Chan::into_batch_sink).
#[doc(alias = "Sender")]
#[must_use = "dropping a Chan closes it"]
pub struct Chan<T>(pub(super) SenderFlavor<T>);

/// The sending half behind a chan.
pub(super) enum SenderFlavor<T> {
    /// Of a stream in which there is always room.
    Unbounded(Sender<T>),
    /// Of a stream in which the sender waits for room.
    Bounded(BoundedSender<T>),
    /// Of capacity 0.
    Rendezvous(Box<SharedChan<T>>),
}

impl<T> Chan<T> {
    pub(super) fn unbounded(sender: Sender<T>) -> Self {
        Chan(SenderFlavor::Unbounded(sender))
    }

    pub(super) fn bounded(sender: BoundedSender<T>) -> Self {
        Chan(SenderFlavor::Bounded(sender))
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
    pub fn send(&mut self, value: T) -> Result<(), SendError<T>> {
        match &mut self.0 {
            SenderFlavor::Unbounded(sender) => sender.send(value).map_err(SendError::new),
            flavor => send_waiting(flavor, value),
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
            SenderFlavor::Bounded(sender) => {
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
    pub fn send_timeout(&mut self, value: T, timeout: Duration) -> Result<(), SendTimeoutError<T>> {
        self.send_until(value, || Instant::now().checked_add(timeout))
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
    pub fn send_deadline(&mut self, value: T, deadline: Instant) -> Result<(), SendTimeoutError<T>> {
        self.send_until(value, || Some(deadline))
    }

    fn send_until(
        &mut self,
        value: T,
        deadline: impl FnOnce() -> Option<Instant>,
    ) -> Result<(), SendTimeoutError<T>> {
        match &mut self.0 {
            SenderFlavor::Unbounded(sender) => sender.send(value).map_err(SendTimeoutError::Closed),
            SenderFlavor::Bounded(sender) => {
                sender.send(value, deadline).or(SendTimeoutError::Timeout, SendTimeoutError::Closed)
            }
            SenderFlavor::Rendezvous(chan) => chan.send_until(value, deadline),
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
    pub fn send_async(&mut self, value: T) -> SendFuture<'_, T> {
        SendFuture::new(self, value)
    }

    /// Returns the number of values that can be sent and not yet received; `None` if there is no limit. It is
    /// 0 once this end has found that the port was dropped, or was closed as a sink.
    ///
    /// ```
    /// assert_eq!(pipes::sync_stream::<u32>(8).0.capacity(), Some(8));
    /// assert_eq!(pipes::stream::<u32>().0.capacity(), None);
    /// ```
    pub fn capacity(&self) -> Option<usize> {
        match &self.0 {
            SenderFlavor::Unbounded(_) => None,
            SenderFlavor::Bounded(sender) => Some(sender.capacity()),
            SenderFlavor::Rendezvous(chan) => chan.capacity(),
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
            SenderFlavor::Bounded(sender) => sender.receiver_has_left(),
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
            SenderFlavor::Bounded(sender) => sender.close(),
            SenderFlavor::Rendezvous(_) => self.0 = SenderFlavor::Bounded(BoundedSender::closed()),
        }
    }
}

/// Sends into a stream that may wait. This is a separate function, so that the other kinds do not slow down
/// the most common one.
#[inline(never)]
fn send_waiting<T>(flavor: &mut SenderFlavor<T>, value: T) -> Result<(), SendError<T>> {
    match flavor {
        SenderFlavor::Bounded(sender) => sender.send(value, || None).or(SendError::new, SendError::new),
        SenderFlavor::Rendezvous(chan) => chan.send(value),
        SenderFlavor::Unbounded(_) => unreachable!("it never waits"),
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
            SenderFlavor::Bounded(sender) => sender.closing().poll(cx),
            SenderFlavor::Rendezvous(chan) => chan.poll_closed(cx),
        }
    }

    fn wait_closed_until(&mut self, deadline: Option<Instant>) -> bool {
        match &mut self.0 {
            SenderFlavor::Unbounded(sender) => sender.closing().block(deadline),
            SenderFlavor::Bounded(sender) => sender.closing().block(deadline),
            SenderFlavor::Rendezvous(chan) => chan.wait_closed_until(deadline),
        }
    }
}

crate::__closing! { impl [T] for Chan<T> }

impl<T> Sink<T> for Chan<T> {
    type Error = SendError<T>;

    fn poll_ready(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), SendError<T>>> {
        match &mut self.0 {
            SenderFlavor::Unbounded(_) => Poll::Ready(Ok(())),
            SenderFlavor::Bounded(sender) => sender.waiting().poll(cx).map(Ok),
            SenderFlavor::Rendezvous(chan) => Pin::new(&mut **chan).poll_ready(cx),
        }
    }

    /// This never waits. So without a `poll_ready` that was ready, the value may come back although the port
    /// exists.
    fn start_send(mut self: Pin<&mut Self>, value: T) -> Result<(), SendError<T>> {
        match &mut self.0 {
            SenderFlavor::Unbounded(sender) => sender.send(value).map_err(SendError::new),
            SenderFlavor::Bounded(sender) => sender.try_send(value).or(SendError::new, SendError::new),
            SenderFlavor::Rendezvous(chan) => Pin::new(&mut **chan).start_send(value),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), SendError<T>>> {
        match &mut self.0 {
            SenderFlavor::Unbounded(_) | SenderFlavor::Bounded(_) => Poll::Ready(Ok(())),
            SenderFlavor::Rendezvous(chan) => Pin::new(&mut **chan).poll_flush(cx),
        }
    }

    fn poll_close(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), SendError<T>>> {
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
