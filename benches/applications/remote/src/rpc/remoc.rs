//! Calls of a remote trait of `remoc`: the callers have clones of its client.

use super::{Rpc, total};
use crate::net::{Net, play};
use crate::pingpong::remoc_channel;
use crate::sides::{Played, Ready, failed};
use remoc::prelude::*;
use remoc::rtc::CallError;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use tokio::task::JoinSet;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("remoc.rs")];

#[rtc::remote]
pub trait Echo {
    /// Returns the number.
    async fn ping(&self, number: u64) -> Result<u64, CallError>;
}

struct Counting(AtomicU64);

impl Echo for Counting {
    async fn ping(&self, number: u64) -> Result<u64, CallError> {
        // ORDERING: the count is read after the last call has been answered and the client has gone.
        self.0.fetch_add(1, Ordering::Relaxed);
        Ok(number)
    }
}

pub fn server<N: Net>(_: &Rpc, ready: Ready<'_>) -> io::Result<u64> {
    let (place, address) = N::place()?;
    play(async {
        let listener = N::bind_async(&place).await?;
        ready(&address);
        let stream = N::accept_async(&listener).await?;
        let (mut sender, _receiver) = remoc_channel::<_, EchoClient>(stream).await?;
        let counting = Arc::new(Counting(AtomicU64::new(0)));
        let (server, client) = EchoServerShared::new(counting.clone());
        sender.send(client).await.map_err(failed)?;
        // An error is the end of the connection.
        let _ = server.serve().await;
        Ok(counting.0.load(Ordering::Relaxed))
    })
}

pub fn client<N: Net>(game: &Rpc, address: &str) -> io::Result<Played> {
    play(async {
        let stream = N::connect_async(address).await?;
        let (_sender, mut receiver) = remoc_channel::<_, EchoClient>(stream).await?;
        let client = receiver.recv().await.map_err(failed)?.ok_or(io::ErrorKind::UnexpectedEof)?;
        let begun = Instant::now();
        let mut callers = JoinSet::new();
        for which in 0..game.clients {
            callers.spawn(call(client.clone(), game.numbers(which)));
        }
        let received = total(callers).await?;
        Ok(Played { received, time: begun.elapsed() })
    })
}

async fn call(client: EchoClient, numbers: Range<u64>) -> io::Result<u64> {
    let mut received = 0;
    for number in numbers {
        received += u64::from(client.ping(number).await.map_err(failed)? == number);
    }
    Ok(received)
}
