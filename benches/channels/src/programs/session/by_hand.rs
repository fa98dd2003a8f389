//! The sessions over our protocol, written by hand.

use super::sides::sides;
pub use crate::protocol::session::pipe;
use crate::protocol::session::{Client, Hello, Server};
use pipes_benches::links::Closed;

/// The source of this file, the protocol and the sides, for `list --sloc`.
pub const SOURCES: &[&str] =
    &[include_str!("by_hand.rs"), include_str!("../../protocol/session.rs"), include_str!("sides.rs")];

sides!();
