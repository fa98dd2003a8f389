//! Violations of a protocol on a connection.

use std::error::Error;
use std::fmt;

/// Something on a connection that the protocol does not allow. It ends the session.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// A message of more bytes than the receiver allows.
    TooLong {
        /// The bytes of the message.
        length: usize,
        /// The most bytes that the receiver allows.
        limit: usize,
    },
    /// A frame without a code.
    Empty,
    /// A frame of a kind that does not exist, or that is not sent at this point.
    Unexpected {
        /// The code of the frame.
        code: u32,
    },
    /// A message that is not sent in the state of the session.
    NoSuchMessage {
        /// The name of the state.
        state: &'static str,
        /// The index of the message in its state, from 0.
        tag: u32,
    },
    /// Bytes that are not a payload of the message.
    Undecodable(String),
    /// A payload with bytes after its end.
    LeftOver {
        /// The number of bytes.
        bytes: usize,
    },
    /// A payload that cannot be encoded. It is lost.
    Unencodable(String),
    /// The code that encodes or decodes a payload has panicked.
    Panicked,
    /// The other side has reported a fault. Contains its text.
    Reported(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::TooLong { length, limit } => {
                write!(f, "a message of {length} bytes, where at most {limit} are allowed")
            }
            Fault::Empty => f.write_str("an empty frame"),
            Fault::Unexpected { code } => write!(f, "a frame with the code {code}, which is not sent here"),
            Fault::NoSuchMessage { state, tag } => {
                write!(f, "message {tag} of the state `{state}`, which cannot be sent now")
            }
            Fault::Undecodable(reason) => write!(f, "a payload that cannot be decoded: {reason}"),
            Fault::LeftOver { bytes } => write!(f, "a payload with {bytes} bytes after its end"),
            Fault::Unencodable(reason) => write!(f, "a payload that cannot be encoded: {reason}"),
            Fault::Panicked => f.write_str("a panic in the code that encodes or decodes a payload"),
            Fault::Reported(words) => write!(f, "the other side reports {words}"),
        }
    }
}

impl Error for Fault {}
