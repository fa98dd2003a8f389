//! The ping-pong over our protocol, written by hand.

use std::io;

use super::sides::sides;
use super::{Pingpong, Received};
use crate::executor::Executor;
use crate::protocol::pingpong::{Client, Ping, Pong, Server, pipe};

/// This file, the protocol and the sides, to be counted.
pub const SOURCES: &[&str] =
    &[include_str!("by_hand.rs"), include_str!("../../protocol/pingpong.rs"), include_str!("sides.rs")];

sides!();
