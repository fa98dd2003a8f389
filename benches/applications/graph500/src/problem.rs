//! What a program works on: a graph, the roots of its searches, and what their trees are verified with.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicI32;
use std::time::Instant;

use pipes_benches::chance::Chance;
use rayon::prelude::*;
use serde_json::{Map, Value};

use crate::components::Components;
use crate::figures::Figures;
use crate::graph::Graph;
use crate::kronecker::{self, Edge};
use crate::rules;
use crate::trees::{Found, TreePool};

/// The most bytes that the graph and the trees of a run may take.
const MOST_MEMORY: u64 = 8 << 30;

/// A graph, the roots of its searches, and what their trees are verified with.
#[derive(Debug)]
pub struct Problem {
    edges: Vec<Edge>,
    /// The graph.
    pub graph: Graph,
    construction: f64,
    components: Components,
    /// Where the searches begin.
    pub roots: Vec<u32>,
    /// The number of edges of the input that each search traverses.
    traversed: Vec<u64>,
    pool: Arc<TreePool>,
}

/// Checks that a graph with this many vertices and entries in its rows, and the trees of this many searches,
/// are not too large.
pub fn fits(keys: u64, vertices: u64, entries: u64) -> Result<(), String> {
    let keys = keys.min(vertices);
    // An entry takes 8 bytes: its own, and half of an edge of the input. A vertex takes 8 bytes per key,
    // for its parent in a plain tree and in an atomic one, and 48 more: for the beginning of its row, its
    // component, and its places in the workers' lists and in the verification.
    let trees = keys.saturating_mul(8).saturating_add(48);
    let needed = vertices.saturating_mul(trees).saturating_add(entries.saturating_mul(8));
    if needed <= MOST_MEMORY {
        return Ok(());
    }
    Err(format!(
        "{keys} trees of {vertices} vertices, with {entries} entries in their rows, need {needed} bytes; at most {MOST_MEMORY} may be used"
    ))
}

/// Kernel 1: the graph of these edges, and the seconds that its construction took.
pub fn constructed(vertices: usize, edges: &[Edge]) -> (Graph, f64) {
    let start = Instant::now();
    let graph = Graph::new(vertices, edges);
    (graph, start.elapsed().as_secs_f64())
}

impl Problem {
    /// Chooses `keys` roots in a graph that was constructed from these edges; fewer if not enough vertices
    /// have a neighbour.
    ///
    /// # Errors
    ///
    /// There is nowhere to search from.
    pub fn new(
        edges: Vec<Edge>,
        (graph, construction): (Graph, f64),
        keys: usize,
        seed: u64,
    ) -> io::Result<Problem> {
        let roots = roots(&graph, keys, seed);
        if roots.is_empty() {
            return Err(io::Error::other(
                "no edge of the graph joins two vertices, so that there is nowhere to search from",
            ));
        }
        let components = Components::new(graph.vertices(), &edges);
        let traversed = roots.iter().map(|root| components.edges(*root)).collect();
        Ok(Problem { edges, graph, construction, components, roots, traversed, pool: Arc::default() })
    }

    /// The number of edges that all searches traverse.
    pub fn ops(&self) -> u64 {
        self.traversed.iter().sum()
    }

    /// Runs searches whose trees are each written by one thread, or part by part by their owners.
    ///
    /// # Errors
    ///
    /// Those of the searches.
    pub fn plain(
        &self,
        run: impl FnOnce(&[u32], &mut [Vec<i32>]) -> io::Result<Vec<f64>>,
    ) -> io::Result<Found> {
        self.pool.plain(self.roots.len(), self.graph.vertices(), |trees| run(&self.roots, trees))
    }

    /// Runs searches whose trees are written by several threads that may write the same entry.
    ///
    /// # Errors
    ///
    /// Those of the searches.
    pub fn atomic(
        &self,
        run: impl FnOnce(&[u32], &mut [Vec<AtomicI32>]) -> io::Result<Vec<f64>> + Send,
    ) -> io::Result<Found> {
        self.pool.atomic(self.roots.len(), self.graph.vertices(), |trees| run(&self.roots, trees))
    }

    /// Checks every tree by the five rules.
    ///
    /// # Errors
    ///
    /// The first rule that a tree breaks.
    pub fn verify(&self, found: &Found) -> Result<(), String> {
        let one = |(search, root): (usize, &u32)| {
            let parents = found.parents(search);
            rules::check(&self.graph, &self.edges, &self.components, *root, &parents)
                .map_err(|broken| format!("search {} from {root}: {broken}", search + 1))
        };
        self.roots.par_iter().enumerate().try_for_each(one)
    }

    /// The output block of the specification.
    pub fn figures(&self, found: &Found) -> Map<String, Value> {
        Figures {
            vertices: self.graph.vertices(),
            edges: self.edges.len(),
            construction: self.construction,
            seconds: found.seconds(),
            traversed: &self.traversed,
        }
        .block()
    }
}

/// Distinct random vertices that have a neighbour; fewer than requested if there are no more.
fn roots(graph: &Graph, keys: usize, seed: u64) -> Vec<u32> {
    let mut roots: Vec<u32> =
        (0..graph.vertices() as u32).filter(|vertex| graph.degree(*vertex) > 0).collect();
    Chance::row(seed, kronecker::KEYS).shuffle(&mut roots);
    roots.truncate(keys);
    roots
}
