//! The ping-pong over our protocol: a pipe on each side, and a pump.

use super::Pingpong;
use crate::net::{Net, play};
use crate::sides::{Played, Ready, failed};
use std::io;
use std::time::Instant;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("pipes.rs")];

pipes::proto! {
    /// A ping and its pong, repeatedly.
    #[remote]
    pub pingpong {
        ping: send { ping(u64) -> pong, stop -> ! }
        pong: recv { pong(u64) -> ping }
    }
}

use pingpong::{Client, Ping, Pong, Server};

pub fn server<N: Net>(_: &Pingpong, ready: Ready<'_>) -> io::Result<u64> {
    let (place, _) = N::place()?;
    let (via, address) = N::via_at(&place);
    let mut listener = pingpong::listen(&via).map_err(failed)?;
    ready(&address);
    let mut server: Server<Ping> = listener.accept().map_err(failed)?;
    let mut served = 0;
    loop {
        match server.recv().map_err(failed)? {
            Ping::Ping(number, answer) => server = answer.pong(number).map_err(failed)?,
            Ping::Stop => return Ok(served),
        }
        served += 1;
    }
}

pub fn client<N: Net>(game: &Pingpong, address: &str) -> io::Result<Played> {
    let (mut client, link): (Client<Ping>, _) =
        pingpong::connect_with_link(&N::via(address)?).map_err(failed)?;
    let begun = Instant::now();
    for round in 0..game.rounds {
        let Pong::Pong(number, next) = client.ping(round).map_err(failed)?.recv().map_err(failed)?;
        if number != round {
            return Ok(Played::default());
        }
        client = next;
    }
    let time = begun.elapsed();
    client.stop().map_err(failed)?;
    link.delivered(std::time::Duration::from_secs(10)).map_err(failed)?;
    Ok(Played { received: game.rounds, time })
}

pub fn server_task<N: Net>(_: &Pingpong, ready: Ready<'_>) -> io::Result<u64> {
    let (place, _) = N::place()?;
    let (via, address) = N::via_at(&place);
    play(async {
        let (mut listener, mut served) = (pingpong::listen_with_links_async(&via).await.map_err(failed)?, 0);
        ready(&address);
        let (mut server, link) = listener.recv_async().await.map_err(failed)?;
        loop {
            match server.await.map_err(failed)? {
                Ping::Ping(number, answer) => server = answer.pong(number).map_err(failed)?,
                Ping::Stop => break,
            }
            served += 1;
        }
        link.delivered_async().await.map_err(failed)?;
        Ok(served)
    })
}

pub fn client_task<N: Net>(game: &Pingpong, address: &str) -> io::Result<Played> {
    play(async {
        let dialed = pingpong::connect_with_link_async(&N::via(address)?).await;
        let (mut client, link): (Client<Ping>, _) = dialed.map_err(failed)?;
        let begun = Instant::now();
        for round in 0..game.rounds {
            let Pong::Pong(number, next) = client.ping(round).map_err(failed)?.await.map_err(failed)?;
            if number != round {
                return Ok(Played::default());
            }
            client = next;
        }
        let time = begun.elapsed();
        client.stop().map_err(failed)?;
        link.delivered_async().await.map_err(failed)?;
        Ok(Played { received: game.rounds, time })
    })
}
