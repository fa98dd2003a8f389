//! Sockets alone, one for each caller: eight bytes, and eight bytes back.

use super::{Rpc, joined, total};
use crate::net::{Blocking, Net, play};
use crate::sides::{Played, Ready};
use std::io::{self, Read, Write};
use std::ops::Range;
use std::thread;
use std::time::Instant;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::task::JoinSet;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("raw.rs")];

pub fn server<N: Blocking>(game: &Rpc, ready: Ready<'_>) -> io::Result<u64> {
    let (place, address) = N::place()?;
    let listener = N::bind(&place)?;
    ready(&address);
    thread::scope(|scope| {
        let mut sessions = Vec::new();
        for _ in 0..game.clients {
            let stream = N::accept(&listener)?;
            sessions.push(scope.spawn(|| serve(stream)));
        }
        joined(sessions)
    })
}

fn serve(mut stream: impl Read + Write) -> io::Result<u64> {
    let (mut number, mut served) = ([0; 8], 0);
    while stream.read_exact(&mut number).is_ok() {
        stream.write_all(&number)?;
        served += 1;
    }
    Ok(served)
}

pub fn client<N: Blocking>(game: &Rpc, address: &str) -> io::Result<Played> {
    let mut streams = Vec::new();
    for _ in 0..game.clients {
        streams.push(N::connect(address)?);
    }
    let begun = Instant::now();
    let received = thread::scope(|scope| {
        let mut callers = Vec::new();
        for (stream, which) in streams.into_iter().zip(0..) {
            let numbers = game.numbers(which);
            callers.push(scope.spawn(|| call(stream, numbers)));
        }
        joined(callers)
    })?;
    Ok(Played { received, time: begun.elapsed() })
}

/// Returns how many of the answers were right.
fn call(mut stream: impl Read + Write, numbers: Range<u64>) -> io::Result<u64> {
    let (mut answer, mut received) = ([0; 8], 0);
    for number in numbers {
        stream.write_all(&number.to_le_bytes())?;
        stream.read_exact(&mut answer)?;
        received += u64::from(u64::from_le_bytes(answer) == number);
    }
    Ok(received)
}

pub fn server_task<N: Net>(game: &Rpc, ready: Ready<'_>) -> io::Result<u64> {
    let (place, address) = N::place()?;
    play(async {
        let listener = N::bind_async(&place).await?;
        ready(&address);
        let mut sessions = JoinSet::new();
        for _ in 0..game.clients {
            sessions.spawn(serve_task(N::accept_async(&listener).await?));
        }
        total(sessions).await
    })
}

async fn serve_task(mut stream: impl AsyncRead + AsyncWrite + Unpin) -> io::Result<u64> {
    let (mut number, mut served) = ([0; 8], 0);
    while stream.read_exact(&mut number).await.is_ok() {
        stream.write_all(&number).await?;
        stream.flush().await?;
        served += 1;
    }
    Ok(served)
}

pub fn client_task<N: Net>(game: &Rpc, address: &str) -> io::Result<Played> {
    play(async {
        let (dialer, mut streams) = (N::dialer(address)?, Vec::new());
        for _ in 0..game.clients {
            streams.push(N::dial(&dialer).await?);
        }
        let begun = Instant::now();
        let mut callers = JoinSet::new();
        for (stream, which) in streams.into_iter().zip(0..) {
            callers.spawn(call_task(stream, game.numbers(which)));
        }
        let received = total(callers).await?;
        Ok(Played { received, time: begun.elapsed() })
    })
}

async fn call_task(mut stream: impl AsyncRead + AsyncWrite + Unpin, numbers: Range<u64>) -> io::Result<u64> {
    let (mut answer, mut received) = ([0; 8], 0);
    for number in numbers {
        stream.write_all(&number.to_le_bytes()).await?;
        stream.flush().await?;
        stream.read_exact(&mut answer).await?;
        received += u64::from(u64::from_le_bytes(answer) == number);
    }
    Ok(received)
}
