//! The ping-pong over the socket alone: eight bytes, and eight bytes back.

use super::Pingpong;
use crate::net::{Blocking, Net, linger, play};
use crate::sides::{Played, Ready};
use std::io::{self, Read, Write};
use std::time::Instant;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("raw.rs")];

pub fn server<N: Blocking>(game: &Pingpong, ready: Ready<'_>) -> io::Result<u64> {
    let (place, address) = N::place()?;
    let listener = N::bind(&place)?;
    ready(&address);
    let mut stream = N::accept(&listener)?;
    let mut number = [0; 8];
    for _ in 0..game.rounds {
        stream.read_exact(&mut number)?;
        stream.write_all(&number)?;
    }
    Ok(game.rounds)
}

pub fn client<N: Blocking>(game: &Pingpong, address: &str) -> io::Result<Played> {
    let mut stream = N::connect(address)?;
    let mut answer = [0; 8];
    let begun = Instant::now();
    for round in 0..game.rounds {
        stream.write_all(&round.to_le_bytes())?;
        stream.read_exact(&mut answer)?;
        if u64::from_le_bytes(answer) != round {
            return Ok(Played::default());
        }
    }
    Ok(Played { received: game.rounds, time: begun.elapsed() })
}

pub fn server_task<N: Net>(game: &Pingpong, ready: Ready<'_>) -> io::Result<u64> {
    let (place, address) = N::place()?;
    play(async {
        let listener = N::bind_async(&place).await?;
        ready(&address);
        let mut stream = N::accept_async(&listener).await?;
        let mut number = [0; 8];
        for _ in 0..game.rounds {
            stream.read_exact(&mut number).await?;
            stream.write_all(&number).await?;
        }
        linger(&mut stream).await;
        Ok(game.rounds)
    })
}

pub fn client_task<N: Net>(game: &Pingpong, address: &str) -> io::Result<Played> {
    play(async {
        let mut stream = N::connect_async(address).await?;
        let mut answer = [0; 8];
        let begun = Instant::now();
        for round in 0..game.rounds {
            stream.write_all(&round.to_le_bytes()).await?;
            stream.read_exact(&mut answer).await?;
            if u64::from_le_bytes(answer) != round {
                return Ok(Played::default());
            }
        }
        Ok(Played { received: game.rounds, time: begun.elapsed() })
    })
}
