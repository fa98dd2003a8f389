//! Connections of `tarpc`, with a call each.

use super::Session;
use crate::net::{Net, play};
use crate::pingpong::{tarpc_connected, tarpc_serve};
use crate::sides::{Played, Ready, failed};
use std::io;
use std::time::Instant;
use tarpc::context;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("tarpc.rs")];

pub fn server<N: Net>(game: &Session, ready: Ready<'_>) -> io::Result<u64> {
    let (place, address) = N::place()?;
    play(async {
        let listener = N::bind_async(&place).await?;
        ready(&address);
        let mut served = 0;
        for _ in 0..game.sessions {
            served += tarpc_serve(N::accept_async(&listener).await?).await;
        }
        Ok(served)
    })
}

pub fn client<N: Net>(game: &Session, address: &str) -> io::Result<Played> {
    play(async {
        let (dialer, begun) = (N::dialer(address)?, Instant::now());
        for session in 0..game.sessions {
            let client = tarpc_connected(N::dial(&dialer).await?);
            if client.ping(context::current(), session).await.map_err(failed)? != session {
                return Ok(Played::default());
            }
        }
        Ok(Played { received: game.sessions, time: begun.elapsed() })
    })
}
