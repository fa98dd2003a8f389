//! Runs: several values in one call.

use super::chan::{Chan, SenderFlavor};
use super::permits::Permits;
use super::port::Port;
use super::shared::{SharedChan, SharedFlavor, take_to_send};
use crate::endpoint::{Readiness, RecvError, SendError, TryRecvError, TrySendError, would_complete};
use crate::slot::{BoundedSender, Outgoing, Received, Sent, SharedSender};
use crate::wait::{Waitable, budget};
use std::fmt;
use std::future::Future;
use std::num::NonZero;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

impl<T> Chan<T> {
    /// Sends all values of a vector, in order, waiting for room if the stream is bounded.
    ///
    /// Blocks the thread if the stream is bounded; in a task, use [`send_all_async`](Chan::send_all_async)
    /// instead.
    ///
    /// Afterwards the vector is empty and keeps its memory. The values are sent in runs: as many in one step
    /// as there is room for in a row, up to the end of a block of the stream. A step costs one swap, like a
    /// single [`send`](Chan::send), and wakes the receiver at most once. With capacity 0, the values are sent
    /// one by one, each when it is taken. For the other side, see [`recv_many`](Port::recv_many).
    ///
    /// If a waker that is woken or dropped here panics, the values that were not sent are in the vector. With
    /// capacity 0, the one that was being sent may be dropped.
    ///
    /// `SinkExt` of the crate `futures` has a method of the same name: for that one, write
    /// `SinkExt::send_all(&mut chan, …)`.
    ///
    /// ```
    /// let (mut chan, mut port) = pipes::stream();
    /// let mut words = vec!["one", "two", "three"];
    /// chan.send_all(&mut words)?;
    /// assert!(words.is_empty());
    /// assert!(port.try_iter().eq(["one", "two", "three"]));
    ///
    /// drop(port);
    /// words.push("four");
    /// assert!(chan.send_all(&mut words).is_err());
    /// assert_eq!(words, ["four"], "what was not sent is still there");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The port was dropped; the vector contains the values that were not sent. An empty vector is no error.
    pub fn send_all(&mut self, values: &mut Vec<T>) -> Result<(), SendError<()>> {
        let mut values = Outgoing::of(values);
        let is_sent = match &mut self.0 {
            SenderFlavor::Unbounded(sender) => sender.send_all(&mut values),
            SenderFlavor::Bounded(sender) => matches!(sender.send_all(&mut values), Sent::Done),
            SenderFlavor::Rendezvous(chan) => one_by_one(&mut values, |value| send(chan, value)).is_ok(),
        };
        if is_sent { Ok(()) } else { Err(SendError::new(())) }
    }

    /// Sends the values of a vector for which there is room now, from the front. Never blocks.
    ///
    /// With capacity 0 there is room for one value while the receiver waits.
    ///
    /// ```
    /// use pipes::TrySendError;
    ///
    /// let (mut chan, _port) = pipes::sync_stream(2);
    /// let mut numbers = vec![1, 2, 3];
    /// assert_eq!(chan.try_send_all(&mut numbers), Err(TrySendError::Full(())));
    /// assert_eq!(numbers, [3], "there was room for two");
    /// ```
    ///
    /// # Errors
    ///
    /// `Full` if there was no room for the rest, in a bounded stream only; `Closed` if the port was dropped.
    /// The vector contains the values that were not sent. An empty vector is no error.
    pub fn try_send_all(&mut self, values: &mut Vec<T>) -> Result<(), TrySendError<()>> {
        let mut values = Outgoing::of(values);
        match &mut self.0 {
            SenderFlavor::Unbounded(sender) => {
                if sender.send_all(&mut values) {
                    Ok(())
                } else {
                    Err(TrySendError::Closed(()))
                }
            }
            SenderFlavor::Bounded(sender) => match sender.try_send_all(&mut values) {
                Sent::Done => Ok(()),
                Sent::Full(()) => Err(TrySendError::Full(())),
                Sent::Gone(()) => Err(TrySendError::Closed(())),
            },
            SenderFlavor::Rendezvous(chan) => one_by_one(&mut values, |value| chan.try_send(value)),
        }
    }

    /// Sends all values of a vector, in a task, as there is room for them.
    ///
    /// ```
    /// # futures::executor::block_on(async {
    /// let (mut chan, mut port) = pipes::sync_stream(2);
    /// chan.send_all_async(&mut vec![1, 2]).await?;
    /// assert!(port.try_iter().eq([1, 2]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Cancel safety
    ///
    /// Cancel-safe: dropping the future before it completes sends no more, and the vector then contains the
    /// values that were not sent. With capacity 0, a value that the receiver has already seen counts as sent.
    /// While the future exists, the values belong to it; if it is forgotten, they are leaked.
    ///
    /// # Errors
    ///
    /// The port was dropped; the vector contains the values that were not sent. An empty vector is no error.
    pub fn send_all_async<'a>(&'a mut self, values: &'a mut Vec<T>) -> SendAllFuture<'a, T> {
        SendAllFuture { chan: self, values: Outgoing::of(values), meeting: None }
    }
}

impl<T> SharedChan<T> {
    /// Sends all values of a vector, in order, waiting for room if the stream is bounded.
    ///
    /// Blocks the thread if the stream is bounded; in a task, use [`send_async`](SharedChan::send_async) for
    /// each instead.
    ///
    /// Values of other senders may come between them. Afterwards the vector is empty and keeps its memory.
    /// This costs as much as a [`send`](SharedChan::send) of each value.
    ///
    /// ```
    /// let (chan, mut port) = pipes::shared_stream();
    /// chan.send_all(&mut vec![1, 2])?;
    /// assert!(port.try_iter().eq([1, 2]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The port was dropped; the vector contains the values that were not sent. An empty vector is no error.
    pub fn send_all(&self, values: &mut Vec<T>) -> Result<(), SendError<()>> {
        let mut values = Outgoing::of(values);
        let is_sent = match &self.flavor {
            SharedFlavor::Unbounded(sender) => sender.send_all(&mut values),
            SharedFlavor::Bounded(sender, permits) => send_all_bounded(sender, permits, &mut values),
            SharedFlavor::Rendezvous(_) => one_by_one(&mut values, |value| send(self, value)).is_ok(),
        };
        if is_sent { Ok(()) } else { Err(SendError::new(())) }
    }
}

/// Sends the values one by one, each when it has a permit. Returns `false` if the receiver has left.
fn send_all_bounded<T>(sender: &SharedSender<T>, permits: &Permits, values: &mut Outgoing<'_, T>) -> bool {
    while values.left() > 0 {
        take_to_send(permits);
        let Some(value) = values.take() else { break };
        if let Err(value) = sender.send(value) {
            values.put_back(value);
            return false;
        }
    }
    true
}

/// Sends the values one by one with this function, up to the first that is not sent.
fn one_by_one<T>(
    values: &mut Outgoing<'_, T>,
    mut send: impl FnMut(T) -> Result<(), TrySendError<T>>,
) -> Result<(), TrySendError<()>> {
    while let Some(value) = values.take() {
        let (value, error) = match send(value) {
            Ok(()) => continue,
            Err(TrySendError::Full(value)) => (value, TrySendError::Full(())),
            Err(TrySendError::Closed(value)) => (value, TrySendError::Closed(())),
        };
        values.put_back(value);
        return Err(error);
    }
    Ok(())
}

/// Sends a value, waiting for room, for [`one_by_one`].
fn send<T>(chan: &SharedChan<T>, value: T) -> Result<(), TrySendError<T>> {
    chan.send(value).map_err(|error| TrySendError::Closed(error.into_payload()))
}

impl<T> Port<T> {
    /// Receives the values that are there, waiting until there is one, and appends at most `limit` of them to
    /// a vector. Returns their number, which is 0 only if `limit` is.
    ///
    /// Blocks the thread; in a task, use [`recv_many_async`](Port::recv_many_async) instead.
    ///
    /// This costs less than receiving them one by one: in a bounded stream, several values take one swap and
    /// wake the sender at most once.
    ///
    /// Values that are sent in the meantime are received as well, up to the limit, unless the stream is
    /// bounded. So with a very large limit, the call may go on for as long as the senders keep up.
    ///
    /// ```
    /// let (mut chan, mut port) = pipes::stream();
    /// chan.send_all(&mut vec![1, 2, 3])?;
    /// let mut numbers = Vec::new();
    /// assert_eq!(port.recv_many(&mut numbers, 2), Ok(2));
    /// assert_eq!(port.recv_many(&mut numbers, 2), Ok(1), "it does not wait for a second one");
    /// assert_eq!(numbers, [1, 2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The chan was dropped and every value was received.
    pub fn recv_many(&mut self, into: &mut Vec<T>, limit: usize) -> Result<usize, RecvError> {
        loop {
            match self.try_recv_many(into, limit) {
                Ok(count) => return Ok(count),
                Err(TryRecvError::Closed) => return Err(RecvError),
                Err(TryRecvError::Empty(())) => Readiness::wait(self, None),
            };
        }
    }

    /// Receives the values that are there, and appends at most `limit` of them to a vector. Never blocks.
    ///
    /// Returns their number, which is 0 only if `limit` is. For large limits, see
    /// [`recv_many`](Port::recv_many).
    ///
    /// ```
    /// use pipes::TryRecvError;
    ///
    /// let (mut chan, mut port) = pipes::stream();
    /// let mut numbers = Vec::new();
    /// assert_eq!(port.try_recv_many(&mut numbers, 8), Err(TryRecvError::Empty(())));
    /// chan.send_all(&mut vec![1, 2])?;
    /// assert_eq!(port.try_recv_many(&mut numbers, 8), Ok(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Empty` if there is no value now; `Closed` if the chan was dropped and every value was received.
    pub fn try_recv_many(&mut self, into: &mut Vec<T>, limit: usize) -> Result<usize, TryRecvError> {
        let Some(limit) = NonZero::new(limit) else { return Ok(0) };
        let before = into.len();
        match self.0.take_run(into, limit) {
            Received::Message(()) => Ok(into.len() - before),
            Received::Nothing(()) => Err(TryRecvError::Empty(())),
            Received::Closed => Err(TryRecvError::Closed),
        }
    }

    /// Receives the values that are there, at least one and at most `limit`, in a task; see
    /// [`recv_many`](Port::recv_many).
    ///
    /// With a very large limit, the task may not give way to others for as long as the senders keep up.
    ///
    /// ```
    /// # futures::executor::block_on(async {
    /// let (mut chan, mut port) = pipes::stream();
    /// std::thread::spawn(move || chan.send_all(&mut vec![1, 2]));
    /// let mut numbers = Vec::new();
    /// while port.recv_many_async(&mut numbers, 8).await.is_ok() {}
    /// assert_eq!(numbers, [1, 2]);
    /// # });
    /// ```
    ///
    /// # Cancel safety
    ///
    /// Cancel-safe: values that the future has not appended are still there.
    ///
    /// # Errors
    ///
    /// The chan was dropped and every value was received. A limit of 0 is no error, even when the stream has
    /// closed.
    pub fn recv_many_async<'a>(&'a mut self, into: &'a mut Vec<T>, limit: usize) -> RecvManyFuture<'a, T> {
        RecvManyFuture { port: self, into, limit }
    }
}

/// A send of several values in a task; see [`Chan::send_all_async`].
#[must_use = "futures do nothing unless they are awaited"]
pub struct SendAllFuture<'a, T> {
    chan: &'a mut Chan<T>,
    values: Outgoing<'a, T>,
    /// At capacity 0, the value that is being sent. It is moved out when it is offered.
    meeting: Option<Option<T>>,
}

// Values are moved out when they are sent; they are never pinned.
impl<T> Unpin for SendAllFuture<'_, T> {}

impl<T> Future for SendAllFuture<'_, T> {
    /// Polled again after completion, it returns the same.
    type Output = Result<(), SendError<()>>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let SendAllFuture { chan, values, meeting } = &mut *self;
        let is_sent = match &mut chan.0 {
            SenderFlavor::Unbounded(sender) => sender.send_all(values),
            SenderFlavor::Bounded(sender) => ready!(poll_bounded(sender, values, cx)),
            SenderFlavor::Rendezvous(chan) => ready!(poll_offers(chan, values, meeting, cx)),
        };
        Poll::Ready(if is_sent { Ok(()) } else { Err(SendError::new(())) })
    }
}

/// Sends the values when there is room. Ready with `false` if the receiver has left.
fn poll_bounded<T>(
    sender: &mut BoundedSender<T>,
    values: &mut Outgoing<'_, T>,
    cx: &mut Context<'_>,
) -> Poll<bool> {
    loop {
        match sender.try_send_all(values) {
            Sent::Done => return Poll::Ready(true),
            Sent::Gone(()) => return Poll::Ready(false),
            Sent::Full(()) => ready!(sender.waiting().poll(cx)),
        }
    }
}

/// Offers the values one after the other. Ready with `false` if the receiver has left.
fn poll_offers<T>(
    chan: &mut SharedChan<T>,
    values: &mut Outgoing<'_, T>,
    meeting: &mut Option<Option<T>>,
    cx: &mut Context<'_>,
) -> Poll<bool> {
    loop {
        if let Some(value) = meeting {
            ready!(chan.poll_offer(cx, value));
            if let Some(value) = meeting.take().flatten() {
                values.put_back(value);
                return Poll::Ready(false);
            }
        }
        match values.take() {
            None => return Poll::Ready(true),
            value => *meeting = Some(value),
        }
    }
}

impl<T> Drop for SendAllFuture<'_, T> {
    fn drop(&mut self) {
        let value = match (self.meeting.take(), &mut self.chan.0) {
            (Some(None), SenderFlavor::Rendezvous(chan)) => chan.take_back(),
            (value, _) => value.flatten(),
        };
        if let Some(value) = value {
            self.values.put_back(value);
        }
    }
}

impl<T> fmt::Debug for SendAllFuture<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let left = self.values.left() + usize::from(self.meeting.is_some());
        f.debug_struct("SendAllFuture").field("left", &left).finish()
    }
}

/// A receive of several values in a task; see [`Port::recv_many_async`].
#[must_use = "futures do nothing unless they are awaited"]
pub struct RecvManyFuture<'a, T> {
    port: &'a mut Port<T>,
    into: &'a mut Vec<T>,
    limit: usize,
}

impl<T> Future for RecvManyFuture<'_, T> {
    /// Polled again after completion, it receives more.
    type Output = Result<usize, RecvError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let RecvManyFuture { port, into, limit } = &mut *self;
        let poll = |port: &mut Port<T>, cx: &mut Context<'_>| {
            loop {
                match port.try_recv_many(into, *limit) {
                    Ok(count) => return Poll::Ready(Ok(count)),
                    Err(TryRecvError::Closed) => return Poll::Ready(Err(RecvError)),
                    Err(TryRecvError::Empty(())) => ready!(port.poll_ready(cx)),
                }
            }
        };
        budget::receive_many(*port, cx, would_complete, poll, |received| received.unwrap_or(1))
    }
}

impl<T> fmt::Debug for RecvManyFuture<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecvManyFuture").field("limit", &self.limit).finish()
    }
}
