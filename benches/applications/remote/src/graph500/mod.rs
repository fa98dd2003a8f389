//! The breadth-first search of `graph500`, with each worker in a process of its own.
//!
//! ```text
//! first (the command, race) ──► team (orders) ──► workers of `pipes-graph500`
//!    │                            │                    │
//!    └─► children, meeting ───────┴──► driver, links ◄─┘
//!          └──► wire
//! ```
//!
//! The workers are those of `graph500` in one process, with the same protocol between every two of them.
//! There the pipes have both ends in one process; here a session connects two processes, and the buffers that
//! are handed back travel as their number. Each process makes the graph from its scale and seed, and keeps
//! its part: the rows of its worker's vertices, and what leads to them. The process with rank 0 races,
//! against the same workers in threads, and verifies: after each run it collects the trees.
//!
//! Each process has one thread that matters: its worker drives the runtime with the pumps of its sessions
//! while it waits.
//!
//! Not timed: meeting, making the graph, collecting the trees. Verified: the five rules of the specification,
//! on every tree.

mod children;
mod driver;
mod first;
mod links;
mod meeting;
mod team;
mod wire;

use crate::count::Count;
use crate::net::Over;
use clap::Args;
use driver::Driver;
use first::First;
use meeting::{Met, Origin, meet};
use pipes_benches::console::print;
use pipes_benches::failure::Failure;
use pipes_benches::harness::{Contender, Program};
use pipes_benches::options::up_to;
use pipes_graph500::problem::{Problem, constructed, fits};
use pipes_graph500::trees::Found;
use pipes_graph500::workers::{Member, Worker, searches};
use pipes_graph500::{kronecker, workers};
use pipes_remote::engine::{Quic, Tcp, Tls, Unix, Ws};
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use team::Served;

/// The most workers.
const MOST: u64 = 64;

/// The options.
#[derive(Args, Clone, Serialize)]
pub struct Search {
    /// The graph has 2^N vertices and sixteen times as many edges
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = up_to(22))]
    scale: u64,
    /// Vertices to search from; fewer if not enough have a neighbour
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = up_to(1_000_000))]
    keys: u64,
    /// Seed of the generated graph and of the keys
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Processes, with a worker each [default: 2, or as many as there are --peers]
    #[arg(long, value_name = "N", value_parser = up_to(MOST))]
    #[serde(skip_serializing_if = "Option::is_none")]
    processes: Option<u64>,
    /// What carries the bytes
    #[arg(long, value_name = "SOCKET", default_value = "unix")]
    over: Over,
    /// Do not start the other processes: be this one of the --peers, from 0; the first one reports
    #[arg(long, value_name = "I", requires = "peers")]
    #[serde(skip)]
    rank: Option<u64>,
    /// Where all processes listen, in the order of their ranks
    #[arg(long, value_name = "ADDRESSES", value_delimiter = ',', requires = "rank")]
    #[serde(skip)]
    peers: Vec<String>,
    /// The key pair and the certificate of this one of the --peers, for tls and quic; made if it is not there
    #[arg(long, value_name = "FILE", requires = "peers")]
    #[serde(skip)]
    identity: Option<PathBuf>,
    /// Seconds to wait until all processes are there
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = up_to(1_000_000))]
    #[serde(skip)]
    patience: u64,
    /// Print the output block of the specification for every contender, not only for ours
    #[arg(long)]
    #[serde(skip)]
    blocks: bool,
    /// Be this worker of a command that says where the others are
    #[arg(long, hide = true, conflicts_with = "peers")]
    #[serde(skip)]
    child: Option<u64>,
}

impl Search {
    /// The number of workers.
    fn workers(&self) -> usize {
        let many = if self.peers.is_empty() { self.processes.unwrap_or(2) } else { self.peers.len() as u64 };
        many as usize
    }

    /// The arguments for the process of this worker.
    fn arguments(&self, rank: usize) -> Vec<String> {
        vec![
            Self::NAME.to_owned(),
            format!("--child={rank}"),
            format!("--processes={}", self.workers()),
            format!("--scale={}", self.scale),
            format!("--seed={}", self.seed),
            format!("--over={}", self.over.name()),
            format!("--patience={}", self.patience),
        ]
    }

    /// Waits until the worker of this rank and all others have met. The addresses are told, unless they are
    /// named.
    fn meet(
        &self,
        driver: &Driver,
        rank: usize,
        told: &mut dyn FnMut(&str) -> io::Result<Vec<String>>,
        written: &Count,
    ) -> io::Result<Met> {
        let origin = if self.peers.is_empty() {
            Origin::Told(told)
        } else {
            Origin::Named(&self.peers, self.identity.as_deref())
        };
        let (of, scale) = (self.workers() as u32, self.scale as u32);
        let me = Member { rank: rank as u32, of, scale, seed: self.seed };
        let meet = match self.over {
            Over::Tcp => meet::<Tcp>,
            Over::Unix => meet::<Unix>,
            Over::Tls => meet::<Tls>,
            Over::Quic => meet::<Quic>,
            Over::Ws => meet::<Ws>,
        };
        meet(driver, origin, me, Duration::from_secs(self.patience), written)
    }

    /// The graph, the roots, and what the trees are verified with.
    fn problem(&self) -> io::Result<Problem> {
        let edges = kronecker::edges(self.scale as u32, self.seed);
        let built = constructed(1 << self.scale, &edges);
        Problem::new(edges, built, self.keys as usize, self.seed)
    }

    /// Is a worker other than the first one, until the first one has finished.
    fn take_part(&self, rank: usize) -> io::Result<()> {
        let (driver, written) = (Driver::new()?, Count::default());
        let mut met = self.meet(&driver, rank, &mut children::hear, &written)?;
        let served = self.serve(&driver, rank, &mut met, &written);
        let told = served.map_err(|trouble| trouble.told(&driver, &met.links));
        met.links.drain(&driver, Duration::from_secs(1));
        told
    }

    /// Makes the graph, and does what the first worker requests.
    fn serve(
        &self,
        driver: &Driver,
        rank: usize,
        met: &mut Met,
        written: &Count,
    ) -> Result<(), team::Trouble> {
        let head = met.head.take().ok_or(workers::Gone::Left)?;
        let scale = self.scale as u32;
        let (graph, cuts) = driver.beside(|| {
            let (whole, _) = constructed(1 << scale, &kronecker::edges(scale, self.seed));
            let cuts = whole.cuts(self.workers());
            (whole.part(cuts[rank]..cuts[rank + 1]), cuts)
        })?;
        let worker = Worker::new(driver, &graph, &cuts, rank, met.peers(&cuts, rank));
        let server = head.ready().map_err(workers::Gone::left)?;
        let vertices = cuts[rank + 1] - cuts[rank];
        let begun = || self.say(&format!("worker {rank} searches\n"));
        Ok(Served { driver, graph: &graph, worker, vertices, written }.serve(server, begun)?)
    }

    /// Prints a line, unless another process has started this one.
    fn say(&self, line: &str) {
        if self.child.is_none() {
            // If it cannot be printed, the first process still reports.
            let _ = print(line);
        }
    }

    /// Says what is wrong with the addresses, if anything.
    fn check_peers(&self) -> Result<(), String> {
        let Some(rank) = self.rank else { return Ok(()) };
        let many = self.peers.len();
        if many as u64 > MOST {
            return Err(format!("{many} --peers are too many; at most {MOST} can take part"));
        }
        if rank >= many as u64 {
            return Err(format!("there is no --rank {rank} among {many} --peers, which are counted from 0"));
        }
        if let Some(processes) = self.processes.filter(|processes| *processes != many as u64) {
            return Err(format!("--processes {processes} are not as many as the {many} --peers"));
        }
        let distinct: BTreeSet<_> = self.peers.iter().collect();
        if distinct.len() < many || distinct.iter().any(|address| address.is_empty()) {
            return Err("each of the --peers needs an address of its own".to_owned());
        }
        match (self.over, &self.identity) {
            (Over::Tls | Over::Quic, Some(file)) => wire::check(&self.peers, rank as usize, file),
            (Over::Tls | Over::Quic, None) => {
                Err(format!("--over {} needs an --identity beside the --peers", self.over.name()))
            }
            (Over::Tcp | Over::Unix | Over::Ws, Some(_)) => {
                Err(format!("--over {} has no use for an --identity", self.over.name()))
            }
            (Over::Tcp | Over::Unix | Over::Ws, None) => Ok(()),
        }
    }
}

impl Program for Search {
    const NAME: &'static str = "remote-graph500";
    const ABOUT: &'static str =
        "Search the graph of graph500 with a process for each worker; one op is one edge traversed";
    const UNIT: &'static str = "edges";
    const VARIANTS: &'static [&'static [&'static str]] = &[
        &["--over", "unix"],
        &["--over", "tcp"],
        &["--over", "tls"],
        &["--over", "quic"],
        &["--over", "ws"],
    ];
    const QUICK: &'static [&'static str] = &["--scale", "8", "--keys", "8"];
    const CONTENDERS: &'static [Contender<Self>] = &[
        Contender::new("pipes", SOURCES).in_its_own_way(|_, at: &Setting| {
            let mut bytes = Vec::new();
            let found = at.problem.plain(|_, trees| {
                let (seconds, written) = at.first.run(trees)?;
                bytes = written;
                Ok(seconds)
            })?;
            Ok(Outcome { found, bytes })
        }),
        Contender::new("pipes-threads", workers::SOURCES).in_its_own_way(|search: &Search, at: &Setting| {
            let search = |roots: &[u32], trees: &mut [Vec<i32>]| {
                searches(search.workers(), &at.problem.graph, roots, trees)
            };
            Ok(Outcome { found: at.problem.plain(search)?, bytes: Vec::new() })
        }),
    ];

    type Setting = Setting;
    type Outcome = Outcome;

    fn ops(&self, at: &Setting) -> u64 {
        at.problem.ops()
    }

    fn check(&self) -> Result<(), String> {
        self.check_peers()?;
        fits(self.keys, 1 << self.scale, 32 << self.scale)
    }

    fn tool(&self, _: &[&str]) -> Option<Result<ExitCode, Failure>> {
        let rank = self.child.or(self.rank).filter(|rank| *rank > 0)? as usize;
        let took_part = || {
            self.check().map_err(|problem| Failure::Arguments(format!("{}: {problem}", Self::NAME)))?;
            self.take_part(rank).map_err(|error| Failure::io(&format!("worker {rank}"), &error))?;
            self.say(&format!("worker {rank} has finished\n"));
            Ok(ExitCode::SUCCESS)
        };
        Some(took_part())
    }

    fn setting(&self) -> io::Result<Setting> {
        let (first, problem) = First::start(self)?;
        Ok(Setting { first, problem })
    }

    fn verify(&self, at: &Setting, outcome: &Outcome) -> Result<(), String> {
        at.problem.verify(&outcome.found)
    }

    fn own_time(outcome: &Outcome) -> Option<Duration> {
        Some(Duration::from_secs_f64(outcome.found.seconds().iter().sum()))
    }

    fn figures(&self, at: &Setting, outcome: &Outcome) -> Map<String, Value> {
        let mut figures = at.problem.figures(&outcome.found);
        if let Some(most) = outcome.bytes.iter().max() {
            let mean = outcome.bytes.iter().sum::<u64>() / outcome.bytes.len() as u64;
            figures.insert("mean_bytes".to_owned(), mean.into());
            figures.insert("max_bytes".to_owned(), (*most).into());
        }
        figures
    }

    fn all_figures(&self) -> bool {
        self.blocks
    }
}

/// The source of what the processes need besides the workers, for `list --sloc`.
const SOURCES: &[&str] = &[
    include_str!("children.rs"),
    include_str!("../count.rs"),
    include_str!("driver.rs"),
    include_str!("first.rs"),
    include_str!("links.rs"),
    include_str!("meeting.rs"),
    include_str!("team.rs"),
    include_str!("wire.rs"),
];

/// The processes, and what they search.
pub struct Setting {
    first: First,
    problem: Arc<Problem>,
}

/// The trees of a run, and for the processes the bytes that they have written in each search.
pub struct Outcome {
    found: Found,
    bytes: Vec<u64>,
}
