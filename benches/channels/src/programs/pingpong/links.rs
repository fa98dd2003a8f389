//! The two sides over two plain channels, for every library that has them.

use std::io;

use super::{Pingpong, Received};
use crate::latency::Stopwatch;
use pipes_benches::executor::Executor;
use pipes_benches::links::{BlockingChan, BlockingPort, Side, TaskChan, TaskPort, both_ways};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("links.rs")];

/// Runs both sides on threads.
pub fn on_threads<C, P>(
    game: &Pingpong,
    link: impl Fn() -> (C, P),
    stopwatch: impl Stopwatch,
) -> io::Result<Received>
where
    C: BlockingChan<()>,
    P: BlockingPort<()>,
{
    super::on_threads(both_ways(link), |side| client(game.rounds, side, stopwatch), server)
}

fn client<C, P, W>(rounds: u64, mut side: Side<C, P>, mut stopwatch: W) -> (u64, W)
where
    C: BlockingChan<()>,
    P: BlockingPort<()>,
    W: Stopwatch,
{
    let mut pongs = 0;
    while pongs < rounds {
        let begun = stopwatch.begin();
        if side.chan.send(()).is_err() || side.port.recv().is_err() {
            break;
        }
        stopwatch.end(begun);
        pongs += 1;
    }
    (pongs, stopwatch)
}

fn server<C: BlockingChan<()>, P: BlockingPort<()>>(mut side: Side<C, P>) -> u64 {
    let mut pings = 0;
    while side.port.recv().is_ok() {
        pings += 1;
        if side.chan.send(()).is_err() {
            break;
        }
    }
    pings
}

/// Runs both sides in tasks.
pub fn on_tasks<C, P>(
    game: &Pingpong,
    executor: &Executor,
    link: impl Fn() -> (C, P),
    stopwatch: impl Stopwatch,
) -> io::Result<Received>
where
    C: TaskChan<()>,
    P: TaskPort<()>,
{
    let (client, server) = both_ways(link);
    super::on_tasks(executor, client_task(game.rounds, client, stopwatch), server_task(server))
}

async fn client_task<C, P, W>(rounds: u64, mut side: Side<C, P>, mut stopwatch: W) -> (u64, W)
where
    C: TaskChan<()>,
    P: TaskPort<()>,
    W: Stopwatch,
{
    let mut pongs = 0;
    while pongs < rounds {
        let begun = stopwatch.begin();
        if side.chan.send(()).await.is_err() || side.port.recv().await.is_err() {
            break;
        }
        stopwatch.end(begun);
        pongs += 1;
    }
    (pongs, stopwatch)
}

async fn server_task<C: TaskChan<()>, P: TaskPort<()>>(mut side: Side<C, P>) -> u64 {
    let mut pings = 0;
    while side.port.recv().await.is_ok() {
        pings += 1;
        if side.chan.send(()).await.is_err() {
            break;
        }
    }
    pings
}

/// Runs both sides in this thread, taking turns.
pub fn in_one_thread<C, P>(game: &Pingpong, link: impl Fn() -> (C, P)) -> io::Result<Received>
where
    C: BlockingChan<()>,
    P: BlockingPort<()>,
{
    let (mut client, mut server) = both_ways(link);
    let mut received = Received::default();
    while received.pongs < game.rounds && client.chan.send(()).is_ok() && server.port.recv().is_ok() {
        received.pings += 1;
        if server.chan.send(()).is_err() || client.port.recv().is_err() {
            break;
        }
        received.pongs += 1;
    }
    Ok(received)
}
