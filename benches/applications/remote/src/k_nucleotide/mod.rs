//! The windows of `k-nucleotide`, counted by a farm whose workers are processes.
//!
//! ```text
//! mod (the race) ──► farm (the pipeline, and the workers) ──► crew, count
//!                     ├──► merge (a thread for each size)
//!                     │      │
//!                     └──────┴──► wire (chunks and tables as bytes)
//! ```
//!
//! The first process reads, checks and packs the text, as `k-nucleotide` does in one process, and cuts it
//! into chunks. The stage `remote` of a pipeline gives them to the workers. A worker counts the windows of
//! all sizes that end in a chunk, and sends the tables back: the windows in the order of their codes, with
//! their counts. So each chunk has a result of its own, and one whose worker is lost is given to another
//! one. In the first process the tables are checked and added up, each size in a thread of its own, while
//! the workers count.
//!
//! The workers stay for all runs. They are started by the command, or by hand, with `--work-for`.
//!
//! `pipes-threads` are the streams of `k-nucleotide` in this process, with as many threads as all processes
//! together have; `sequential` is one thread.
//!
//! Not timed: starting the processes, until all have joined. Verified: the output, the number of windows in
//! each table, and that the workers which were started here end by themselves.

mod farm;
mod merge;
mod wire;

use self::farm::Farm;
use crate::net::{Over, over};
use crate::sides::say;
use clap::Args;
use pipes_benches::console::note;
use pipes_benches::failure::Failure;
use pipes_benches::harness::{Contender, Program};
use pipes_benches::options::up_to;
use pipes_k_nucleotide::counted::Counted;
use pipes_k_nucleotide::due::Due;
use pipes_k_nucleotide::input::Input;
use pipes_k_nucleotide::text::Text;
use pipes_k_nucleotide::{sequential, streams};
use serde::Serialize;
use serde_json::{Map, Value};
use std::io;
use std::process::ExitCode;

/// The options.
#[derive(Args, Serialize)]
pub struct KNucleotide {
    #[command(flatten)]
    #[serde(flatten)]
    text: Text,
    /// Processes that count, besides the one that reads
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = up_to(64))]
    processes: u64,
    /// Counting threads of each process
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = up_to(64))]
    workers: u64,
    /// Letters that are sent at once, to which up to a line is added
    #[arg(long, value_name = "N", default_value_t = 1 << 21, value_parser = up_to(wire::MOST as u64))]
    chunk: u64,
    /// What carries the bytes
    #[arg(long, value_name = "SOCKET", default_value = "unix")]
    over: Over,
    /// Print what each worker has done, after the last run
    #[arg(long)]
    #[serde(skip)]
    watch: bool,
    /// Do not start the processes: wait for them at this address
    #[arg(long, value_name = "ADDRESS")]
    #[serde(skip)]
    listen: Option<String>,
    /// Be a worker of the command that listens there; it says with which options
    #[arg(long, value_name = "ADDRESS", conflicts_with = "listen")]
    #[serde(skip)]
    work_for: Option<String>,
    /// Seconds to wait until all processes are there, and for another one when all are lost
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = up_to(1_000_000))]
    #[serde(skip)]
    patience: u64,
}

impl KNucleotide {
    /// The arguments for the process of a worker.
    fn arguments(&self, farm: &str) -> Vec<String> {
        vec![
            Self::NAME.to_owned(),
            format!("--work-for={farm}"),
            format!("--over={}", self.over.name()),
            format!("--workers={}", self.workers),
        ]
    }
}

impl Program for KNucleotide {
    const NAME: &'static str = "remote-k-nucleotide";
    const ABOUT: &'static str =
        "Count the windows of k-nucleotide in processes that are workers of a farm; one op is one letter";
    const UNIT: &'static str = "letters";
    const VARIANTS: &'static [&'static [&'static str]] = &[
        &["--over", "unix"],
        &["--over", "tcp"],
        &["--over", "tls"],
        &["--over", "quic"],
        &["--over", "ws"],
    ];
    const QUICK: &'static [&'static str] = &["--n", "1000", "--chunk", "700"];
    const CONTENDERS: &'static [Contender<Self>] = &[
        Contender::new("pipes", farm::SOURCES)
            .in_its_own_way(|_: &KNucleotide, at: &Setting| at.farm.run(&at.input)),
        Contender::new("pipes-threads", streams::SOURCES).in_its_own_way(
            |program: &KNucleotide, at: &Setting| {
                let threads = (program.processes * program.workers) as usize;
                streams::run(&at.input, threads).map(Outcome::here)
            },
        ),
        Contender::new("sequential", &[sequential::SOURCE])
            .in_its_own_way(|_: &KNucleotide, at: &Setting| sequential::run(&at.input).map(Outcome::here)),
    ];

    type Setting = Setting;
    type Outcome = Outcome;

    fn ops(&self, at: &Setting) -> u64 {
        at.letters
    }

    fn tool(&self, _: &[&str]) -> Option<Result<ExitCode, Failure>> {
        let farm = self.work_for.as_deref()?;
        let done = over!(self.over, farm::work(farm, self.workers));
        let done = done.map_err(|error| Failure::io("a worker", &error));
        Some(done.map(|chunks| {
            say(&format!("{chunks} chunks were counted"));
            ExitCode::SUCCESS
        }))
    }

    fn setting(&self) -> io::Result<Setting> {
        let (input, letters) = self.text.ready()?;
        let due = self.text.due(&input)?;
        let farm = over!(self.over, Farm::start(self))?;
        Ok(Setting { input, letters, due, farm })
    }

    fn verify(&self, at: &Setting, outcome: &Outcome) -> Result<(), String> {
        outcome.counted.verify(&at.due, at.letters)
    }

    fn figures(&self, _: &Setting, outcome: &Outcome) -> Map<String, Value> {
        let mut figures = Map::new();
        if let Some((sent, received)) = outcome.bytes {
            figures.insert("sent_bytes".to_owned(), sent.into());
            figures.insert("received_bytes".to_owned(), received.into());
        }
        figures
    }

    fn keep(&self, at: Setting, _: Outcome) -> io::Result<()> {
        if self.watch {
            note(&at.farm.report().to_string());
        }
        at.farm.end()
    }
}

/// The text, its number of letters, the expected result, and the workers.
pub struct Setting {
    input: Input,
    letters: u64,
    due: Due,
    farm: Farm,
}

/// The result of a run, and for the processes the bytes that the first one has sent and received.
pub struct Outcome {
    counted: Counted,
    bytes: Option<(u64, u64)>,
}

impl Outcome {
    /// That of a run in this process alone.
    fn here(counted: Counted) -> Outcome {
        Outcome { counted, bytes: None }
    }
}
