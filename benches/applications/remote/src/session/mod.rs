//! Sessions with a server, one after another: each is opened, carries a message in each direction, and is
//! closed.
//!
//! Measures what a session costs: ours against the connection alone (`raw`), and three libraries. `irpc`
//! opens a stream for each call, so for it a call is a session. On tasks, each side is a thread with a
//! runtime of its own.
//!
//! With `--break` it measures something else: how long a client waits on a server whose process was killed
//! until it finds the session closed.
//!
//! Verified: the server has received each message, and the client each answer; or, with `--break`, that the
//! client found the session closed.

mod broken;
mod irpc;
mod pipes;
mod raw;
mod remoc;
mod tarpc;

use crate::net::{Over, OverTcp, OverUnix};
use crate::sides::{Outcome, Place, Ready, Sides, serve, sides};
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
pub struct Session {
    /// Sessions, one after another
    #[arg(long, value_name = "N", default_value_t = 3_000, value_parser = up_to(1_000_000_000))]
    pub sessions: u64,
    #[command(flatten)]
    #[serde(flatten)]
    place: Place,
    /// Begin our sessions without waiting for the server's answer
    #[arg(long, conflicts_with = "breaks")]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub eager: bool,
    /// Kill the server's process instead, and time until its client finds out; one op is one death
    #[arg(long = "break")]
    #[serde(rename = "break", skip_serializing_if = "std::ops::Not::not")]
    breaks: bool,
}

type Serve = fn(&Session, Ready<'_>) -> io::Result<u64>;

impl Session {
    fn sides(&self, contender: &str) -> Option<Sides<Self>> {
        Some(match (contender, self.place.on) {
            ("pipes", On::Threads) => sides!(self.place.over, pipes, server, client),
            ("pipes", _) => sides!(self.place.over, pipes, server_task, client_task),
            ("raw", On::Threads) => match self.place.over {
                Over::Tcp => sides!(of OverTcp => raw, server, client),
                Over::Unix => sides!(of OverUnix => raw, server, client),
                Over::Tls | Over::Quic | Over::Ws => return None,
            },
            ("raw", _) => sides!(self.place.over, raw, server_task, client_task),
            ("remoc", _) => sides!(self.place.over, remoc, server, client),
            ("tarpc", _) => sides!(self.place.over, tarpc, server, client),
            ("irpc", _) => Sides { server: irpc::server, client: irpc::client },
            ("pipes-silent", _) => self.silent(broken::silent::<OverTcp>, broken::silent::<OverUnix>)?,
            ("raw-silent", _) => {
                self.silent(broken::silent_raw::<OverTcp>, broken::silent_raw::<OverUnix>)?
            }
            _ => return None,
        })
    }

    /// A server that is going to be killed.
    fn silent(&self, tcp: Serve, unix: Serve) -> Option<Sides<Self>> {
        let server = match self.place.over {
            Over::Tcp => tcp,
            Over::Unix => unix,
            Over::Tls | Over::Quic | Over::Ws => return None,
        };
        Some(Sides { server, client: broken::absent })
    }

    fn run(&self, contender: &str) -> io::Result<Outcome> {
        let sides = self.sides(contender).ok_or_else(|| io::Error::other("there is no such contender"))?;
        if self.breaks {
            return broken::run(self, contender);
        }
        self.place.run(self, &sides, || self.arguments(contender))
    }

    /// The arguments for the process of the server.
    fn arguments(&self, contender: &str) -> Vec<String> {
        self.place.arguments(Self::NAME, contender, &[("sessions", self.sessions)])
    }
}

impl Program for Session {
    const NAME: &'static str = "remote-session";
    const ABOUT: &'static str =
        "Run short sessions over a socket; one op is to open one, send a message each way and close";
    const UNIT: &'static str = "sessions";
    const PLACES: &'static [On] = Place::ALL;
    const VARIANTS: &'static [&'static [&'static str]] = &[
        &["--over", "tcp", "--on", "tasks"],
        &["--over", "unix", "--on", "tasks"],
        &["--over", "tcp", "--on", "threads"],
        &["--over", "unix", "--on", "threads"],
        &["--over", "tls", "--on", "tasks"],
        &["--over", "quic", "--on", "tasks"],
        &["--over", "ws", "--on", "tasks"],
        &["--over", "quic", "--on", "tasks", "--eager"],
        &["--over", "tcp", "--on", "tasks", "--break"],
    ];
    const QUICK: &'static [&'static str] = &["--sessions", "30"];
    const CONTENDERS: &'static [Contender<Self>] = &[
        Contender::new("pipes", pipes::SOURCES)
            .on_tasks(|game, _| Session::run(game, "pipes"))
            .on_threads(|game, _| Session::run(game, "pipes")),
        Contender::new("raw", raw::SOURCES)
            .on_tasks(|game, _| Session::run(game, "raw"))
            .on_threads(|game, _| Session::run(game, "raw"))
            .unless(broken::unable_raw),
        Contender::new("remoc", remoc::SOURCES)
            .on_tasks(|game, _| Session::run(game, "remoc"))
            .unless(broken::unable),
        Contender::new("tarpc", tarpc::SOURCES)
            .on_tasks(|game, _| Session::run(game, "tarpc"))
            .unless(broken::unable),
        Contender::new("irpc", irpc::SOURCES)
            .on_tasks(|game, _| Session::run(game, "irpc"))
            .unless(|game| broken::unable(game).or_else(|| game.place.unable_but_quic())),
    ];

    type Setting = ();
    type Outcome = Outcome;

    fn check(&self) -> Result<(), String> {
        match self.place.over {
            Over::Tls | Over::Quic | Over::Ws if self.breaks => {
                Err("--break is for sockets, tcp or unix, whose end the system reports".to_owned())
            }
            _ => Ok(()),
        }
    }

    fn ops(&self, (): &()) -> u64 {
        if self.breaks { 1 } else { self.sessions }
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
            if seen != self.sessions {
                return Err(format!("{side} has seen {seen} messages instead of {}", self.sessions));
            }
        }
        Ok(())
    }

    fn own_time(outcome: &Outcome) -> Option<Duration> {
        Some(outcome.played.time)
    }
}
