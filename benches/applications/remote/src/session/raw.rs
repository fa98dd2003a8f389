//! Connections alone, with eight bytes in each direction.

use super::Session;
use crate::net::{Blocking, Net, linger, play};
use crate::sides::{Played, Ready};
use std::io::{self, Read, Write};
use std::time::Instant;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("raw.rs")];

pub fn server<N: Blocking>(game: &Session, ready: Ready<'_>) -> io::Result<u64> {
    let (place, address) = N::place()?;
    let listener = N::bind(&place)?;
    ready(&address);
    let mut number = [0; 8];
    for _ in 0..game.sessions {
        let mut stream = N::accept(&listener)?;
        stream.read_exact(&mut number)?;
        stream.write_all(&number)?;
    }
    Ok(game.sessions)
}

pub fn client<N: Blocking>(game: &Session, address: &str) -> io::Result<Played> {
    let (begun, mut answer) = (Instant::now(), [0; 8]);
    for session in 0..game.sessions {
        let mut stream = N::connect(address)?;
        stream.write_all(&session.to_le_bytes())?;
        stream.read_exact(&mut answer)?;
        if u64::from_le_bytes(answer) != session {
            return Ok(Played::default());
        }
    }
    Ok(Played { received: game.sessions, time: begun.elapsed() })
}

pub fn server_task<N: Net>(game: &Session, ready: Ready<'_>) -> io::Result<u64> {
    let (place, address) = N::place()?;
    play(async {
        let listener = N::bind_async(&place).await?;
        ready(&address);
        let mut number = [0; 8];
        for session in 0..game.sessions {
            let mut stream = N::accept_async(&listener).await?;
            stream.read_exact(&mut number).await?;
            stream.write_all(&number).await?;
            stream.flush().await?;
            if session + 1 == game.sessions {
                linger(&mut stream).await;
            }
        }
        Ok(game.sessions)
    })
}

pub fn client_task<N: Net>(game: &Session, address: &str) -> io::Result<Played> {
    play(async {
        let (dialer, mut answer) = (N::dialer(address)?, [0; 8]);
        let begun = Instant::now();
        for session in 0..game.sessions {
            let mut stream = N::dial(&dialer).await?;
            stream.write_all(&session.to_le_bytes()).await?;
            stream.flush().await?;
            stream.read_exact(&mut answer).await?;
            if u64::from_le_bytes(answer) != session {
                return Ok(Played::default());
            }
        }
        Ok(Played { received: game.sessions, time: begun.elapsed() })
    })
}
