//! What can go wrong, as values that hand back what was not consumed.

use std::error::Error;
use std::fmt;

/// The receiver has left: here is what was to be sent.
///
/// `P` is the message's payload: `()` if it has none, the value if it is one, a tuple if there are more.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SendError<P>(P);

impl<P> SendError<P> {
    pub(crate) fn new(payload: P) -> Self {
        SendError(payload)
    }

    /// What was to be sent.
    pub fn into_payload(self) -> P {
        self.0
    }
}

/// The sender has left without sending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecvError;

/// A member of a set has closed: its sender has left, and everything that was sent is received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closed;

/// A set has no members, so that there is nothing to wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetEmpty;

/// Why there is no message now.
///
/// `E` is the endpoint that was asked, which comes back if it is still good; a [`Port`](crate::Port) is only borrowed and
/// has nothing to hand back.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum TryRecvError<E = ()> {
    /// Nothing was sent yet; here is the endpoint.
    Empty(E),
    /// The sender has left without sending.
    Closed,
}

/// Why there was no message in time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum RecvTimeoutError<E = ()> {
    /// Nothing was sent in time; here is the endpoint.
    Timeout(E),
    /// The sender has left without sending.
    Closed,
}

impl<E> TryRecvError<E> {
    /// Has the sender left?
    pub fn is_closed(&self) -> bool {
        matches!(self, TryRecvError::Closed)
    }

    /// The same, about another endpoint.
    pub(crate) fn map<F>(self, with: impl FnOnce(E) -> F) -> TryRecvError<F> {
        match self {
            TryRecvError::Empty(endpoint) => TryRecvError::Empty(with(endpoint)),
            TryRecvError::Closed => TryRecvError::Closed,
        }
    }
}

impl<E> RecvTimeoutError<E> {
    /// Has the sender left?
    pub fn is_closed(&self) -> bool {
        matches!(self, RecvTimeoutError::Closed)
    }

    /// The same, about another endpoint.
    pub(crate) fn map<F>(self, with: impl FnOnce(E) -> F) -> RecvTimeoutError<F> {
        match self {
            RecvTimeoutError::Timeout(endpoint) => RecvTimeoutError::Timeout(with(endpoint)),
            RecvTimeoutError::Closed => RecvTimeoutError::Closed,
        }
    }
}

const SENDER_LEFT: &str = "the sender has left without sending";

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
        f.write_str("the sender has left")
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

// Printed for every payload and every endpoint, also those that cannot be printed themselves.

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

impl<P> Error for SendError<P> {}
impl Error for RecvError {}
impl Error for Closed {}
impl Error for SetEmpty {}
impl<E> Error for TryRecvError<E> {}
impl<E> Error for RecvTimeoutError<E> {}
