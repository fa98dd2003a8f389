//! Receiving several values in one call.

use super::port::Port;
use crate::endpoint::{Readiness, RecvError, TryRecvError, would_complete};
use crate::slot::Received;
use crate::wait::{PendingWait, budget};
use std::fmt;
use std::future::Future;
use std::num::NonZero;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

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
    #[track_caller]
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
    #[track_caller]
    pub fn recv_many_async<'a>(&'a mut self, into: &'a mut Vec<T>, limit: usize) -> RecvManyFuture<'a, T> {
        RecvManyFuture { port: self, into, limit, wait: PendingWait::new() }
    }
}

/// A receive of several values in a task; see [`Port::recv_many_async`].
#[must_use = "futures do nothing unless they are awaited"]
pub struct RecvManyFuture<'a, T> {
    port: &'a mut Port<T>,
    into: &'a mut Vec<T>,
    limit: usize,
    wait: PendingWait,
}

impl<T> Future for RecvManyFuture<'_, T> {
    /// Polled again after completion, it receives more.
    type Output = Result<usize, RecvError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let RecvManyFuture { port, into, limit, wait } = &mut *self;
        let poll = |port: &mut Port<T>, cx: &mut Context<'_>| {
            loop {
                match port.try_recv_many(into, *limit) {
                    Ok(count) => return Poll::Ready(Ok(count)),
                    Err(TryRecvError::Closed) => return Poll::Ready(Err(RecvError)),
                    Err(TryRecvError::Empty(())) => ready!(port.poll_ready(cx)),
                }
            }
        };
        wait.poll(cx, *port, Port::ends, |port, cx| {
            budget::receive_many(port, cx, would_complete, poll, |received| received.unwrap_or(1))
        })
    }
}

impl<T> fmt::Debug for RecvManyFuture<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecvManyFuture").field("limit", &self.limit).finish()
    }
}
