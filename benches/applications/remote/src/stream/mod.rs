//! A client that sends numbers to a server over a socket, without waiting; the server answers with their sum.
//!
//! Measures the cost of a message where many are under way: of our pumps, with the usual window (`pipes`) and
//! with one that never shuts (`pipes-wide`), against the same frames without them (`floor`), numbers written
//! in pieces of 16 KiB (`raw`), and the channels of a library. On tasks, each side is a thread with a runtime
//! of its own.
//!
//! Verified: the number of messages at the server, and their sum at the client.

mod floor;
mod pipes;
mod raw;
mod remoc;
mod websocket;

use crate::net::Over;
use crate::sides::{Outcome, Place, Sides, serve, sides};
use clap::Args;
use pipes_benches::executor::On;
use pipes_benches::failure::Failure;
use pipes_benches::harness::{Contender, Program};
use pipes_benches::options::up_to;
use serde::Serialize;
use std::io;
use std::process::ExitCode;
use std::time::Duration;

/// The options.
#[derive(Args, Serialize)]
pub struct Stream {
    /// Messages
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = up_to(1_000_000_000))]
    pub messages: u64,
    #[command(flatten)]
    #[serde(flatten)]
    place: Place,
}

impl Stream {
    fn sides(&self, contender: &str) -> Option<Sides<Self>> {
        Some(match (contender, self.place.on) {
            ("pipes", On::Threads) => sides!(self.place.over, pipes, server, client),
            ("pipes", _) => sides!(self.place.over, pipes, server_task, client_task),
            ("pipes-wide", On::Threads) => sides!(self.place.over, pipes, wide_server, client),
            ("pipes-wide", _) => sides!(self.place.over, pipes, wide_server_task, client_task),
            ("raw", _) if self.place.over == Over::Ws => {
                Sides { server: websocket::server, client: websocket::client }
            }
            ("raw", _) => sides!(self.place.over, raw, server, client),
            ("floor", _) => sides!(self.place.over, floor, server, client),
            ("remoc", _) => sides!(self.place.over, remoc, server, client),
            ("remoc-mpsc", _) => sides!(self.place.over, remoc, mpsc_server, mpsc_client),
            _ => return None,
        })
    }

    fn run(&self, contender: &str) -> io::Result<Outcome> {
        let sides = self.sides(contender).ok_or_else(|| io::Error::other("there is no such contender"))?;
        self.place.run(self, &sides, || self.arguments(contender))
    }

    /// The arguments for the process of the server.
    fn arguments(&self, contender: &str) -> Vec<String> {
        self.place.arguments(Self::NAME, contender, &[("messages", self.messages)])
    }
}

impl Program for Stream {
    const NAME: &'static str = "remote-stream";
    const ABOUT: &'static str = "Send numbers over a socket, without waiting; one op is one message";
    const UNIT: &'static str = "messages";
    const PLACES: &'static [On] = Place::ALL;
    const VARIANTS: &'static [&'static [&'static str]] = &[
        &["--over", "tcp", "--on", "tasks"],
        &["--over", "unix", "--on", "tasks"],
        &["--over", "tcp", "--on", "threads"],
        &["--over", "unix", "--on", "threads"],
        &["--over", "tls", "--on", "tasks"],
        &["--over", "quic", "--on", "tasks"],
        &["--over", "ws", "--on", "tasks"],
    ];
    const QUICK: &'static [&'static str] = &["--messages", "2000"];
    const CONTENDERS: &'static [Contender<Self>] = &[
        Contender::new("pipes", pipes::SOURCES)
            .on_tasks(|game, _| Stream::run(game, "pipes"))
            .on_threads(|game, _| Stream::run(game, "pipes")),
        Contender::new("pipes-wide", pipes::SOURCES)
            .on_tasks(|game, _| Stream::run(game, "pipes-wide"))
            .on_threads(|game, _| Stream::run(game, "pipes-wide")),
        Contender::new("raw", raw::SOURCES).on_tasks(|game, _| Stream::run(game, "raw")),
        Contender::new("floor", floor::SOURCES).on_tasks(|game, _| Stream::run(game, "floor")),
        Contender::new("remoc", remoc::SOURCES).on_tasks(|game, _| Stream::run(game, "remoc")),
        Contender::new("remoc-mpsc", remoc::SOURCES).on_tasks(|game, _| Stream::run(game, "remoc-mpsc")),
    ];

    type Setting = ();
    type Outcome = Outcome;

    fn ops(&self, (): &()) -> u64 {
        self.messages
    }

    fn on(&self) -> On {
        self.place.on
    }

    fn tool(&self, _: &[&str]) -> Option<Result<ExitCode, Failure>> {
        let sides = self.sides(self.place.serve.as_ref()?)?;
        Some(serve(self, &sides))
    }

    fn setting(&self) -> io::Result<()> {
        Ok(())
    }

    fn verify(&self, (): &(), outcome: &Outcome) -> Result<(), String> {
        let sum = self.messages * (self.messages - 1) / 2;
        if (outcome.served, outcome.played.received) != (self.messages, sum) {
            return Err(format!(
                "the server has {} of {} messages, and says that their sum is {}",
                outcome.served, self.messages, outcome.played.received
            ));
        }
        Ok(())
    }

    fn own_time(outcome: &Outcome) -> Option<Duration> {
        Some(outcome.played.time)
    }
}
