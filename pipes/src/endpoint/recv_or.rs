//! A receive in a task that another future ends.

use super::error::RecvError;
use super::receive::Receive;
use std::error::Error;
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Poll, ready};

/// Why a receive beside another future returned no message; see [`Receive::recv_or`].
///
/// `E` is the endpoint, which is returned if it is still usable; a [`Port`](crate::Port) is only borrowed, so
/// there `E` is `()`. `O` is the output of the other future.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum RecvOrError<E = (), O = ()> {
    /// The other future was ready first. Contains the endpoint, and that future's output.
    Other(E, O),
    /// The sender has left, and there is nothing left to receive.
    Closed,
}

impl<E, O> RecvOrError<E, O> {
    /// Returns true if the sender has left.
    ///
    /// ```
    /// # futures::executor::block_on(async {
    /// let (chan, port) = pipes::oneshot::<u32>();
    /// drop(chan);
    /// let error = port.recv_or(std::future::pending::<()>()).await;
    /// assert!(error.expect_err("nothing was sent").is_closed());
    /// # });
    /// ```
    pub fn is_closed(&self) -> bool {
        matches!(self, RecvOrError::Closed)
    }
}

/// [`Receive::recv_or`]; `back` makes what the error contains of the receiver.
pub(crate) async fn recv_or<R: Receive, F: Future, E>(
    receiver: R,
    other: F,
    back: impl FnOnce(R) -> E,
) -> Result<R::Message, RecvOrError<E, F::Output>> {
    let mut receive = receiver.recv_async();
    let mut other = pin!(other);
    let first = poll_fn(|cx| {
        if let Poll::Ready(received) = Pin::new(&mut receive).poll(cx) {
            return Poll::Ready(Ok(received));
        }
        Poll::Ready(Err(ready!(other.as_mut().poll(cx))))
    });
    match first.await {
        Ok(received) => received.map_err(|RecvError| RecvOrError::Closed),
        Err(output) => Err(match receive.into_inner() {
            Some(receiver) => RecvOrError::Other(back(receiver), output),
            None => RecvOrError::Closed,
        }),
    }
}

impl<E, O> fmt::Display for RecvOrError<E, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecvOrError::Other(..) => f.write_str("nothing was sent before the other future was ready"),
            RecvOrError::Closed => RecvError.fmt(f),
        }
    }
}

impl<E, O> fmt::Debug for RecvOrError<E, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RecvOrError::Other(..) => "Other(..)",
            RecvOrError::Closed => "Closed",
        })
    }
}

impl<E, O> Error for RecvOrError<E, O> {}
