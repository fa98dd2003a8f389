//! The components of a graph, within which every vertex can be reached from every other.

use crate::kronecker::Edge;

/// A component for each vertex, determined without a search.
#[derive(Debug)]
pub struct Components {
    /// For each vertex, the representative of its component: one vertex of it, the same for the whole
    /// component.
    of: Vec<u32>,
    /// For each representative, the number of edges of the input in its component, duplicates and self-loops
    /// counted.
    edges: Vec<u64>,
}

impl Components {
    /// The components of this graph, found by joining the ends of one edge after another.
    pub fn new(vertices: usize, edges: &[Edge]) -> Components {
        let mut of: Vec<u32> = (0..vertices as u32).collect();
        for &(u, v) in edges {
            let (one, other) = (top(&mut of, u), top(&mut of, v));
            of[one.max(other) as usize] = one.min(other);
        }
        (0..vertices as u32).for_each(|vertex| of[vertex as usize] = top(&mut of, vertex));
        let mut counts = vec![0; vertices];
        edges.iter().for_each(|(u, _)| counts[of[*u as usize] as usize] += 1);
        Components { of, edges: counts }
    }

    /// Returns `true` if one can be reached from the other.
    pub fn are_joined(&self, one: u32, other: u32) -> bool {
        self.of[one as usize] == self.of[other as usize]
    }

    /// The number of edges of the input that a search from this root traverses.
    pub fn edges(&self, root: u32) -> u64 {
        self.edges[self.of[root as usize] as usize]
    }
}

/// The representative of this vertex's component. Halves the path to it.
fn top(of: &mut [u32], mut vertex: u32) -> u32 {
    while of[vertex as usize] != vertex {
        let above = of[of[vertex as usize] as usize];
        of[vertex as usize] = above;
        vertex = above;
    }
    vertex
}

#[cfg(test)]
mod tests {
    use super::Components;

    #[test]
    fn edges_count_where_they_lie_duplicates_and_self_loops_too() {
        let components = Components::new(7, &[(3, 1), (1, 3), (3, 3), (5, 4), (1, 0), (6, 6)]);
        assert!(components.are_joined(0, 3) && components.are_joined(4, 5));
        assert!(!components.are_joined(0, 4) && !components.are_joined(2, 6));
        assert_eq!([0, 1, 3, 4, 5].map(|root| components.edges(root)), [4, 4, 4, 1, 1]);
        assert_eq!((components.edges(2), components.edges(6)), (0, 1));
    }
}
