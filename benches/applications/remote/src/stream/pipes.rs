//! The stream over our protocol: a pipe on each side, and a pump.

use super::Stream;
use crate::net::{Net, play};
use crate::sides::{Played, Ready, failed};
use pipes_remote::Via;
use pipes_remote::engine::Engine;
use std::io;
use std::time::{Duration, Instant};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("pipes.rs")];

pipes::proto! {
    /// Numbers, and in the end their sum.
    #[remote]
    pub numbers {
        open: send { number(u64) -> open, done -> sum }
        sum: recv { sum(u64) -> ! }
    }
}

use numbers::{Client, Open, Sum};

/// A window that never shuts.
const WIDE: usize = 1 << 40;

pub fn server<N: Net>(_: &Stream, ready: Ready<'_>) -> io::Result<u64> {
    let (place, _) = N::place()?;
    let (via, address) = N::via_at(&place);
    serve(&via, &address, ready)
}

pub fn wide_server<N: Net>(_: &Stream, ready: Ready<'_>) -> io::Result<u64> {
    let (place, _) = N::place()?;
    let (via, address) = N::via_at(&place);
    serve(&via.window(WIDE, WIDE), &address, ready)
}

fn serve<E: Engine>(via: &Via<E>, address: &str, ready: Ready<'_>) -> io::Result<u64> {
    let mut listener = numbers::listen_with_links(via).map_err(failed)?;
    ready(address);
    let (mut server, link) = listener.accept().map_err(failed)?;
    let (mut served, mut sum) = (0, 0);
    let answer = loop {
        match server.recv().map_err(failed)? {
            Open::Number(number, next) => (served, sum, server) = (served + 1, sum + number, next),
            Open::Done(answer) => break answer,
        }
    };
    answer.sum(sum).map_err(failed)?;
    link.delivered(Duration::from_secs(10)).map_err(failed)?;
    Ok(served)
}

pub fn client<N: Net>(game: &Stream, address: &str) -> io::Result<Played> {
    let mut client: Client<Open> = numbers::connect(&N::via(address)?).map_err(failed)?;
    let begun = Instant::now();
    for number in 0..game.messages {
        client = client.number(number).map_err(failed)?;
    }
    let Sum::Sum(sum) = client.done().map_err(failed)?.recv().map_err(failed)?;
    Ok(Played { received: sum, time: begun.elapsed() })
}

pub fn server_task<N: Net>(_: &Stream, ready: Ready<'_>) -> io::Result<u64> {
    let (place, _) = N::place()?;
    let (via, address) = N::via_at(&place);
    play(serve_task(&via, &address, ready))
}

pub fn wide_server_task<N: Net>(_: &Stream, ready: Ready<'_>) -> io::Result<u64> {
    let (place, _) = N::place()?;
    let (via, address) = N::via_at(&place);
    play(serve_task(&via.window(WIDE, WIDE), &address, ready))
}

async fn serve_task<E: Engine>(via: &Via<E>, address: &str, ready: Ready<'_>) -> io::Result<u64> {
    let mut listener = numbers::listen_with_links_async(via).await.map_err(failed)?;
    ready(address);
    let (mut server, link) = listener.recv_async().await.map_err(failed)?;
    let (mut served, mut sum) = (0, 0);
    let answer = loop {
        match server.await.map_err(failed)? {
            Open::Number(number, next) => (served, sum, server) = (served + 1, sum + number, next),
            Open::Done(answer) => break answer,
        }
    };
    answer.sum(sum).map_err(failed)?;
    link.delivered_async().await.map_err(failed)?;
    Ok(served)
}

pub fn client_task<N: Net>(game: &Stream, address: &str) -> io::Result<Played> {
    play(async {
        let mut client: Client<Open> = numbers::connect_async(&N::via(address)?).await.map_err(failed)?;
        let begun = Instant::now();
        for number in 0..game.messages {
            client = client.number(number).map_err(failed)?;
            if number % EAGER == EAGER - 1 {
                // A send never waits: without this, the pump would not run before the last one.
                tokio::task::yield_now().await;
            }
        }
        let Sum::Sum(sum) = client.done().map_err(failed)?.await.map_err(failed)?;
        Ok(Played { received: sum, time: begun.elapsed() })
    })
}

/// The messages that a client sends before it lets the pump run.
const EAGER: u64 = 1024;
