//! Every kind of end that a worker can hold.

use crate::chans::{Many, One, Single as Chan};
use crate::once::{Later, Single as PortOne};
use crate::ports::{Shared, Single as Port};
use crate::services::{Caller, Duplex, Service};
use crate::sessions::Session;
use crate::sets::Set;
use crate::worker::Worker;

macro_rules! ends {
    ($($end:ident($kind:ty), $text:literal;)*) => {
        /// An end of a pipe, with what is known of the pipe.
        pub enum End { $($end($kind)),* }

        /// The texts of a worker's notes, by number; the first three are for a worker without an end.
        pub const NOTES: &[&str] = &["searching", "done", "clearing", $($text),*];

        impl End {
            /// The number of its note.
            pub fn note(&self) -> u8 {
                let text = match self { $(End::$end(_) => $text),* };
                NOTES.iter().position(|note| *note == text).unwrap_or_default() as u8
            }

            /// Does one random operation, and returns what is left.
            pub fn act(self, worker: &mut Worker) -> Option<End> {
                match self { $(End::$end(end) => end.act(worker)),* }
            }
        }
    };
}

ends! {
    Chan(Chan), "chan";
    SharedChan(Many), "shared chan";
    ChanOne(One), "chan of a oneshot";
    Port(Port), "port";
    SharedPort(Shared), "shared port";
    PortOne(PortOne), "port of a oneshot";
    Eventual(Later), "eventual";
    Set(Set), "set";
    Session(Session), "session";
    Duplex(Duplex), "duplex stream";
    Connector(Caller), "connector";
    Listener(Service), "listener";
}

impl End {
    /// Returns `true` if the end only sends.
    pub fn sends(&self) -> bool {
        matches!(self, End::Chan(_) | End::SharedChan(_) | End::ChanOne(_) | End::Connector(_))
    }

    /// Returns `true` if messages of its pipe carry ends. Such an end is not carried itself, so that no pipe
    /// comes to lie in its own messages.
    pub fn carries(&self) -> bool {
        match self {
            End::Chan(end) => end.side.ledger.carries,
            End::SharedChan(end) => end.side.ledger.carries,
            End::Port(end) => end.side.ledger.carries,
            End::SharedPort(end) => end.side.ledger.carries,
            End::Set(end) => end.carries,
            End::Session(end) => end.side.ledger.carries,
            // Sessions lie unread in a service, and those that it makes carry nothing.
            _ => false,
        }
    }
}
