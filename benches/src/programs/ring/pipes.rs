//! The ring over our protocol, written with `proto!`.

use super::nodes::nodes;
use super::wiring::Seat;
use crate::harness::Tally;
pub use ring::pipe;
use ring::{Client, Num, Server};

pipes::proto! {
    /// A number, again and again.
    pub ring {
        num: send {
            num(u64) -> num,
        }
    }
}

/// This file and the nodes, to be counted.
pub const SOURCES: &[&str] = &[include_str!("pipes.rs"), include_str!("nodes.rs")];

nodes!();
