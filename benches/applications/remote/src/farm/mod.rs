//! A farm whose workers are processes: each works on one item at a time, and the results come in order.
//!
//! ```text
//! mod (the race) ──► pipes ──► team (the deaths of our workers) ──► crew (their processes)
//!        ├─────────► tarpc
//!        ├─────────► here (the farm in this process, and the loop)
//!        └─────────► work (how long an item takes)
//! ```
//!
//! An item is a number, on which a worker works for as long as `--work` says. The first process measures how
//! many steps that is, and tells the workers, so that the work is the same for all contenders. `pipes` is the
//! stage `remote` of a pipeline; a worker has one replica, and so three items at most. `pipes-lists` is the
//! same with lists of 16 items, as small ones should be sent. `local` is the stage `parallel` with as many
//! replicas as there are workers; `sequential` is a loop.
//!
//! `tarpc` has a connection with each worker. The items are calls, spread round robin, of which
//! `buffer_unordered` has as many under way as ours: three for each worker. A worker has a runtime with one
//! thread, and serves each call in a task, which gives the work to the blocking pool; that has one thread, as
//! ours has one replica. `tarpc-wide` has 64 calls under way for each worker, and works in the thread of the
//! runtime: no thread waits for another one, but nothing is sent or received while an item is worked on.
//!
//! With `--kill`, a worker is killed each second and after each third of the items, and another one started.
//!
//! Not timed: starting the processes, until all workers have joined; for `tarpc`, until each has answered a
//! call. Verified: each result, in the order of the items; that all workers but those that were killed ended
//! by themselves; that one was killed.

mod here;
mod pipes;
mod tarpc;
mod team;
mod work;

use self::tarpc::Style;
use self::work::{Steps, Work};
use crate::net::{Over, over};
use crate::sides::say;
use clap::Args;
use pipes_benches::failure::Failure;
use pipes_benches::harness::{Contender, Program};
use pipes_benches::options::up_to;
use pipes_benches::watch::Watch;
use pipes_remote::farm::FarmReport;
use serde::Serialize;
use serde_json::{Map, Value};
use std::io;
use std::ops::Not;
use std::process::ExitCode;
use std::time::Duration;

/// The options.
#[derive(Args, Serialize)]
pub struct Farm {
    /// How long an item takes
    #[arg(long, value_name = "WORK", default_value = "10us")]
    work: Work,
    /// Processes that work
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = up_to(64))]
    workers: u64,
    /// Items [default: 50000, of 10us 30000, of 1ms 1000]
    #[arg(long, value_name = "N", value_parser = up_to(100_000_000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<u64>,
    /// What carries the bytes
    #[arg(long, value_name = "SOCKET", default_value = "unix")]
    over: Over,
    /// Kill one of our workers each second, and after each third of the items, and start another one
    #[arg(long)]
    #[serde(skip_serializing_if = "Not::not")]
    kill: bool,
    /// Show our own pipeline and what each worker does while it runs, before the race
    #[arg(long)]
    #[serde(skip)]
    watch: bool,
    /// Be a worker of this contender
    #[arg(long, hide = true)]
    #[serde(skip)]
    serve: Option<String>,
    /// The steps of the work on an item, for a worker
    #[arg(long, hide = true, default_value_t = 0)]
    #[serde(skip)]
    steps: u64,
    /// Where the farm of a worker is
    #[arg(long, hide = true, default_value = "")]
    #[serde(skip)]
    farm: String,
}

impl Farm {
    /// The number of items.
    fn items(&self) -> u64 {
        self.items.unwrap_or_else(|| self.work.items())
    }

    /// The arguments for the process of a worker.
    fn arguments(&self, contender: &str, steps: Steps) -> Vec<String> {
        vec![
            Self::NAME.to_owned(),
            format!("--serve={contender}"),
            format!("--over={}", self.over.name()),
            format!("--steps={}", steps.0),
        ]
    }

    fn serve(&self, contender: &str) -> io::Result<()> {
        let steps = Steps(self.steps);
        match Style::of(contender) {
            Some(style) => over!(self.over, tarpc::worker(style, steps, &say)),
            None => over!(self.over, pipes::worker(contender, &self.farm, steps)),
        }
    }

    /// Why a contender other than ours is left out, if it is.
    fn loses_none(&self) -> Option<&'static str> {
        self.kill.then_some("--kill is for `pipes`")
    }
}

impl Program for Farm {
    const NAME: &'static str = "remote-farm";
    const ABOUT: &'static str = "Work on items in processes and put the results in order; one op is one item";
    const UNIT: &'static str = "items";
    const VARIANTS: &'static [&'static [&'static str]] = &[
        &["--over", "unix", "--work", "none"],
        &["--over", "unix", "--work", "1us"],
        &["--over", "unix", "--work", "10us"],
        &["--over", "unix", "--work", "1ms"],
        &["--over", "tcp", "--work", "10us"],
        &["--over", "tls", "--work", "10us"],
        &["--over", "quic", "--work", "10us"],
        &["--over", "ws", "--work", "10us"],
        &["--over", "unix", "--work", "1ms", "--kill"],
    ];
    const QUICK: &'static [&'static str] = &["--items", "200"];
    const CONTENDERS: &'static [Contender<Self>] = &[
        Contender::new("pipes", pipes::SOURCES).in_its_own_way(|farm: &Farm, at: &Setting| {
            over!(farm.over, pipes::run(farm, at.steps, &at.watch))
        }),
        Contender::new(pipes::LISTS, pipes::SOURCES)
            .in_its_own_way(|farm: &Farm, at: &Setting| over!(farm.over, pipes::run_lists(farm, at.steps)))
            .unless(Farm::loses_none),
        Contender::new("local", here::SOURCES)
            .in_its_own_way(|farm: &Farm, at: &Setting| here::local(farm, at.steps))
            .unless(Farm::loses_none),
        Contender::new("sequential", here::SOURCES)
            .in_its_own_way(|farm: &Farm, at: &Setting| Ok(here::sequential(farm, at.steps)))
            .unless(Farm::loses_none),
        Contender::new("tarpc", tarpc::SOURCES)
            .in_its_own_way(|farm: &Farm, at: &Setting| {
                over!(farm.over, tarpc::run(Style::Pool, farm, at.steps))
            })
            .unless(Farm::loses_none),
        Contender::new("tarpc-wide", tarpc::SOURCES)
            .in_its_own_way(|farm: &Farm, at: &Setting| {
                over!(farm.over, tarpc::run(Style::Wide, farm, at.steps))
            })
            .unless(Farm::loses_none),
    ];

    type Setting = Setting;
    type Outcome = Outcome;

    fn check(&self) -> Result<(), String> {
        if self.kill && self.over == Over::Quic {
            return Err(
                "--kill is for sockets: over QUIC, a process that was killed is just silent".to_owned()
            );
        }
        Ok(())
    }

    fn ops(&self, _: &Setting) -> u64 {
        self.items()
    }

    fn tool(&self, _: &[&str]) -> Option<Result<ExitCode, Failure>> {
        let contender = self.serve.as_ref()?;
        let served = self.serve(contender).map_err(|error| Failure::io("a worker", &error));
        Some(served.map(|()| ExitCode::SUCCESS))
    }

    fn setting(&self) -> io::Result<Setting> {
        let steps = self.work.steps();
        let at = Setting { steps, due: here::sequential(self, steps).results, watch: Watch::default() };
        if self.watch {
            at.watch.show(|| over!(self.over, pipes::run(self, steps, &at.watch)))?;
        }
        Ok(at)
    }

    fn verify(&self, at: &Setting, outcome: &Outcome) -> Result<(), String> {
        let (results, due) = (&outcome.results, &at.due);
        if results.len() != due.len() {
            return Err(format!("{} items have {} results", due.len(), results.len()));
        }
        if let Some(item) = results.iter().zip(due).position(|(result, due)| result != due) {
            return Err(format!("the result of item {item} is wrong"));
        }
        if self.kill && outcome.killed == 0 {
            return Err("no worker was killed".to_owned());
        }
        Ok(())
    }

    fn own_time(outcome: &Outcome) -> Option<Duration> {
        Some(outcome.time)
    }

    fn figures(&self, _: &Setting, outcome: &Outcome) -> Map<String, Value> {
        let mut figures = Map::new();
        if self.kill {
            figures.insert("killed".to_owned(), outcome.killed.into());
            let again = outcome.report.as_ref().map(FarmReport::given_again);
            figures.insert("given_again".to_owned(), again.into());
        }
        figures
    }
}

/// The work, and its results.
pub struct Setting {
    steps: Steps,
    due: Vec<u64>,
    watch: Watch,
}

/// What a run has delivered.
pub struct Outcome {
    /// The results, in the order in which they came to the sink.
    results: Vec<u64>,
    time: Duration,
    /// What our workers have done.
    report: Option<FarmReport>,
    killed: u64,
}

impl Outcome {
    fn new(results: Vec<u64>, time: Duration) -> Self {
        Outcome { results, time, report: None, killed: 0 }
    }
}
