//! Calls of `tarpc`: the callers have clones of a client.

use super::{Rpc, total};
use crate::net::{Net, play};
use crate::pingpong::{EchoClient, tarpc_connected, tarpc_serve};
use crate::sides::{Played, Ready, failed};
use std::io;
use std::ops::Range;
use std::time::Instant;
use tarpc::context;
use tokio::task::JoinSet;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("tarpc.rs")];

pub fn server<N: Net>(_: &Rpc, ready: Ready<'_>) -> io::Result<u64> {
    let (place, address) = N::place()?;
    play(async {
        let listener = N::bind_async(&place).await?;
        ready(&address);
        Ok(tarpc_serve(N::accept_async(&listener).await?).await)
    })
}

pub fn client<N: Net>(game: &Rpc, address: &str) -> io::Result<Played> {
    play(async {
        let client = tarpc_connected(N::connect_async(address).await?);
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
        let answer = client.ping(context::current(), number).await.map_err(failed)?;
        received += u64::from(answer == number);
    }
    Ok(received)
}
