//! The ping-pong over our protocol, written with `proto!`.

use std::io;

use super::sides::sides;
use super::{Pingpong, Received};
use crate::latency::Stopwatch;
use pingpong::{Client, Ping, Pong, Server, pipe};
use pipes_benches::executor::Executor;

pipes::proto! {
    /// A ping and its pong, repeatedly.
    pub pingpong {
        ping: send {
            ping -> pong,
        }
        pong: recv {
            pong -> ping,
        }
    }
}

/// The source of this file and of the sides, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("pipes.rs"), include_str!("sides.rs")];

sides!();
