//! The sessions over our protocol, written with `proto!`.

use super::sides::sides;
use pipes_benches::links::Closed;
pub use session::pipe;
use session::{Client, Hello, Server};

pipes::proto! {
    /// One message.
    pub session {
        hello: send {
            hello(u64) -> !,
        }
    }
}

/// The source of this file and of the sides, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("pipes.rs"), include_str!("sides.rs")];

sides!();
