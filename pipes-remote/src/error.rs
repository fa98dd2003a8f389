//! Why there is no session, or no listener.
//!
//! # Layers
//!
//! Uses `hello` and `distrust`; used by `engine` and everything above it.

use crate::distrust::{CertificateError, Distrust};
use crate::hello::Refusal;
use pipes::remote::{Fingerprint, Peer};
use std::error::Error;
use std::fmt;
use std::io;
use std::time::Duration;

/// Why a session with another program could not begin.
///
/// [`is_temporary`](ConnectError::is_temporary) says whether it makes sense to try again.
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
    /// The program at this address was reached, and its certificate is not trusted. Nothing was sent to it.
    ///
    /// It may be a stranger, or the right program with a new certificate.
    Untrusted {
        /// The address.
        address: String,
        /// The fingerprint of the certificate that it has shown.
        theirs: Fingerprint,
        /// Why this certificate is not trusted. If it is not one of the expected ones, contains those.
        reason: Distrust,
    },
    /// The other program was reached and refuses the session.
    Refused {
        /// The address.
        address: String,
        /// Why.
        reason: Refusal,
    },
}

/// Why a client has no session; see [`Via::on_refused`](crate::Via::on_refused).
#[derive(Debug)]
#[non_exhaustive]
pub enum AcceptError {
    /// The client's certificate is not trusted. The client has not proved that the certificate is its own.
    Untrusted {
        /// The fingerprint of the certificate that it has shown.
        theirs: Fingerprint,
        /// Why this certificate is not trusted.
        reason: Distrust,
    },
    /// The client has shown no certificate, and needs one.
    NoCertificate,
    /// The client was told this reason. For example, it has another protocol, is not admitted, or has too
    /// many sessions.
    Refused(Refusal),
    /// The handshake has failed: the connection broke, the client speaks something else, or it does not trust
    /// this program.
    Failed(io::Error),
    /// The client has not finished its handshake in time.
    TimedOut,
    /// Too many connections of the same peer wait for their handshake.
    TooMany,
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

/// A client that an engine has refused. The engine puts it into the `io::Error` of its `accept`.
#[derive(Debug)]
pub(crate) struct RefusedClient {
    pub(crate) peer: Peer,
    pub(crate) why: AcceptError,
}

impl ConnectError {
    /// Returns the error for what an engine has reported.
    pub(crate) fn from_io(address: String, error: io::Error) -> Self {
        match error.downcast() {
            Ok(CertificateError::Untrusted { theirs, reason }) => {
                ConnectError::Untrusted { address, theirs, reason }
            }
            Ok(CertificateError::Refused) => ConnectError::Refused { address, reason: Refusal::Untrusted },
            Ok(missing @ CertificateError::Missing) => {
                ConnectError::Unreachable { address, error: missing.into() }
            }
            Err(error) => ConnectError::Unreachable { address, error },
        }
    }

    /// Returns the kind for an `io::Error` with this error inside.
    pub(crate) fn kind(&self) -> io::ErrorKind {
        match self {
            ConnectError::Unreachable { error, .. } => error.kind(),
            ConnectError::TimedOut { .. } => io::ErrorKind::TimedOut,
            ConnectError::Untrusted { .. } => io::ErrorKind::PermissionDenied,
            ConnectError::Refused { .. } => io::ErrorKind::ConnectionRefused,
        }
    }

    /// Returns `true` if the same attempt may succeed later: the other program may not have started yet, be
    /// too busy, or be cut off from the network.
    ///
    /// Returns `false` if another attempt fails as well until a person changes something: a certificate that
    /// one side does not trust, another protocol or codec, a peer that is not admitted, a malformed address,
    /// a missing permission, or another program at this address.
    ///
    /// ```
    /// # pipes::proto! { #[remote] pub greeting { hello: send { hello(String) -> ! } } }
    /// # fn retry_later() {}
    /// let there = pipes_remote::tcp("127.0.0.1:1");
    /// match greeting::connect(&there) {
    ///     Ok(client) => client.hello("good morning".into())?,
    ///     Err(error) if error.is_temporary() => retry_later(),
    ///     Err(error) => return Err(error.into()),
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_temporary(&self) -> bool {
        use io::ErrorKind::{InvalidData, InvalidInput, PermissionDenied, Unsupported};
        match self {
            ConnectError::Unreachable { error, .. } => {
                !matches!(error.kind(), InvalidData | InvalidInput | PermissionDenied | Unsupported)
            }
            ConnectError::TimedOut { .. } => true,
            ConnectError::Untrusted { .. } => false,
            ConnectError::Refused { reason, .. } => {
                matches!(reason, Refusal::Busy | Refusal::NobodyListens | Refusal::Sessions { .. })
            }
        }
    }
}

impl From<io::Error> for AcceptError {
    fn from(error: io::Error) -> Self {
        match error.downcast() {
            Ok(CertificateError::Untrusted { theirs, reason }) => AcceptError::Untrusted { theirs, reason },
            Ok(CertificateError::Missing) => AcceptError::NoCertificate,
            Ok(refused @ CertificateError::Refused) => AcceptError::Failed(refused.into()),
            Err(error) => AcceptError::Failed(error),
        }
    }
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
            ConnectError::Untrusted { address, theirs, reason } => {
                write!(f, "{address:?} has shown the certificate with the fingerprint {theirs}: {reason}")
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
            _ => None,
        }
    }
}

impl fmt::Display for AcceptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AcceptError::Untrusted { theirs, reason } => {
                write!(f, "it has shown the certificate with the fingerprint {theirs}: {reason}")
            }
            AcceptError::NoCertificate => f.write_str("it has shown no certificate"),
            AcceptError::Refused(reason) => write!(f, "it was told: {reason}"),
            AcceptError::Failed(error) => write!(f, "its handshake has failed: {error}"),
            AcceptError::TimedOut => f.write_str("it has not finished its handshake in time"),
            AcceptError::TooMany => f.write_str("too many connections of this peer wait for their handshake"),
        }
    }
}

impl Error for AcceptError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            AcceptError::Failed(error) => Some(error),
            _ => None,
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

impl fmt::Display for RefusedClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} was refused: {}", self.peer, self.why)
    }
}

impl Error for RefusedClient {}
