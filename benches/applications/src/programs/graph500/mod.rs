//! Breadth-first search by the rules of the Graph500 benchmark: generation, construction, search, and
//! validation.
//!
//! A run searches from every key, one after another, and times each search. A key is a vertex with a
//! neighbour; a search assigns a parent to each vertex of the key's component. One op is an edge of the input
//! in the component of the key, duplicates and self-loops counted, as the specification counts edges
//! traversed; so ops a second are its TEPS.
//!
//! All contenders search the same graph: a row for each vertex, with its busiest neighbours first, and the
//! first one of each row also in a separate list. Sorting rows belongs to construction, which is timed
//! separately. Those that go both top-down and bottom-up take the same steps (`steps` of `pipes-graph500`,
//! except that top-down several threads need atomic bits) and change direction at the same levels. A search
//! must not rely on the initial contents of its tree's memory: filling it is part of the search. Threads and
//! pools are kept from search to search. Those of `rayon` are started before the clock starts, those of
//! `pipes` and `pipes-2012` within the run, though outside of the specification's time of each search.
//!
//! Verified: the five rules of the specification, on every tree.

mod faulty;
mod futures_2012;
mod petgraph;
mod pipes;
mod rayon_do;
mod sequential;
mod sequential_do;
mod serialized;

use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;

use ::rayon::{ThreadPool, ThreadPoolBuilder};
use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value};

use pipes_benches::files::{Part, as_text};
use pipes_benches::harness::{Contender, Program};
use pipes_benches::options::up_to;
use pipes_graph500::kronecker::Edge;
use pipes_graph500::problem::{self, Problem, constructed};
use pipes_graph500::{bits, graph, kronecker, steps, trees};
use trees::Found;

/// The options of the search.
#[derive(Args, Serialize)]
pub struct Graph500 {
    /// The graph has 2^N vertices and sixteen times as many edges [default: 16]
    #[arg(long, value_name = "N", value_parser = up_to(22))]
    #[serde(skip_serializing_if = "Option::is_none")]
    scale: Option<u64>,
    /// Vertices to search from; fewer if not enough have a neighbour
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = up_to(1_000_000))]
    keys: u64,
    /// Workers of the multi-threaded contenders
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = up_to(64))]
    workers: u64,
    /// Seed of the generated graph and of the keys
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// A graph serialized by the GAP benchmark suite, instead of a generated one
    #[arg(long, value_name = "FILE", conflicts_with = "scale")]
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_text")]
    graph: Option<PathBuf>,
    /// Write the graph to this file, serialized for the GAP benchmark suite
    #[arg(long, value_name = "FILE")]
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_text")]
    write: Option<PathBuf>,
    /// Print the output block of the specification for every contender, not only for ours
    #[arg(long)]
    #[serde(skip)]
    blocks: bool,
}

impl Graph500 {
    /// The scale of the generated graph.
    fn scale(&self) -> u32 {
        self.scale.unwrap_or(16) as u32
    }

    /// The number of workers.
    fn workers(&self) -> usize {
        self.workers as usize
    }

    /// Checks that a graph with this many vertices and entries in its rows, and its trees, are not too large.
    fn fits(&self, vertices: u64, entries: u64) -> Result<(), String> {
        problem::fits(self.keys, vertices, entries)
    }

    /// The input, read or generated.
    fn input(&self) -> io::Result<(usize, Vec<Edge>)> {
        match &self.graph {
            Some(path) => serialized::read(path, |vertices, entries| self.fits(vertices, entries)),
            None => Ok((1 << self.scale(), kronecker::edges(self.scale(), self.seed))),
        }
    }
}

impl Program for Graph500 {
    const NAME: &'static str = "graph500";
    const ABOUT: &'static str =
        "Search a graph breadth-first, by the Graph500 rules; one op is one edge traversed";
    const UNIT: &'static str = "edges";
    const QUICK: &'static [&'static str] = &["--scale", "10"];
    const CONTENDERS: &'static [Contender<Self>] = &[
        Contender::new("pipes", pipes::SOURCES).in_its_own_way(pipes::run),
        Contender::new("pipes-alone", pipes::SOURCES)
            .in_its_own_way(pipes::alone)
            .unless(|program| (program.workers == 1).then_some("with --workers 1 it is `pipes`")),
        Contender::new("pipes-2012", futures_2012::SOURCES).in_its_own_way(futures_2012::run).unless(
            |program| match program.graph {
                Some(_) => Some(
                    "each of its levels goes through all vertices; it runs for graphs that are generated",
                ),
                None => (program.scale() > 18)
                    .then_some("each of its levels goes through all vertices; up to --scale 18 it runs"),
            },
        ),
        Contender::new("sequential", sequential::SOURCES).in_its_own_way(sequential::run),
        Contender::new("sequential-do", sequential_do::SOURCES).in_its_own_way(sequential_do::run),
        Contender::new("rayon-do", rayon_do::SOURCES).in_its_own_way(rayon_do::run),
        Contender::new("petgraph", petgraph::SOURCES).in_its_own_way(petgraph::run),
        Contender::new("faulty", faulty::SOURCES).in_its_own_way(faulty::run).hidden(),
    ];

    type Setting = Setting;
    type Outcome = Found;

    fn ops(&self, at: &Setting) -> u64 {
        at.problem.ops()
    }

    fn check(&self) -> Result<(), String> {
        if self.graph.is_some() { Ok(()) } else { self.fits(1 << self.scale(), 32 << self.scale()) }
    }

    fn setting(&self) -> io::Result<Setting> {
        if let Some(path) = &self.write {
            // If the graph cannot be written there, this is reported before anything runs.
            Part::beside(path)?;
        }
        let pool = ThreadPoolBuilder::new().num_threads(self.workers()).build().map_err(io::Error::other)?;
        let (vertices, edges) = pool.install(|| self.input())?;
        let built = pool.install(|| constructed(vertices, &edges));
        if let Some(path) = &self.write {
            serialized::write(&built.0, path)?;
        }
        let problem = Problem::new(edges, built, self.keys as usize, self.seed)?;
        Ok(Setting { problem, pool, petgraph: OnceLock::new() })
    }

    fn verify(&self, at: &Setting, found: &Found) -> Result<(), String> {
        at.pool.install(|| at.problem.verify(found))
    }

    fn figures(&self, at: &Setting, found: &Found) -> Map<String, Value> {
        at.problem.figures(found)
    }

    fn all_figures(&self) -> bool {
        self.blocks
    }
}

/// What all contenders work on.
#[derive(Debug)]
pub struct Setting {
    problem: Problem,
    pool: ThreadPool,
    /// The graph in the representation of `petgraph`, created in the warm-up.
    petgraph: OnceLock<petgraph::Rows>,
}

impl Setting {
    /// The graph in the representation of `petgraph`.
    fn petgraph(&self) -> io::Result<&petgraph::Rows> {
        if self.petgraph.get().is_none() {
            let rows = petgraph::convert(&self.problem.graph)?;
            return Ok(self.petgraph.get_or_init(|| rows));
        }
        self.petgraph.get().ok_or_else(|| io::Error::other("the graph was not converted"))
    }
}
