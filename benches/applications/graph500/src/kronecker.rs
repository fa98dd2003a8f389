//! The generator of the Graph500 specification: edges that cluster around a few vertices, as in social
//! networks.

use rayon::prelude::*;

use pipes_benches::chance::Chance;

/// An edge as it was generated or read: its two ends.
pub type Edge = (u32, u32);

/// The number of edges per vertex.
pub const EDGE_FACTOR: u64 = 16;

/// The probability of an edge lying in each quarter of the matrix; the fourth has the rest, 0.05.
const A: f64 = 0.57;
const B: f64 = 0.19;
const C: f64 = 0.19;

/// The random streams for everything other than edges. Each edge has a stream of its own, with the edge's
/// number.
const LABELS: u64 = u64::MAX;
const ORDER: u64 = u64::MAX - 1;
/// The random stream that the search keys are drawn from.
pub const KEYS: u64 = u64::MAX - 2;

/// The edges of a graph with 2^`scale` vertices, including duplicates and self-loops.
pub fn edges(scale: u32, seed: u64) -> Vec<Edge> {
    let vertices = 1_u32 << scale;
    let mut labels: Vec<u32> = (0..vertices).collect();
    Chance::row(seed, LABELS).shuffle(&mut labels);
    let mut edges: Vec<Edge> = (0..EDGE_FACTOR << scale)
        .into_par_iter()
        .map(|number| {
            let (one, other) = edge(scale, &mut Chance::row(seed, number));
            (labels[one], labels[other])
        })
        .collect();
    Chance::row(seed, ORDER).shuffle(&mut edges);
    edges
}

/// One edge: chooses a quarter of the matrix, then a quarter of that, and so on, down to a point.
fn edge(scale: u32, chance: &mut Chance) -> (usize, usize) {
    let (mut row, mut column) = (0, 0);
    for bit in 0..scale {
        let lower = chance.unit() > A + B;
        let right = chance.unit() > if lower { C / (1.0 - (A + B)) } else { A / (A + B) };
        row |= usize::from(lower) << bit;
        column |= usize::from(right) << bit;
    }
    (row, column)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Graph;

    #[test]
    fn the_same_seed_gives_the_same_edges() {
        assert_eq!(edges(6, 1), edges(6, 1));
        assert_ne!(edges(6, 1), edges(6, 2));
        for scale in [1, 6, 10] {
            let edges = edges(scale, 3);
            assert_eq!(edges.len() as u64, EDGE_FACTOR << scale);
            assert!(edges.iter().all(|&(u, v)| u < 1 << scale && v < 1 << scale));
        }
    }

    #[test]
    fn each_quarter_of_the_matrix_has_its_share() {
        let mut quarters = [0_u32; 4];
        for number in 0..100_000 {
            let (row, column) = edge(1, &mut Chance::row(4, number));
            quarters[row * 2 + column] += 1;
        }
        let near = |count: u32, percent: u32| count.abs_diff(percent * 1000) < 600;
        assert!(
            quarters.into_iter().zip([57, 19, 19, 5]).all(|(count, share)| near(count, share)),
            "{quarters:?}"
        );
    }

    #[test]
    fn a_few_vertices_have_most_edges_and_many_have_none() {
        // At scale 16, other generators of such graphs give 18,821 vertices without edges, 909,646 distinct
        // edges, and 9,869 edges at one vertex.
        let graph = Graph::new(1 << 16, &edges(16, 1));
        let degrees = || (0..1 << 16).map(|vertex| graph.degree(vertex));
        let isolated = degrees().filter(|degree| *degree == 0).count();
        let most = degrees().max().expect("there are vertices");
        let distinct = graph.entries() / 2;
        assert!((18_200..19_400).contains(&isolated), "{isolated}");
        assert!((905_000..914_000).contains(&distinct), "{distinct}");
        assert!((8_800..10_900).contains(&most), "{most}");
    }

    #[test]
    fn labels_tell_nothing() {
        // Without the permutation vertex 0 would have by far the most edges.
        let graph = Graph::new(1 << 12, &edges(12, 5));
        let largest = (0..1 << 12).max_by_key(|vertex| graph.degree(*vertex));
        assert_ne!(largest, Some(0));
        let low: usize = (0..1 << 11).map(|vertex| graph.degree(vertex)).sum();
        assert!((0.4..0.6).contains(&(low as f64 / graph.entries() as f64)), "{low}");
    }
}
