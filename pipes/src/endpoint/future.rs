//! Futures of the verbs that wait: the same waiting as a thread does, with a task as the waiter.

use super::closing::Closing;
use super::error::{RecvError, TryRecvError};
use super::receive::{Readiness, Receive};
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

/// A receive in a task; see [`Receive::recv_async`].
///
/// Dropping it drops the receiver, which closes an endpoint (a port was only borrowed).
#[must_use = "futures do nothing unless they are awaited"]
pub struct RecvFuture<E>(Option<E>);

impl<E> RecvFuture<E> {
    pub(crate) fn new(endpoint: E) -> Self {
        RecvFuture(Some(endpoint))
    }

    /// Returns the receiver, unless the future has completed: to receive in another way, or to keep it open.
    pub fn into_inner(self) -> Option<E> {
        self.0
    }
}

// The receiver is moved out when the future is done, and never pinned.
impl<E> Unpin for RecvFuture<E> {}

impl<E: Receive> Future for RecvFuture<E> {
    /// Polled again after completion, it returns what a closed receiver returns.
    type Output = Result<E::Message, RecvError>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        loop {
            match self.0.take().map(Receive::try_recv) {
                Some(Ok(message)) => return Poll::Ready(Ok(message)),
                Some(Err(TryRecvError::Closed)) | None => return Poll::Ready(Err(RecvError)),
                Some(Err(TryRecvError::Empty(receiver))) => {
                    if self.0.insert(receiver).poll_ready(cx).is_pending() {
                        return Poll::Pending;
                    }
                }
            }
        }
    }
}

impl<E> fmt::Debug for RecvFuture<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecvFuture").field("done", &self.0.is_none()).finish()
    }
}

/// Waits until a receive would not block; see [`Readiness::ready`]. Cancel-safe.
#[must_use = "futures do nothing unless they are awaited"]
pub struct Ready<'a, E>(&'a mut E);

impl<'a, E> Ready<'a, E> {
    pub(crate) fn new(endpoint: &'a mut E) -> Self {
        Ready(endpoint)
    }
}

impl<E: Readiness> Future for Ready<'_, E> {
    type Output = ();

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.0.poll_ready(cx)
    }
}

impl<E> fmt::Debug for Ready<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ready")
    }
}

/// Waits until the other side has left; see [`Closing::closed`]. Cancel-safe.
#[must_use = "futures do nothing unless they are awaited"]
pub struct WaitClosed<'a, E>(&'a mut E);

impl<'a, E> WaitClosed<'a, E> {
    pub(crate) fn new(end: &'a mut E) -> Self {
        WaitClosed(end)
    }
}

impl<E: Closing> Future for WaitClosed<'_, E> {
    type Output = ();

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.0.poll_closed(cx)
    }
}

impl<E> fmt::Debug for WaitClosed<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WaitClosed")
    }
}
