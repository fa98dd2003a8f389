//! The sessions over our protocol, written by hand.

use super::sides::sides;
use crate::links::Closed;
pub use crate::protocol::session::pipe;
use crate::protocol::session::{Client, Hello, Server};

/// The source of this file, the protocol and the sides, for `list --sloc`.
pub const SOURCES: &[&str] =
    &[include_str!("by_hand.rs"), include_str!("../../protocol/session.rs"), include_str!("sides.rs")];

sides!();
