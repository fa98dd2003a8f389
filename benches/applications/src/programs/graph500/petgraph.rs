//! The search of the crate `petgraph`, over its compressed rows.
//!
//! Its `Bfs` yields vertices but no parents. However, the vertices that it queues while it yields a vertex
//! are the children of that vertex, so a parent costs nothing but the write.

use std::io;

use petgraph::Directed;
use petgraph::csr::Csr;
use petgraph::visit::Bfs;

use super::graph::Graph;
use super::trees::{Found, NOBODY, each};
use super::{Graph500, Setting};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("petgraph.rs")];

/// The graph in the representation of this crate: every edge in both directions.
pub type Rows = Csr<(), (), Directed, u32>;

/// Converts the graph, once and outside of the timed part.
pub fn convert(graph: &Graph) -> io::Result<Rows> {
    let row = |vertex| {
        let mut row = graph.row(vertex).to_vec();
        row.sort_unstable();
        row.into_iter().map(move |neighbour| (vertex, neighbour))
    };
    let edges: Vec<(u32, u32)> = (0..graph.vertices() as u32).flat_map(row).collect();
    let mut rows = Rows::from_sorted_edges(&edges).map_err(|error| io::Error::other(format!("{error:?}")))?;
    // The vertices behind the last one with an edge are still missing.
    while rows.node_count() < graph.vertices() {
        rows.add_node(());
    }
    Ok(rows)
}

/// Runs the searches one after another.
pub fn run(_: &Graph500, at: &Setting) -> io::Result<Found> {
    let rows = at.petgraph()?;
    at.problem.plain(|roots, trees| {
        each(roots, trees, |root, parents| {
            search(rows, root, parents);
            Ok(())
        })
    })
}

fn search(rows: &Rows, root: u32, parents: &mut [i32]) {
    parents.fill(NOBODY);
    parents[root as usize] = root as i32;
    let mut search = Bfs::new(rows, root);
    loop {
        // The next vertex is taken from the queue, and its children are appended.
        let waiting = search.stack.len().saturating_sub(1);
        let Some(vertex) = search.next(rows) else { break };
        for &child in search.stack.range(waiting..) {
            parents[child as usize] = vertex as i32;
        }
    }
}
