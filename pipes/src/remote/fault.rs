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
                write!(f, "a message has {length} bytes, and at most {limit} are allowed")
            }
            Fault::Empty => f.write_str("an empty frame has come, and `pipes` sends none"),
            Fault::Unexpected { code } => {
                write!(f, "a frame with the code {code} has come, which is not sent at this point")
            }
            Fault::NoSuchMessage { state, tag } => {
                write!(f, "message {tag} has come, and the state `{state}` has no such message")
            }
            Fault::Undecodable(reason) => write!(f, "a payload cannot be decoded: {reason}"),
            Fault::LeftOver { bytes } => write!(
                f,
                "a payload has {bytes} bytes after its end, so its type may differ between the programs"
            ),
            Fault::Unencodable(reason) => write!(f, "a payload cannot be encoded, and is lost: {reason}"),
            Fault::Panicked => f.write_str("the code that encodes or decodes a payload has panicked"),
            Fault::Reported(words) => write!(f, "the other side reports: {words}"),
        }
    }
}

impl Error for Fault {}
