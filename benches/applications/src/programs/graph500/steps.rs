//! The steps of a direction-optimising search, the same for every contender that makes them.
//!
//! Top-down, the vertices that were found last look at their neighbours. Bottom-up, the vertices that were not found yet look for a
//! neighbour among those, and stop at the first: where most of the graph is found in one level, that is far less to look at.

use super::bits;
use super::graph::Graph;

/// Bottom-up once the edges at the frontier exceed those not looked at yet, divided by this.
const ALPHA: u64 = 15;
/// Top-down again once the frontier shrinks, to all vertices divided by this.
const BETA: u64 = 18;

/// Which way the next level goes, by what is known of all workers together.
#[derive(Clone, Copy, Debug)]
pub struct Compass {
    vertices: u64,
    unexplored: u64,
}

impl Compass {
    /// At the beginning of a search.
    pub fn new(graph: &Graph) -> Compass {
        Compass { vertices: graph.vertices() as u64, unexplored: graph.entries() as u64 }
    }

    /// Does the search turn bottom-up, with so many edges at the frontier? If not, they are taken as looked at.
    pub fn turns_up(&mut self, edges: u64) -> bool {
        let up = edges > self.unexplored / ALPHA;
        if !up {
            self.unexplored -= edges;
        }
        up
    }

    /// Does it go on bottom-up, with so many vertices found in the last level and in the one before?
    pub fn stays_up(&self, found: u64, before: u64) -> bool {
        found >= before || found > self.vertices / BETA
    }
}

/// Top-down: adds those neighbours of a vertex to a list that are new. Which of them are nobody can guess, so each is written to the list,
/// and the next one over it if it was not: a branch would be taken wrongly too often.
#[inline]
pub fn expand(graph: &Graph, vertex: u32, found: &mut Vec<u32>, mut is_new: impl FnMut(u32) -> bool) {
    let row = graph.row(vertex);
    let mut end = found.len();
    found.resize(end + row.len(), 0);
    for &neighbour in row {
        found[end] = neighbour;
        end += usize::from(is_new(neighbour));
    }
    found.truncate(end);
}

/// Bottom-up: for each vertex not seen yet, from `first` on, looks for a parent in the frontier; tells which of them, counted
/// from `first`, has found whom, and gives their number.
#[inline]
pub fn adopt(
    graph: &Graph,
    first: u32,
    frontier: &[u64],
    seen: &mut [u64],
    next: &mut [u64],
    mut found: impl FnMut(usize, u32),
) -> u64 {
    let mut count = 0;
    for (word, (seen, next)) in seen.iter_mut().zip(next).enumerate() {
        let mut adopted = 0;
        for bit in bits::of_word(!*seen) {
            let at = word * 64 + bit as usize;
            if let Some(parent) = graph.neighbour_among(first + at as u32, frontier) {
                found(at, parent);
                adopted |= 1 << bit;
            }
        }
        *seen |= adopted;
        *next = adopted;
        count += u64::from(adopted.count_ones());
    }
    count
}
