//! Why there is no session, or no listener.

use crate::hello::Refusal;
use std::error::Error;
use std::fmt;
use std::io;
use std::time::Duration;

/// Why a session with another program could not begin.
#[derive(Debug)]
#[non_exhaustive]
pub enum ConnectError {
    /// The address cannot be reached. It is malformed, its name does not resolve, no program listens there,
    /// or the connection broke in the handshake.
    Unreachable {
        /// The address, as the engine writes it.
        address: String,
        /// What the system says.
        error: io::Error,
    },
    /// There was no answer in time.
    TimedOut {
        /// The address.
        address: String,
        /// The time.
        time: Duration,
    },
    /// The other program was reached and refuses the session.
    Refused {
        /// The address.
        address: String,
        /// Why.
        reason: Refusal,
    },
}

/// Why it is not possible to listen at an address.
#[derive(Debug)]
#[non_exhaustive]
pub enum ListenError {
    /// The address cannot be bound. It is malformed, its port or its file is in use, or its name does not
    /// resolve.
    Unavailable {
        /// The address, as the engine writes it.
        address: String,
        /// What the system says.
        error: io::Error,
    },
    /// There is a listener for a protocol of this name already.
    Taken {
        /// The address.
        address: String,
        /// The protocol's name.
        protocol: &'static str,
    },
}

impl fmt::Display for ConnectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConnectError::Unreachable { address, error } => {
                write!(f, "cannot connect to {address:?}: {error}")
            }
            ConnectError::TimedOut { address, time } => {
                write!(f, "cannot connect to {address:?}: no answer within {time:?}")
            }
            ConnectError::Refused { address, reason } => {
                write!(f, "{address:?} refuses the session: {reason}")
            }
        }
    }
}

impl Error for ConnectError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            ConnectError::Unreachable { error, .. } => Some(error),
            ConnectError::TimedOut { .. } | ConnectError::Refused { .. } => None,
        }
    }
}

impl fmt::Display for ListenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ListenError::Unavailable { address, error } => write!(f, "cannot listen at {address:?}: {error}"),
            ListenError::Taken { address, protocol } => {
                write!(f, "cannot listen at {address:?}: it has a listener for `{protocol}` already")
            }
        }
    }
}

impl Error for ListenError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            ListenError::Unavailable { error, .. } => Some(error),
            ListenError::Taken { .. } => None,
        }
    }
}
