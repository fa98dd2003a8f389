//! Calls of `irpc`, each over a stream of its own: the callers have clones of a client.

use super::{Rpc, total};
use crate::net::play;
use crate::pingpong::{IrpcEcho, IrpcNumber, irpc_connected, irpc_serve};
use crate::sides::{Played, Ready, failed};
use irpc::Client;
use std::io;
use std::ops::Range;
use std::time::Instant;
use tokio::task::JoinSet;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("irpc.rs")];

pub fn server(game: &Rpc, ready: Ready<'_>) -> io::Result<u64> {
    irpc_serve(game.calls, ready)
}

pub fn client(game: &Rpc, address: &str) -> io::Result<Played> {
    play(async {
        let connected = irpc_connected(address).await?;
        let begun = Instant::now();
        let mut callers = JoinSet::new();
        for which in 0..game.clients {
            callers.spawn(call(connected.client.clone(), game.numbers(which)));
        }
        let received = total(callers).await?;
        let time = begun.elapsed();
        connected.close().await;
        Ok(Played { received, time })
    })
}

async fn call(client: Client<IrpcEcho>, numbers: Range<u64>) -> io::Result<u64> {
    let mut received = 0;
    for number in numbers {
        let answer = client.rpc(IrpcNumber(number)).await.map_err(failed)?;
        received += u64::from(answer == number);
    }
    Ok(received)
}
