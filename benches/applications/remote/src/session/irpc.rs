//! Calls of `irpc`, each over a stream of its own.

use super::Session;
use crate::pingpong::{irpc_call, irpc_serve};
use crate::sides::{Played, Ready};
use std::io;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("irpc.rs")];

pub fn server(game: &Session, ready: Ready<'_>) -> io::Result<u64> {
    irpc_serve(game.sessions, ready)
}

pub fn client(game: &Session, address: &str) -> io::Result<Played> {
    irpc_call(game.sessions, address)
}
