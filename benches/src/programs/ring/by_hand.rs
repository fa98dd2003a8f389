//! The ring over our protocol, written by hand.

use super::nodes::nodes;
use super::wiring::Position;
use crate::harness::Tally;
pub use crate::protocol::ring::pipe;
use crate::protocol::ring::{Client, Num, Server};

/// The source of this file, the protocol and the nodes, for `list --sloc`.
pub const SOURCES: &[&str] =
    &[include_str!("by_hand.rs"), include_str!("../../protocol/ring.rs"), include_str!("nodes.rs")];

nodes!();
