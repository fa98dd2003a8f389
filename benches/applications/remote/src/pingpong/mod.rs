//! A client that pings and a server that answers, over a socket: one message is under way at a time.
//!
//! Measures the latency of a round trip: of our pumps against the same frames without them (`floor`), the
//! socket alone (`raw`), and three libraries. On tasks, each side is a thread with a runtime of its own.
//!
//! Verified: the server has received each number, and the client each answer.

mod floor;
mod irpc;
mod pipes;
mod raw;
mod remoc;
mod tarpc;
mod websocket;

pub use self::irpc::{
    Echo as IrpcEcho, Number as IrpcNumber, call as irpc_call, connected as irpc_connected,
    serve as irpc_serve,
};
pub use self::remoc::channel as remoc_channel;
pub(crate) use self::tarpc::transport as tarpc_transport;
pub use self::tarpc::{EchoClient, connected as tarpc_connected, serve as tarpc_serve};

use crate::net::{Over, OverTcp, OverUnix};
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
pub struct Pingpong {
    /// Round trips
    #[arg(long, value_name = "N", default_value_t = 30_000, value_parser = up_to(1_000_000_000))]
    pub rounds: u64,
    #[command(flatten)]
    #[serde(flatten)]
    place: Place,
}

impl Pingpong {
    fn sides(&self, contender: &str) -> Option<Sides<Self>> {
        Some(match (contender, self.place.on) {
            ("pipes", On::Threads) => sides!(self.place.over, pipes, server, client),
            ("pipes", _) => sides!(self.place.over, pipes, server_task, client_task),
            ("raw", On::Threads) => match self.place.over {
                Over::Tcp => sides!(of OverTcp => raw, server, client),
                Over::Unix => sides!(of OverUnix => raw, server, client),
                Over::Tls | Over::Quic | Over::Ws => return None,
            },
            ("raw", _) if self.place.over == Over::Ws => {
                Sides { server: websocket::server, client: websocket::client }
            }
            ("raw", _) => sides!(self.place.over, raw, server_task, client_task),
            ("floor", _) => sides!(self.place.over, floor, server, client),
            ("remoc", _) => sides!(self.place.over, remoc, server, client),
            ("tarpc", _) => sides!(self.place.over, tarpc, server, client),
            ("irpc", _) => Sides { server: irpc::server, client: irpc::client },
            _ => return None,
        })
    }

    fn run(&self, contender: &str) -> io::Result<Outcome> {
        let sides = self.sides(contender).ok_or_else(|| io::Error::other("there is no such contender"))?;
        self.place.run(self, &sides, || self.arguments(contender))
    }

    /// The arguments for the process of the server.
    fn arguments(&self, contender: &str) -> Vec<String> {
        self.place.arguments(Self::NAME, contender, &[("rounds", self.rounds)])
    }
}

impl Program for Pingpong {
    const NAME: &'static str = "remote-pingpong";
    const ABOUT: &'static str = "Send a message over a socket and one back; one op is one round trip";
    const UNIT: &'static str = "rounds";
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
    const QUICK: &'static [&'static str] = &["--rounds", "300"];
    const CONTENDERS: &'static [Contender<Self>] = &[
        Contender::new("pipes", pipes::SOURCES)
            .on_tasks(|game, _| Pingpong::run(game, "pipes"))
            .on_threads(|game, _| Pingpong::run(game, "pipes")),
        Contender::new("raw", raw::SOURCES)
            .on_tasks(|game, _| Pingpong::run(game, "raw"))
            .on_threads(|game, _| Pingpong::run(game, "raw"))
            .unless(|game| game.place.unable_to_block()),
        Contender::new("floor", floor::SOURCES).on_tasks(|game, _| Pingpong::run(game, "floor")),
        Contender::new("remoc", remoc::SOURCES).on_tasks(|game, _| Pingpong::run(game, "remoc")),
        Contender::new("tarpc", tarpc::SOURCES).on_tasks(|game, _| Pingpong::run(game, "tarpc")),
        Contender::new("irpc", irpc::SOURCES)
            .on_tasks(|game, _| Pingpong::run(game, "irpc"))
            .unless(|game| game.place.unable_but_quic()),
    ];

    type Setting = ();
    type Outcome = Outcome;

    fn ops(&self, (): &()) -> u64 {
        self.rounds
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
        for (side, seen) in [("the server", outcome.served), ("the client", outcome.played.received)] {
            if seen != self.rounds {
                return Err(format!("{side} has seen {seen} round trips instead of {}", self.rounds));
            }
        }
        Ok(())
    }

    fn own_time(outcome: &Outcome) -> Option<Duration> {
        Some(outcome.played.time)
    }
}
