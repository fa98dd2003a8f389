//! The ping-pong over our protocol, written by hand.

use std::io;

use super::sides::sides;
use super::{Pingpong, Received};
use crate::latency::Stopwatch;
use crate::protocol::pingpong::{Client, Ping, Pong, Server, pipe};
use pipes_benches::executor::Executor;

/// The source of this file, the protocol and the sides, for `list --sloc`.
pub const SOURCES: &[&str] =
    &[include_str!("by_hand.rs"), include_str!("../../protocol/pingpong.rs"), include_str!("sides.rs")];

sides!();
