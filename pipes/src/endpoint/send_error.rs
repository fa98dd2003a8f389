//! Errors of a send that waits for room, with the value that was not sent.

use std::error::Error;
use std::fmt;

/// Why a value was not sent. Contains the value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum TrySendError<T> {
    /// There is no room.
    Full(T),
    /// The receiver has left.
    Closed(T),
}

/// Why a value was not sent in time. Contains the value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum SendTimeoutError<T> {
    /// There was no room in time.
    Timeout(T),
    /// The receiver has left.
    Closed(T),
}

impl<T> TrySendError<T> {
    /// Returns the value.
    ///
    /// ```
    /// let (mut chan, _port) = pipes::sync_stream(1);
    /// chan.send(1)?;
    /// assert_eq!(chan.try_send(2).expect_err("there is no room").into_payload(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_payload(self) -> T {
        match self {
            TrySendError::Full(value) | TrySendError::Closed(value) => value,
        }
    }

    /// Returns `true` if the receiver has left.
    ///
    /// ```
    /// let (mut chan, port) = pipes::sync_stream(1);
    /// drop(port);
    /// assert!(chan.try_send(1).expect_err("the port has gone").is_closed());
    /// ```
    pub fn is_closed(&self) -> bool {
        matches!(self, TrySendError::Closed(_))
    }
}

impl<T> SendTimeoutError<T> {
    /// Returns the value.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let (mut chan, _port) = pipes::sync_stream(1);
    /// chan.send(1)?;
    /// let error =
    ///     chan.send_timeout(2, Duration::from_millis(1)).expect_err("there is no room");
    /// assert_eq!(error.into_payload(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_payload(self) -> T {
        match self {
            SendTimeoutError::Timeout(value) | SendTimeoutError::Closed(value) => value,
        }
    }

    /// Returns `true` if the receiver has left.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let (mut chan, port) = pipes::sync_stream(1);
    /// drop(port);
    /// assert!(
    ///     chan.send_timeout(1, Duration::from_secs(1))
    ///         .expect_err("the port has gone")
    ///         .is_closed()
    /// );
    /// ```
    pub fn is_closed(&self) -> bool {
        matches!(self, SendTimeoutError::Closed(_))
    }
}

impl<T> fmt::Display for TrySendError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TrySendError::Full(_) => "there is no room",
            TrySendError::Closed(_) => "the receiver has left",
        })
    }
}

impl<T> fmt::Display for SendTimeoutError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SendTimeoutError::Timeout(_) => "there was no room in time",
            SendTimeoutError::Closed(_) => "the receiver has left",
        })
    }
}

impl<T> fmt::Debug for TrySendError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TrySendError::Full(_) => "Full(..)",
            TrySendError::Closed(_) => "Closed(..)",
        })
    }
}

impl<T> fmt::Debug for SendTimeoutError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SendTimeoutError::Timeout(_) => "Timeout(..)",
            SendTimeoutError::Closed(_) => "Closed(..)",
        })
    }
}

impl<T> Error for TrySendError<T> {}
impl<T> Error for SendTimeoutError<T> {}
