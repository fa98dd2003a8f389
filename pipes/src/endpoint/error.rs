//! Errors, as values that return what was not consumed.

use std::error::Error;
use std::fmt;

/// The receiver has left. Contains what was not sent.
///
/// `P` is the message's payload: `()` if it has none, the value if it is one, a tuple if there are more.
#[doc(alias = "disconnected")]
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SendError<P>(pub P);

impl<P> SendError<P> {
    /// Returns what was not sent.
    ///
    /// ```
    /// let (chan, port) = pipes::oneshot();
    /// drop(port);
    /// let error = chan.send(String::from("not lost")).expect_err("the port has gone");
    /// assert_eq!(error.into_payload(), "not lost");
    /// ```
    pub fn into_payload(self) -> P {
        self.0
    }
}

/// The sender has left, and there is nothing left to receive: the endpoint's message was not sent, or all
/// messages of a stream were received.
#[doc(alias = "disconnected")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecvError;

/// A member of a set has closed: its sender has left, and everything that was sent was received.
#[doc(alias = "disconnected")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closed;

/// A set has no members, so there is nothing to wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetEmpty;

/// Why a receive returned no message.
///
/// `E` is the endpoint, which is returned if it is still usable; a [`Port`](crate::Port) is only borrowed, so
/// there `E` is `()`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum TryRecvError<E = ()> {
    /// Nothing was sent yet. Contains the endpoint.
    Empty(E),
    /// The sender has left, and there is nothing left to receive.
    Closed,
}

/// Why a receive returned no message in time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum RecvTimeoutError<E = ()> {
    /// Nothing was sent in time. Contains the endpoint.
    Timeout(E),
    /// The sender has left, and there is nothing left to receive.
    Closed,
}

/// Why a receive beside another future returned no message; see
/// [`Receive::recv_or`](crate::Receive::recv_or).
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

impl<E> TryRecvError<E> {
    /// Returns `true` if the sender has left.
    ///
    /// ```
    /// let (chan, port) = pipes::oneshot::<u32>();
    /// drop(chan);
    /// assert!(port.try_recv().expect_err("nothing was sent").is_closed());
    /// ```
    pub fn is_closed(&self) -> bool {
        matches!(self, TryRecvError::Closed)
    }

    /// Maps the endpoint in the error.
    pub(crate) fn map<F>(self, with: impl FnOnce(E) -> F) -> TryRecvError<F> {
        match self {
            TryRecvError::Empty(endpoint) => TryRecvError::Empty(with(endpoint)),
            TryRecvError::Closed => TryRecvError::Closed,
        }
    }
}

impl<E> RecvTimeoutError<E> {
    /// Returns `true` if the sender has left.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let (_chan, port) = pipes::oneshot::<u32>();
    /// let error =
    ///     port.recv_timeout(Duration::from_millis(1)).expect_err("nothing was sent");
    /// assert!(!error.is_closed(), "it is only late");
    /// ```
    pub fn is_closed(&self) -> bool {
        matches!(self, RecvTimeoutError::Closed)
    }

    /// Maps the endpoint in the error.
    pub(crate) fn map<F>(self, with: impl FnOnce(E) -> F) -> RecvTimeoutError<F> {
        match self {
            RecvTimeoutError::Timeout(endpoint) => RecvTimeoutError::Timeout(with(endpoint)),
            RecvTimeoutError::Closed => RecvTimeoutError::Closed,
        }
    }
}

impl<E, O> RecvOrError<E, O> {
    /// Returns `true` if the sender has left.
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

const SENDER_LEFT: &str = "the sender has left";

impl<P> fmt::Display for SendError<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the receiver has left")
    }
}

impl fmt::Display for RecvError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(SENDER_LEFT)
    }
}

impl fmt::Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(SENDER_LEFT)
    }
}

impl fmt::Display for SetEmpty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the set has no members")
    }
}

impl<E> fmt::Display for TryRecvError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TryRecvError::Empty(_) => "nothing was sent yet",
            TryRecvError::Closed => SENDER_LEFT,
        })
    }
}

impl<E> fmt::Display for RecvTimeoutError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RecvTimeoutError::Timeout(_) => "nothing was sent in time",
            RecvTimeoutError::Closed => SENDER_LEFT,
        })
    }
}

impl<E, O> fmt::Display for RecvOrError<E, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RecvOrError::Other(..) => "nothing was sent before the other future was ready",
            RecvOrError::Closed => SENDER_LEFT,
        })
    }
}

// The implementations need no `Debug` of the payload or the endpoint, so the errors of all types can be
// printed.

impl<P> fmt::Debug for SendError<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SendError").finish_non_exhaustive()
    }
}

impl<E> fmt::Debug for TryRecvError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TryRecvError::Empty(_) => "Empty(..)",
            TryRecvError::Closed => "Closed",
        })
    }
}

impl<E> fmt::Debug for RecvTimeoutError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RecvTimeoutError::Timeout(_) => "Timeout(..)",
            RecvTimeoutError::Closed => "Closed",
        })
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

impl<P> Error for SendError<P> {}
impl Error for RecvError {}
impl Error for Closed {}
impl Error for SetEmpty {}
impl<E> Error for TryRecvError<E> {}
impl<E> Error for RecvTimeoutError<E> {}
impl<E, O> Error for RecvOrError<E, O> {}
