//! Sessions of our protocol, one for each caller.

use super::attack::Attack;
use super::protocol::calls::{self, Called, Client, Idle, Server};
use super::{Rpc, joined, stalled, total};
use crate::net::{Net, play};
use crate::sides::{Played, Ready, failed};
use pipes::remote::Link;
use std::io;
use std::ops::Range;
use std::thread;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("pipes.rs"), include_str!("protocol.rs")];

/// The most time until the last message has arrived.
const PATIENCE: Duration = Duration::from_secs(10);

pub fn server<N: Net>(game: &Rpc, ready: Ready<'_>) -> io::Result<u64> {
    let (place, _) = N::place()?;
    let (via, address) = N::via_at(&place);
    let mut listener = calls::listen_with_links(&via).map_err(failed)?;
    ready(&address);
    thread::scope(|scope| {
        let mut sessions = Vec::new();
        for _ in 0..game.clients {
            let session = listener.accept().map_err(failed)?;
            sessions.push(scope.spawn(|| serve(session)));
        }
        joined(sessions)
    })
}

fn serve((mut server, link): (Server<Idle>, Link)) -> io::Result<u64> {
    let mut served = 0;
    while let Idle::Call(number, answer) = server.recv().map_err(failed)? {
        server = answer.answer(number).map_err(failed)?;
        served += 1;
    }
    link.delivered(PATIENCE).map_err(failed)?;
    Ok(served)
}

pub fn client<N: Net>(game: &Rpc, address: &str) -> io::Result<Played> {
    let via = N::via(address)?;
    let (mut clients, mut links) = (Vec::new(), Vec::new());
    for _ in 0..game.clients {
        let (client, link) = calls::connect_with_link(&via).map_err(failed)?;
        clients.push(client);
        links.push(link);
    }
    let begun = Instant::now();
    let received = thread::scope(|scope| {
        let mut callers = Vec::new();
        for (client, which) in clients.into_iter().zip(0..) {
            let numbers = game.numbers(which);
            callers.push(scope.spawn(|| call(client, numbers)));
        }
        joined(callers)
    })?;
    let time = begun.elapsed();
    for link in links {
        link.delivered(PATIENCE).map_err(failed)?;
    }
    Ok(Played { received, time })
}

/// Returns how many of the answers were right.
fn call(mut client: Client<Idle>, numbers: Range<u64>) -> io::Result<u64> {
    let mut received = 0;
    for number in numbers {
        let Called::Answer(answer, next) = client.call(number).map_err(failed)?.recv().map_err(failed)?;
        received += u64::from(answer == number);
        client = next;
    }
    client.done().map_err(failed)?;
    Ok(received)
}

pub fn server_task<N: Net>(game: &Rpc, ready: Ready<'_>) -> io::Result<u64> {
    let (place, _) = N::place()?;
    let (via, address) = N::via_at(&place);
    play(async {
        let mut listener = calls::listen_with_links_async(&via).await.map_err(failed)?;
        let _stalled = stalled::receivers(game, &via).await?;
        ready(&address);
        let (mut sessions, mut finished, mut served) = (JoinSet::new(), 0, 0);
        while finished < game.clients {
            tokio::select! {
                session = listener.recv_async() => drop(sessions.spawn(serve_task(session.map_err(failed)?))),
                Some(session) = sessions.join_next() => match session.map_err(failed)? {
                    Ok(calls) => (finished, served) = (finished + 1, served + calls),
                    // An attacker's.
                    Err((0, _)) if game.attacked > 0 => {}
                    Err((_, error)) => return Err(error),
                },
            }
        }
        Ok(served)
    })
}

/// Returns the number of calls, and how it ended.
async fn serve_task((mut server, link): (Server<Idle>, Link)) -> Result<u64, (u64, io::Error)> {
    let mut served = 0;
    while let Idle::Call(number, answer) = server.await.map_err(|error| (served, failed(error)))? {
        server = answer.answer(number).map_err(|error| (served, failed(error)))?;
        served += 1;
    }
    link.delivered_async().await.map_err(|error| (served, failed(error)))?;
    Ok(served)
}

pub fn client_task<N: Net>(game: &Rpc, address: &str) -> io::Result<Played> {
    play(async {
        let via = N::via(address)?;
        let _stalled = stalled::senders(game, &via).await?;
        let (mut clients, mut links) = (Vec::new(), Vec::new());
        for _ in 0..game.clients {
            let (client, link) = calls::connect_with_link_async(&via).await.map_err(failed)?;
            clients.push(client);
            links.push(link);
        }
        let attack = Attack::begin::<N>(game, address)?;
        let begun = Instant::now();
        let mut callers = JoinSet::new();
        for (client, which) in clients.into_iter().zip(0..) {
            callers.spawn(call_task(client, game.numbers(which)));
        }
        let received = total(callers).await?;
        let time = begun.elapsed();
        attack.end(game)?;
        for link in links {
            link.delivered_async().await.map_err(failed)?;
        }
        Ok(Played { received, time })
    })
}

async fn call_task(mut client: Client<Idle>, numbers: Range<u64>) -> io::Result<u64> {
    let mut received = 0;
    for number in numbers {
        let Called::Answer(answer, next) = client.call(number).map_err(failed)?.await.map_err(failed)?;
        received += u64::from(answer == number);
        client = next;
    }
    client.done().map_err(failed)?;
    Ok(received)
}
