//! Callers that call a server over sockets, each one call after another; every call is answered.
//!
//! Measures what a call costs where several are under way: our sessions, one for each caller and all at one
//! address (`pipes`), against as many streams of the same engine alone (`raw`), and against the calls of four
//! libraries, which share one connection. On tasks, each side is a thread with a runtime of its own, a caller
//! is a task, and ours serves each session by a task; on threads, both are threads. Over QUIC all streams of
//! `pipes` and `raw` are those of one connection, elsewhere each has a connection. The clock starts when all
//! callers are connected. Their shares of the calls differ by at most one.
//!
//! With `--stalled`, further sessions at the same address send without end to receivers that read nothing.
//! With `--attacked`, a thread of its own opens hostile streams at the same server while the calls run.
//!
//! Verified: the server has received each call, and each caller each of its answers, in order; and that there
//! was an attack.

mod attack;
mod irpc;
mod pipes;
mod protocol;
mod raw;
mod remoc;
mod stalled;
mod tarpc;
mod tonic;

use self::attack::Harm;
use crate::net::{Over, OverTcp, OverUnix};
use crate::sides::{Outcome, Place, Sides, failed, serve, sides};
use clap::Args;
use pipes_benches::executor::On;
use pipes_benches::failure::Failure;
use pipes_benches::harness::{Contender, Program};
use pipes_benches::options::{MOST_THREADS, up_to};
use serde::Serialize;
use serde_json::{Map, Value};
use std::io;
use std::ops::Range;
use std::process::ExitCode;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::ScopedJoinHandle;
use std::time::Duration;
use tokio::task::JoinSet;

/// The options.
#[derive(Args, Serialize)]
pub struct Rpc {
    /// Callers
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = up_to(MOST_THREADS))]
    pub clients: u64,
    /// Calls, over all callers
    #[arg(long, value_name = "N", default_value_t = 40_000, value_parser = up_to(1_000_000_000))]
    pub calls: u64,
    #[command(flatten)]
    #[serde(flatten)]
    place: Place,
    /// Further sessions that send without end to receivers that read nothing
    #[arg(long, value_name = "N", default_value_t = 0)]
    #[serde(skip_serializing_if = "is_none")]
    pub stalled: u64,
    /// Hostile streams a second, at most, while the calls run; 1000 if no number is given
    #[arg(long, value_name = "RATE", num_args = 0..=1, default_value_t = 0, default_missing_value = "1000")]
    #[serde(skip_serializing_if = "is_none")]
    pub attacked: u64,
    /// What the attacker of the last run has done.
    #[arg(skip)]
    #[serde(skip)]
    harm: Mutex<Harm>,
}

fn is_none(number: &u64) -> bool {
    *number == 0
}

impl Rpc {
    /// What this caller sends.
    fn numbers(&self, caller: u64) -> Range<u64> {
        let first = |caller| (u128::from(self.calls) * u128::from(caller) / u128::from(self.clients)) as u64;
        first(caller)..first(caller + 1)
    }

    fn sides(&self, contender: &str) -> Option<Sides<Self>> {
        let over = self.place.over;
        Some(match (contender, self.place.on) {
            ("pipes", On::Threads) => sides!(over, pipes, server, client),
            ("pipes", _) => sides!(over, pipes, server_task, client_task),
            ("raw", On::Threads) => match over {
                Over::Tcp => sides!(of OverTcp => raw, server, client),
                Over::Unix => sides!(of OverUnix => raw, server, client),
                Over::Tls | Over::Quic | Over::Ws => return None,
            },
            ("raw", _) => sides!(over, raw, server_task, client_task),
            ("tarpc", _) => sides!(over, tarpc, server, client),
            ("irpc", _) => Sides { server: irpc::server, client: irpc::client },
            ("tonic", _) => sides!(over, tonic, server, client),
            ("remoc", _) => sides!(over, remoc, server, client),
            _ => return None,
        })
    }

    fn run(&self, contender: &str) -> io::Result<Outcome> {
        let sides = self.sides(contender).ok_or_else(|| io::Error::other("there is no such contender"))?;
        self.place.run(self, &sides, || self.arguments(contender))
    }

    /// The arguments for the process of the server.
    fn arguments(&self, contender: &str) -> Vec<String> {
        let options = [
            ("clients", self.clients),
            ("calls", self.calls),
            ("stalled", self.stalled),
            ("attacked", self.attacked),
        ];
        self.place.arguments(Self::NAME, contender, &options)
    }

    fn harm(&self) -> MutexGuard<'_, Harm> {
        self.harm.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why a rival is left out, if it is.
    fn disturbed(&self) -> Option<&'static str> {
        (self.stalled + self.attacked > 0).then_some("only ours is disturbed")
    }

    fn unable_to_block(&self) -> Option<&'static str> {
        self.disturbed().or_else(|| self.place.unable_to_block())
    }

    fn unable_to_quic(&self) -> Option<&'static str> {
        self.disturbed().or_else(|| self.place.unable_but_quic())
    }
}

/// What these threads have counted together.
fn joined(threads: Vec<ScopedJoinHandle<'_, io::Result<u64>>>) -> io::Result<u64> {
    let join =
        |thread: ScopedJoinHandle<'_, _>| thread.join().map_err(|_| failed("a thread has panicked"))?;
    threads.into_iter().map(join).sum()
}

/// What these tasks have counted together.
async fn total(mut tasks: JoinSet<io::Result<u64>>) -> io::Result<u64> {
    let mut total = 0;
    while let Some(count) = tasks.join_next().await {
        total += count.map_err(failed)??;
    }
    Ok(total)
}

impl Program for Rpc {
    const NAME: &'static str = "remote-rpc";
    const ABOUT: &'static str =
        "Call a server over sockets from many callers; one op is one call, with its answer";
    const UNIT: &'static str = "calls";
    const PLACES: &'static [On] = Place::ALL;
    const VARIANTS: &'static [&'static [&'static str]] = &[
        &["--over", "tcp", "--on", "tasks"],
        &["--over", "unix", "--on", "tasks"],
        &["--over", "tls", "--on", "tasks"],
        &["--over", "quic", "--on", "tasks"],
        &["--over", "ws", "--on", "tasks"],
        &["--over", "tcp", "--on", "threads"],
        &["--over", "quic", "--on", "tasks", "--clients", "64"],
        &["--over", "quic", "--on", "tasks", "--clients", "100"],
        &["--over", "quic", "--on", "tasks", "--clients", "99", "--stalled", "1"],
        &["--over", "quic", "--on", "tasks", "--attacked", "1000"],
    ];
    const QUICK: &'static [&'static str] = &["--calls", "400"];
    const CONTENDERS: &'static [Contender<Self>] = &[
        Contender::new("pipes", pipes::SOURCES)
            .on_tasks(|game, _| Rpc::run(game, "pipes"))
            .on_threads(|game, _| Rpc::run(game, "pipes")),
        Contender::new("raw", raw::SOURCES)
            .on_tasks(|game, _| Rpc::run(game, "raw"))
            .on_threads(|game, _| Rpc::run(game, "raw"))
            .unless(Rpc::unable_to_block),
        Contender::new("tarpc", tarpc::SOURCES)
            .on_tasks(|game, _| Rpc::run(game, "tarpc"))
            .unless(Rpc::disturbed),
        Contender::new("irpc", irpc::SOURCES)
            .on_tasks(|game, _| Rpc::run(game, "irpc"))
            .unless(Rpc::unable_to_quic),
        Contender::new("tonic", tonic::SOURCES)
            .on_tasks(|game, _| Rpc::run(game, "tonic"))
            .unless(Rpc::disturbed),
        Contender::new("remoc", remoc::SOURCES)
            .on_tasks(|game, _| Rpc::run(game, "remoc"))
            .unless(Rpc::disturbed),
    ];

    type Setting = ();
    type Outcome = Outcome;

    fn check(&self) -> Result<(), String> {
        if self.place.on == On::Threads && self.stalled + self.attacked > 0 {
            return Err("--stalled and --attacked are for tasks".to_owned());
        }
        Ok(())
    }

    fn ops(&self, (): &()) -> u64 {
        self.calls
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
        for (side, seen) in [("the server", outcome.served), ("the callers", outcome.played.received)] {
            if seen != self.calls {
                return Err(format!("{side} have seen {seen} calls instead of {}", self.calls));
            }
        }
        if self.attacked > 0 && self.harm().streams == 0 {
            return Err("there was no attack".to_owned());
        }
        Ok(())
    }

    fn own_time(outcome: &Outcome) -> Option<Duration> {
        Some(outcome.played.time)
    }

    fn figures(&self, (): &(), _: &Outcome) -> Map<String, Value> {
        let (mut figures, harm) = (Map::new(), self.harm());
        if self.attacked > 0 {
            figures.insert("hostile_streams".to_owned(), harm.streams.into());
            figures
                .insert("attacker_busy_seconds".to_owned(), harm.busy.map(|time| time.as_secs_f64()).into());
        }
        figures
    }
}
