//! The ping-pong over `par`: each message carries the session that continues. A session cannot be dropped
//! (the other side would panic), so the client announces when it ends.

use std::io;

use futures::FutureExt;
use par::Session;
use par::exchange::{Recv, Send};

use super::{Pingpong, Received};
use crate::latency::Stopwatch;
use pipes_benches::executor::Executor;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("par.rs")];

/// What the client sends.
enum Turn {
    /// The server answers, and receives the next turn.
    Ping(Send<(), Server>),
    End,
}

type Client = Send<Turn>;
type Server = Recv<Turn>;

fn pipe() -> (Client, Server) {
    let mut client = None;
    let server = Server::fork_sync(|dual| client = Some(dual));
    (client.expect("the other end was given"), server)
}

/// Runs both sides in tasks.
pub fn on_tasks(game: &Pingpong, executor: &Executor, stopwatch: impl Stopwatch) -> io::Result<Received> {
    let (client, server) = pipe();
    super::on_tasks(executor, client_task(game.rounds, client, stopwatch), server_task(server))
}

async fn client_task<W: Stopwatch>(rounds: u64, mut client: Client, mut stopwatch: W) -> (u64, W) {
    for _ in 0..rounds {
        let begun = stopwatch.begin();
        ((), client) = client.choose(Turn::Ping).recv().await;
        stopwatch.end(begun);
    }
    client.send1(Turn::End);
    (rounds, stopwatch)
}

async fn server_task(mut server: Server) -> u64 {
    let mut pings = 0;
    while let Turn::Ping(answer) = server.recv1().await {
        pings += 1;
        server = answer.send(());
    }
    pings
}

/// Runs both sides in this thread, taking turns.
pub fn in_one_thread(game: &Pingpong) -> io::Result<Received> {
    let (mut client, mut server) = pipe();
    let mut received = Received::default();
    for _ in 0..game.rounds {
        let waiting = client.choose(Turn::Ping);
        let Some(Turn::Ping(answer)) = server.recv1().now_or_never() else { return Ok(received) };
        received.pings += 1;
        server = answer.send(());
        let Some(((), pinging)) = waiting.recv().now_or_never() else { return Ok(received) };
        received.pongs += 1;
        client = pinging;
    }
    client.send1(Turn::End);
    Ok(received)
}
