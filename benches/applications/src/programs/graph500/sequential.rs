//! A search in one thread with a queue, as in textbooks.

use std::io;

use super::bits;
use super::graph::Graph;
use super::trees::{Found, NOBODY, each};
use super::{Graph500, Setting};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("sequential.rs")];

/// Runs the searches one after another.
pub fn run(_: &Graph500, at: &Setting) -> io::Result<Found> {
    at.problem.plain(|roots, trees| {
        let (mut seen, mut queue) = (bits::none(at.problem.graph.vertices()), Vec::new());
        each(roots, trees, |root, parents| {
            search(&at.problem.graph, &mut seen, &mut queue, root, parents);
            Ok(())
        })
    })
}

/// Searches from one root: each vertex of the queue visits its neighbours, and new ones are appended to the
/// queue.
pub fn search(graph: &Graph, seen: &mut [u64], queue: &mut Vec<u32>, root: u32, parents: &mut [i32]) {
    parents.fill(NOBODY);
    seen.fill(0);
    queue.clear();
    bits::set(seen, root);
    parents[root as usize] = root as i32;
    queue.push(root);
    let mut at = 0;
    while let Some(&vertex) = queue.get(at) {
        for &neighbour in graph.row(vertex) {
            if bits::set(seen, neighbour) {
                parents[neighbour as usize] = vertex as i32;
                queue.push(neighbour);
            }
        }
        at += 1;
    }
}
