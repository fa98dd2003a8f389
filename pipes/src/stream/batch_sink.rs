//! A sink that sends in runs.

use super::chan::Chan;
use crate::endpoint::{SendError, TrySendError};
use futures_sink::Sink;
use std::fmt;
use std::mem::take;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// A [`Sink`] that collects values, and sends them in runs; see [`Chan::into_batch_sink`].
///
/// The values are sent when as many are collected as were asked for, and by a flush. So with `SinkExt`,
/// `feed` collects, and `send` and `flush` send what was collected; `send_all` and `forward` flush when their
/// stream has no item ready, and at its end. Closing the sink flushes it and closes the stream.
///
/// An error contains all values that were collected and not sent, in order. After it, and after a close, each
/// `poll_ready` fails; what is collected all the same comes back with the next error. Dropping the sink sends
/// those for which there is room, without waiting, and drops the others; if a waker panics, it drops all that
/// are left.
#[must_use = "dropping a BatchSink closes its stream"]
pub struct BatchSink<T> {
    /// `None` after `into_parts`.
    chan: Option<Chan<T>>,
    /// The values that were collected, in order.
    values: Vec<T>,
    batch: usize,
}

impl<T> Chan<T> {
    /// Turns this chan into a sink that collects up to `batch` values, and sends them in one step, as
    /// [`send_all`](Chan::send_all) does. As a sink itself, a chan sends each value at once.
    ///
    /// ```
    /// use futures::{SinkExt, StreamExt, stream};
    ///
    /// # futures::executor::block_on(async {
    /// let (chan, mut port) = pipes::stream();
    /// let mut sink = chan.into_batch_sink(64);
    /// sink.feed(1).await?;
    /// assert!(port.is_empty(), "it is collected");
    /// sink.flush().await?;
    /// assert_eq!(port.recv(), Ok(1));
    ///
    /// stream::iter(2..=1000).map(Ok).forward(sink).await?;
    /// assert_eq!(port.iter().count(), 999);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if `batch` is 0, or if the stream has capacity 0, in which values are sent one by one.
    #[track_caller]
    pub fn into_batch_sink(self, batch: usize) -> BatchSink<T> {
        assert!(batch > 0, "`Chan::into_batch_sink`: the batch is 0");
        assert!(!self.is_rendezvous(), "`Chan::into_batch_sink`: the stream has capacity 0");
        BatchSink { chan: Some(self), values: Vec::new(), batch }
    }
}

impl<T> BatchSink<T> {
    /// Returns the chan, and the values that were collected and not sent.
    ///
    /// ```
    /// use futures::{FutureExt, SinkExt};
    ///
    /// let (chan, mut port) = pipes::sync_stream(1);
    /// let mut sink = chan.into_batch_sink(2);
    /// sink.feed(1).now_or_never().expect("it is collected")?;
    /// sink.feed(2).now_or_never().expect("it is collected")?;
    /// assert_eq!(port.recv(), Ok(1), "two were sent, as there was room");
    /// assert_eq!(sink.into_parts().1, [2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[expect(clippy::missing_panics_doc, reason = "only this takes the chan out")]
    pub fn into_parts(mut self) -> (Chan<T>, Vec<T>) {
        (self.chan.take().expect("only this takes it out"), take(&mut self.values))
    }

    /// Returns the values that were collected and not sent, in order.
    ///
    /// ```
    /// use futures::{FutureExt, SinkExt};
    ///
    /// let (chan, _port) = pipes::stream();
    /// let mut sink = chan.into_batch_sink(2);
    /// sink.feed(1).now_or_never().expect("it is collected")?;
    /// assert_eq!(sink.collected(), [1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn collected(&self) -> &[T] {
        &self.values
    }

    /// Sends as many of the values as there is room for.
    fn try_send(&mut self) -> Result<(), TrySendError<()>> {
        // Only `into_parts` takes the chan out.
        self.chan.as_mut().map_or(Ok(()), |chan| chan.try_send_all(&mut self.values))
    }

    /// Polls until at most `limit` values are left.
    fn poll_send(&mut self, cx: &mut Context<'_>, limit: usize) -> Poll<Result<(), SendError<Vec<T>>>> {
        while self.values.len() > limit {
            if let Err(TrySendError::Closed(())) = self.try_send() {
                return Poll::Ready(Err(self.unsent()));
            }
            if self.values.len() > limit
                && let Some(chan) = &mut self.chan
            {
                // Ready when there is room, or the port has left.
                let _room_or_end = ready!(Pin::new(chan).poll_ready(cx));
            }
        }
        Poll::Ready(Ok(()))
    }

    /// Returns the error that contains the values.
    fn unsent(&mut self) -> SendError<Vec<T>> {
        SendError(take(&mut self.values))
    }
}

// Values are moved out when they are sent; they are never pinned.
impl<T> Unpin for BatchSink<T> {}

impl<T> Sink<T> for BatchSink<T> {
    type Error = SendError<Vec<T>>;

    fn poll_ready(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        if self.chan.as_ref().is_some_and(Chan::is_closed) {
            return Poll::Ready(Err(self.unsent()));
        }
        let limit = self.batch - 1;
        self.poll_send(cx, limit)
    }

    /// Without a `poll_ready` that was ready, it collects more than a batch.
    fn start_send(mut self: Pin<&mut Self>, value: T) -> Result<(), Self::Error> {
        self.values.push(value);
        if self.values.len() < self.batch {
            return Ok(());
        }
        match self.try_send() {
            Err(TrySendError::Closed(())) => Err(self.unsent()),
            Ok(()) | Err(TrySendError::Full(())) => Ok(()),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.poll_send(cx, 0)
    }

    fn poll_close(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        let flushed = self.poll_send(cx, 0);
        if flushed.is_ready()
            && let Some(chan) = &mut self.chan
        {
            chan.end();
        }
        flushed
    }
}

impl<T> Drop for BatchSink<T> {
    fn drop(&mut self) {
        let _dropped_unsent = self.try_send();
    }
}

impl<T> fmt::Debug for BatchSink<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BatchSink")
            .field("collected", &self.values.len())
            .field("batch", &self.batch)
            .finish()
    }
}
