//! A client that pings and a server that answers, with one message in flight at a time.
//!
//! Measures latency: on threads and tasks every message wakes the other side. With `--on same`, both ends are
//! in one thread, which takes turns: nothing ever waits, and only the cost of the messages themselves is
//! left. The messages carry nothing. Contenders with plain channels use one for each direction; ours use one
//! pipe.
//!
//! Verified: the server has received as many pings, and the client as many pongs, as there were rounds.

mod by_hand;
mod links;
mod par;
mod pipes;
mod sides;

use std::future::Future;
use std::io;
use std::sync::mpsc;

use clap::Args;
use futures::channel::mpsc as futures_mpsc;
use serde::Serialize;
use tokio::sync::mpsc as tokio_mpsc;

use pipes_benches::executor::{Executor, On, two_threads};
use pipes_benches::harness::{Contender, Program};
use pipes_benches::options::{MOST_MESSAGES, up_to};

/// The options of the ping-pong.
#[derive(Args, Serialize)]
pub struct Pingpong {
    /// Round trips
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = up_to(MOST_MESSAGES / 2))]
    rounds: u64,
    /// Where the two sides run
    #[arg(long, value_name = "PLACE", default_value = "threads", value_parser = On::among(Pingpong::PLACES))]
    on: On,
}

/// What the two sides have received.
#[derive(Debug, Default)]
pub struct Received {
    /// Pings, at the server.
    pub pings: u64,
    /// Pongs, at the client.
    pub pongs: u64,
}

/// Runs the client in this thread, and the server in another.
fn on_threads<C, S: Send + 'static>(
    game: &Pingpong,
    (client, server): (C, S),
    play: impl FnOnce(u64, C) -> u64,
    serve: impl FnOnce(S) -> u64 + Send + 'static,
) -> io::Result<Received> {
    let rounds = game.rounds;
    let (pongs, pings) = two_threads(move || play(rounds, client), move || serve(server))?;
    Ok(Received { pings, pongs })
}

/// Runs both sides as tasks.
fn on_tasks(
    executor: &Executor,
    client: impl Future<Output = u64> + Send + 'static,
    server: impl Future<Output = u64> + Send + 'static,
) -> io::Result<Received> {
    let (pongs, pings) = executor.both(client, server);
    Ok(Received { pings, pongs })
}

impl Program for Pingpong {
    const NAME: &'static str = "pingpong";
    const ABOUT: &'static str = "Send a message and one back, repeatedly; one op is one round trip";
    const UNIT: &'static str = "rounds";
    const PLACES: &'static [On] = On::ALL;
    const VARIANTS: &'static [&'static [&'static str]] =
        &[&["--on", "threads"], &["--on", "tasks"], &["--on", "tasks2"], &["--on", "same"]];
    const QUICK: &'static [&'static str] = &["--rounds", "1000"];
    const CONTENDERS: &'static [Contender<Self>] = &[
        Contender::new("pipes", pipes::SOURCES)
            .on_threads(|game, _| pipes::on_threads(game))
            .on_tasks(pipes::on_tasks)
            .in_one_thread(|game, _| pipes::in_one_thread(game)),
        Contender::new("pipes-by-hand", by_hand::SOURCES)
            .on_threads(|game, _| by_hand::on_threads(game))
            .on_tasks(by_hand::on_tasks)
            .in_one_thread(|game, _| by_hand::in_one_thread(game)),
        Contender::new("pipes-stream", links::SOURCES)
            .on_threads(|game, _| links::on_threads(game, ::pipes::stream))
            .on_tasks(|game, at| links::on_tasks(game, at, ::pipes::stream))
            .in_one_thread(|game, _| links::in_one_thread(game, ::pipes::stream)),
        Contender::new("std", links::SOURCES)
            .on_threads(|game, _| links::on_threads(game, mpsc::channel))
            .in_one_thread(|game, _| links::in_one_thread(game, mpsc::channel)),
        Contender::new("crossbeam", links::SOURCES)
            .on_threads(|game, _| links::on_threads(game, crossbeam_channel::unbounded))
            .in_one_thread(|game, _| links::in_one_thread(game, crossbeam_channel::unbounded)),
        Contender::new("flume", links::SOURCES)
            .on_threads(|game, _| links::on_threads(game, flume::unbounded))
            .on_tasks(|game, at| links::on_tasks(game, at, flume::unbounded))
            .in_one_thread(|game, _| links::in_one_thread(game, flume::unbounded)),
        Contender::new("kanal", links::SOURCES)
            .on_threads(|game, _| links::on_threads(game, kanal::unbounded))
            .on_tasks(|game, at| links::on_tasks(game, at, kanal::unbounded_async))
            .in_one_thread(|game, _| links::in_one_thread(game, kanal::unbounded)),
        Contender::new("crossfire", links::SOURCES)
            .on_threads(|game, _| links::on_threads(game, crossfire::spsc::unbounded_blocking))
            .on_tasks(|game, at| links::on_tasks(game, at, crossfire::spsc::unbounded_async))
            .in_one_thread(|game, _| links::in_one_thread(game, crossfire::spsc::unbounded_blocking)),
        Contender::new("tokio", links::SOURCES)
            .on_threads(|game, _| links::on_threads(game, tokio_mpsc::unbounded_channel))
            .on_tasks(|game, at| links::on_tasks(game, at, tokio_mpsc::unbounded_channel))
            .in_one_thread(|game, _| links::in_one_thread(game, tokio_mpsc::unbounded_channel)),
        Contender::new("futures", links::SOURCES)
            .on_tasks(|game, at| links::on_tasks(game, at, futures_mpsc::unbounded)),
        Contender::new("par", par::SOURCES)
            .on_tasks(par::on_tasks)
            .in_one_thread(|game, _| par::in_one_thread(game)),
    ];

    type Setting = Executor;
    type Outcome = Received;

    fn ops(&self, _: &Executor) -> u64 {
        self.rounds
    }

    fn on(&self) -> On {
        self.on
    }

    fn setting(&self) -> io::Result<Executor> {
        Executor::new(self.on)
    }

    fn verify(&self, _: &Executor, received: &Received) -> Result<(), String> {
        let Received { pings, pongs } = received;
        if (*pings, *pongs) == (self.rounds, self.rounds) {
            return Ok(());
        }
        Err(format!("{pings} pings and {pongs} pongs were received instead of {} of each", self.rounds))
    }
}
