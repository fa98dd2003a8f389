//! The ring over our protocol, written with `proto!`.

use super::nodes::nodes;
use super::wiring::Position;
use crate::harness::Tally;
pub use ring::pipe;
use ring::{Client, Num, Server};

pipes::proto! {
    /// A number, repeatedly.
    pub ring {
        num: send {
            num(u64) -> num,
        }
    }
}

/// The source of this file and of the nodes, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("pipes.rs"), include_str!("nodes.rs")];

nodes!();
