//! A client that pings and a server that answers, with one message in flight at a time.
//!
//! Measures latency: on threads and tasks every message wakes the other side. With `--on same`, both ends are
//! in one thread, which takes turns: nothing ever waits, and only the cost of the messages themselves is
//! left. The messages carry nothing. Contenders with plain channels use one for each direction; ours use one
//! pipe.
//!
//! With `--latency` the client reads the clock before and after each round trip.
//!
//! Verified: the server has received as many pings, and the client as many pongs, as there were rounds; and
//! as many round trips were measured, if they were.

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
use serde_json::{Map, Value};
use tokio::sync::mpsc as tokio_mpsc;

use crate::latency::{self, COLUMNS, Latencies, Stopwatch, with_stopwatch};
use pipes_benches::executor::{Executor, On, two_threads};
use pipes_benches::harness::{Column, Contender, Program};
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
    /// Also measure each round trip: median, 99th and 99.9th percentile
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    latency: bool,
}

/// What the two sides have received.
#[derive(Debug, Default)]
pub struct Received {
    /// Pings, at the server.
    pub pings: u64,
    /// Pongs, at the client.
    pub pongs: u64,
    /// How long each round trip took, if that was measured.
    pub latencies: Option<Latencies>,
}

/// Runs the client in this thread, and the server in another.
fn on_threads<C, S: Send + 'static, W: Stopwatch>(
    (client, server): (C, S),
    play: impl FnOnce(C) -> (u64, W),
    serve: impl FnOnce(S) -> u64 + Send + 'static,
) -> io::Result<Received> {
    let ((pongs, stopwatch), pings) = two_threads(move || play(client), move || serve(server))?;
    Ok(Received { pings, pongs, latencies: stopwatch.latencies() })
}

/// Runs both sides as tasks.
fn on_tasks<W: Stopwatch>(
    executor: &Executor,
    client: impl Future<Output = (u64, W)> + Send + 'static,
    server: impl Future<Output = u64> + Send + 'static,
) -> io::Result<Received> {
    let ((pongs, stopwatch), pings) = executor.both(client, server);
    Ok(Received { pings, pongs, latencies: stopwatch.latencies() })
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
            .on_threads(with_stopwatch!(|game, _| pipes::on_threads(game)))
            .on_tasks(with_stopwatch!(|game, at| pipes::on_tasks(game, at)))
            .in_one_thread(|game, _| pipes::in_one_thread(game)),
        Contender::new("pipes-by-hand", by_hand::SOURCES)
            .on_threads(with_stopwatch!(|game, _| by_hand::on_threads(game)))
            .on_tasks(with_stopwatch!(|game, at| by_hand::on_tasks(game, at)))
            .in_one_thread(|game, _| by_hand::in_one_thread(game)),
        Contender::new("pipes-stream", links::SOURCES)
            .on_threads(with_stopwatch!(|game, _| links::on_threads(game, ::pipes::stream)))
            .on_tasks(with_stopwatch!(|game, at| links::on_tasks(game, at, ::pipes::stream)))
            .in_one_thread(|game, _| links::in_one_thread(game, ::pipes::stream)),
        Contender::new("std", links::SOURCES)
            .on_threads(with_stopwatch!(|game, _| links::on_threads(game, mpsc::channel)))
            .in_one_thread(|game, _| links::in_one_thread(game, mpsc::channel)),
        Contender::new("crossbeam", links::SOURCES)
            .on_threads(with_stopwatch!(|game, _| links::on_threads(game, crossbeam_channel::unbounded)))
            .in_one_thread(|game, _| links::in_one_thread(game, crossbeam_channel::unbounded)),
        Contender::new("flume", links::SOURCES)
            .on_threads(with_stopwatch!(|game, _| links::on_threads(game, flume::unbounded)))
            .on_tasks(with_stopwatch!(|game, at| links::on_tasks(game, at, flume::unbounded)))
            .in_one_thread(|game, _| links::in_one_thread(game, flume::unbounded)),
        Contender::new("kanal", links::SOURCES)
            .on_threads(with_stopwatch!(|game, _| links::on_threads(game, kanal::unbounded)))
            .on_tasks(with_stopwatch!(|game, at| links::on_tasks(game, at, kanal::unbounded_async)))
            .in_one_thread(|game, _| links::in_one_thread(game, kanal::unbounded)),
        Contender::new("crossfire", links::SOURCES)
            .on_threads(with_stopwatch!(|game, _| links::on_threads(
                game,
                crossfire::spsc::unbounded_blocking
            )))
            .on_tasks(with_stopwatch!(|game, at| links::on_tasks(game, at, crossfire::spsc::unbounded_async)))
            .in_one_thread(|game, _| links::in_one_thread(game, crossfire::spsc::unbounded_blocking)),
        Contender::new("tokio", links::SOURCES)
            .on_threads(with_stopwatch!(|game, _| links::on_threads(game, tokio_mpsc::unbounded_channel)))
            .on_tasks(with_stopwatch!(|game, at| links::on_tasks(game, at, tokio_mpsc::unbounded_channel)))
            .in_one_thread(|game, _| links::in_one_thread(game, tokio_mpsc::unbounded_channel)),
        Contender::new("futures", links::SOURCES).on_tasks(with_stopwatch!(|game, at| links::on_tasks(
            game,
            at,
            futures_mpsc::unbounded
        ))),
        Contender::new("par", par::SOURCES)
            .on_tasks(with_stopwatch!(|game, at| par::on_tasks(game, at)))
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

    fn check(&self) -> Result<(), String> {
        if self.latency && self.on == On::Same {
            return Err(
                "--latency has no meaning with --on same, where nothing waits and a reading of the clock \
                        takes longer than a round trip"
                    .to_owned(),
            );
        }
        Ok(())
    }

    fn setting(&self) -> io::Result<Executor> {
        Executor::new(self.on)
    }

    fn verify(&self, _: &Executor, received: &Received) -> Result<(), String> {
        let Received { pings, pongs, latencies } = received;
        if (*pings, *pongs) == (self.rounds, self.rounds) {
            return latency::verify(latencies.as_ref(), self.rounds);
        }
        Err(format!("{pings} pings and {pongs} pongs were received instead of {} of each", self.rounds))
    }

    fn columns(&self) -> &'static [Column] {
        if self.latency { COLUMNS } else { &[] }
    }

    fn figures(&self, _: &Executor, received: &Received) -> Map<String, Value> {
        received.latencies.as_ref().map(Latencies::figures).unwrap_or_default()
    }
}
