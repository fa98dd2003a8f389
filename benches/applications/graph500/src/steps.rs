//! The steps of a direction-optimising search, shared by all contenders that use them.
//!
//! Top-down, the vertices that were found last visit their neighbours. Bottom-up, each vertex that has not
//! been found yet looks for a neighbour among the vertices found last, and stops at the first one. Where one
//! level finds most of the graph, this visits far fewer edges.

use crate::bits;
use crate::graph::Graph;

/// Switches to bottom-up once the edges at the frontier exceed the unvisited ones divided by this.
const ALPHA: u64 = 15;
/// Switches back to top-down once the frontier shrinks to all vertices divided by this.
const BETA: u64 = 18;

/// The direction of the next level, based on the totals of all workers.
#[derive(Clone, Copy, Debug)]
pub struct Compass {
    vertices: u64,
    unexplored: u64,
}

impl Compass {
    /// The state at the beginning of a search.
    pub fn new(graph: &Graph) -> Compass {
        Compass { vertices: graph.vertices() as u64, unexplored: graph.entries() as u64 }
    }

    /// Returns `true` if the search switches to bottom-up, with this many edges at the frontier. If not, they
    /// count as visited.
    pub fn turns_up(&mut self, edges: u64) -> bool {
        let up = edges > self.unexplored / ALPHA;
        if !up {
            self.unexplored -= edges;
        }
        up
    }

    /// Returns `true` if the search stays bottom-up, with this many vertices found in the last level and in
    /// the one before.
    pub fn stays_up(&self, found: u64, before: u64) -> bool {
        found >= before || found > self.vertices / BETA
    }
}

/// Top-down: appends the new neighbours of a vertex to a list. Which neighbours are new is unpredictable, and
/// a branch would be mispredicted too often; so each neighbour is written to the list, and overwritten by the
/// next one if it was not new.
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

/// Bottom-up: looks for a parent in the frontier for each unseen vertex from `first` on; reports each vertex
/// that found one, counted from `first`, with its parent, and returns their number.
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
