//! Receiving several values from a shared port in one call.

use super::SharedPort;
use super::recv::SharedRecvFuture;
use crate::endpoint::{RecvError, TryRecvError};
use crate::wait::budget;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

impl<T> SharedPort<T> {
    /// Receives the values that are there, waiting until there is one for this receiver, and appends at most
    /// `limit` of them to a vector. Returns their number, which is 0 only if `limit` is.
    ///
    /// Blocks the thread; in a task, use [`recv_many_async`](SharedPort::recv_many_async) instead.
    ///
    /// Values that are sent in the meantime are received as well, up to the limit. So with a very large
    /// limit, the call may go on for as long as the senders keep up. Each value costs as much as a receive of
    /// its own. Other receivers may get values between two of them.
    ///
    /// ```
    /// let (mut chan, port) = pipes::stream();
    /// let port = port.into_shared();
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
    /// As for [`recv`](SharedPort::recv). A limit of 0 is no error, even when the stream has closed.
    #[track_caller]
    pub fn recv_many(&self, into: &mut Vec<T>, limit: usize) -> Result<usize, RecvError> {
        let Some(more) = limit.checked_sub(1) else { return Ok(0) };
        into.push(self.recv()?);
        Ok(1 + append(self.try_iter().take(more), into))
    }

    /// Receives the values that are there, and appends at most `limit` of them to a vector. Never blocks,
    /// except for the moment in which another receiver has the lock.
    ///
    /// Returns their number, which is 0 only if `limit` is. For large limits, see
    /// [`recv_many`](SharedPort::recv_many).
    ///
    /// ```
    /// let (mut chan, port) = pipes::stream();
    /// let port = port.into_shared();
    /// let mut numbers = Vec::new();
    /// assert!(port.try_recv_many(&mut numbers, 8).is_err(), "nothing was sent");
    /// chan.send_all(&mut vec![1, 2])?;
    /// assert_eq!(port.try_recv_many(&mut numbers, 8), Ok(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`try_recv`](SharedPort::try_recv).
    pub fn try_recv_many(&self, into: &mut Vec<T>, limit: usize) -> Result<usize, TryRecvError> {
        let Some(more) = limit.checked_sub(1) else { return Ok(0) };
        into.push(self.try_recv()?);
        Ok(1 + append(self.try_iter().take(more), into))
    }

    /// Receives the values that are there, at least one and at most `limit`, in a task; see
    /// [`recv_many`](SharedPort::recv_many).
    ///
    /// With a very large limit, the task may not give way to others for as long as the senders keep up.
    ///
    /// ```
    /// # futures::executor::block_on(async {
    /// let (mut chan, port) = pipes::stream();
    /// let port = port.into_shared();
    /// std::thread::spawn(move || chan.send_all(&mut vec![1, 2]));
    /// let mut numbers = Vec::new();
    /// while port.recv_many_async(&mut numbers, 8).await.is_ok() {}
    /// assert_eq!(numbers, [1, 2]);
    /// # });
    /// ```
    ///
    /// # Cancel safety
    ///
    /// Cancel-safe, as [`recv_async`](SharedPort::recv_async): values that the future has not appended are
    /// still there.
    ///
    /// # Errors
    ///
    /// As for [`recv_many`](SharedPort::recv_many).
    #[track_caller]
    pub fn recv_many_async<'a>(&'a self, into: &'a mut Vec<T>, limit: usize) -> SharedRecvManyFuture<'a, T> {
        SharedRecvManyFuture { port: self, receive: self.recv_async(), into, limit }
    }

    /// Takes all values that are here, in order. Never blocks, except for the moment in which another
    /// receiver has the lock.
    ///
    /// If the stream is unbounded, and its senders keep up, it does not return before they pause. O(values).
    ///
    /// ```
    /// let (mut chan, port) = pipes::stream();
    /// let port = port.into_shared();
    /// chan.send_all(&mut vec![1, 2, 3])?;
    /// assert_eq!(port.drain(), [1, 2, 3]);
    /// assert_eq!(port.drain(), []);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn drain(&self) -> Vec<T> {
        self.try_iter().collect()
    }
}

/// Appends the values, and returns their number.
fn append<T>(values: impl Iterator<Item = T>, into: &mut Vec<T>) -> usize {
    let before = into.len();
    into.extend(values);
    into.len() - before
}

/// A receive of several values from a shared port, in a task; see [`SharedPort::recv_many_async`].
#[must_use = "futures do nothing unless they are awaited"]
pub struct SharedRecvManyFuture<'a, T> {
    port: &'a SharedPort<T>,
    /// The receive of the first value.
    receive: SharedRecvFuture<'a, T>,
    into: &'a mut Vec<T>,
    limit: usize,
}

impl<T> Future for SharedRecvManyFuture<'_, T> {
    /// Polled again after completion, it receives more.
    type Output = Result<usize, RecvError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let SharedRecvManyFuture { port, receive, into, limit } = &mut *self;
        let Some(more) = limit.checked_sub(1) else { return Poll::Ready(Ok(0)) };
        let would_complete = |receive: &mut SharedRecvFuture<'_, T>| receive.would_complete();
        let poll = |receive: &mut SharedRecvFuture<'_, T>, cx: &mut Context<'_>| {
            let mut first = None;
            ready!(receive.poll_into(cx, &mut first))?;
            into.extend(first);
            Poll::Ready(Ok(1 + append(port.try_iter().take(more), into)))
        };
        receive.poll_seen(cx, |receive, cx| {
            budget::receive_many(receive, cx, would_complete, poll, |received| received.unwrap_or(1))
        })
    }
}

impl<T> fmt::Debug for SharedRecvManyFuture<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedRecvManyFuture").field("limit", &self.limit).finish()
    }
}
