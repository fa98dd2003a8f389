//! Connections of `remoc`, with a number in each direction.

use super::Session;
use crate::net::{Net, play};
use crate::pingpong::remoc_channel;
use crate::sides::{Played, Ready, failed};
use std::io;
use std::time::Instant;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("remoc.rs")];

pub fn server<N: Net>(game: &Session, ready: Ready<'_>) -> io::Result<u64> {
    let (place, address) = N::place()?;
    play(async {
        let listener = N::bind_async(&place).await?;
        ready(&address);
        for _ in 0..game.sessions {
            let (mut sender, mut receiver) =
                remoc_channel::<_, u64>(N::accept_async(&listener).await?).await?;
            let number = receiver.recv().await.map_err(failed)?.ok_or(io::ErrorKind::UnexpectedEof)?;
            sender.send(number).await.map_err(failed)?;
            // The client closes when it has the answer.
            let _ = receiver.recv().await;
        }
        Ok(game.sessions)
    })
}

pub fn client<N: Net>(game: &Session, address: &str) -> io::Result<Played> {
    play(async {
        let (dialer, begun) = (N::dialer(address)?, Instant::now());
        for session in 0..game.sessions {
            let (mut sender, mut receiver) = remoc_channel::<_, u64>(N::dial(&dialer).await?).await?;
            sender.send(session).await.map_err(failed)?;
            if receiver.recv().await.map_err(failed)? != Some(session) {
                return Ok(Played::default());
            }
        }
        Ok(Played { received: game.sessions, time: begun.elapsed() })
    })
}
