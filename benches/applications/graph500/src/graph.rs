//! The graph to search: a row of neighbours for each vertex, the busiest ones first.

use std::cmp::Reverse;
use std::ops::Range;

use rayon::prelude::*;

use crate::bits;
use crate::kronecker::Edge;

/// An undirected graph without duplicate edges and self-loops, which is immutable once it is built.
#[derive(Debug, PartialEq, Eq)]
pub struct Graph {
    /// Where each vertex's row begins, and where the last one ends.
    offsets: Vec<u32>,
    /// The rows. A row begins with the neighbours of highest degree, which any search is likely to find
    /// early.
    targets: Vec<u32>,
    /// The first neighbour of each vertex that has one. For most vertices a search need not read the row
    /// itself.
    heads: Vec<u32>,
    /// A bit for each vertex without neighbours, and for the unused bits of the last word.
    isolated: Vec<u64>,
    /// What is known of the whole graph, if this is a part.
    whole: Option<Whole>,
}

/// What is known of a graph by those who have a part of it.
#[derive(Debug, PartialEq, Eq)]
struct Whole {
    degrees: Vec<u32>,
    entries: usize,
}

impl Graph {
    /// Kernel 1: the graph of these edges.
    pub fn new(vertices: usize, edges: &[Edge]) -> Graph {
        let proper = || edges.iter().filter(|(u, v)| u != v);
        let offsets = offsets(vertices, proper().flat_map(|&(u, v)| [u, v]));
        let (mut places, mut targets) = (offsets.clone(), vec![0; offsets[vertices] as usize]);
        for &(u, v) in proper() {
            for (from, to) in [(u, v), (v, u)] {
                targets[places[from as usize] as usize] = to;
                places[from as usize] += 1;
            }
        }
        Graph::of_rows(&offsets, &mut targets)
    }

    /// The graph with these rows, in which each edge appears twice, once at each end.
    pub fn of_rows(offsets: &[u32], targets: &mut [u32]) -> Graph {
        let distinct: Vec<&[u32]> = rows(offsets, targets).into_par_iter().map(without_duplicates).collect();
        let vertices = distinct.len();
        let ends = |sum: &mut u32, row: &&[u32]| {
            *sum += row.len() as u32;
            Some(*sum)
        };
        let offsets: Vec<u32> = [0].into_iter().chain(distinct.iter().scan(0, ends)).collect();

        // Each vertex is appended to the rows of its neighbours, from the vertex with the most neighbours to
        // that with the fewest, so every row is in this order.
        let mut order: Vec<u32> = (0..vertices as u32).collect();
        order.par_sort_unstable_by_key(|vertex| (Reverse(distinct[*vertex as usize].len()), *vertex));
        let (mut places, mut targets) = (offsets.clone(), vec![0; offsets[vertices] as usize]);
        for vertex in order {
            for &neighbour in distinct[vertex as usize] {
                targets[places[neighbour as usize] as usize] = vertex;
                places[neighbour as usize] += 1;
            }
        }

        let heads = heads(&offsets, &targets);
        let mut isolated = bits::none(vertices);
        let ends_early = vertices..isolated.len() * 64;
        let alone = (0..vertices).filter(|vertex| distinct[*vertex].is_empty());
        alone.chain(ends_early).for_each(|vertex| _ = bits::set(&mut isolated, vertex as u32));
        Graph { offsets, targets, heads, isolated, whole: None }
    }

    /// What a process needs in which these vertices are searched: their rows, and of all other rows the
    /// entries that are these vertices.
    pub fn part(&self, own: Range<usize>) -> Graph {
        let degrees: Vec<u32> =
            (0..self.vertices() as u32).map(|vertex| self.degree(vertex) as u32).collect();
        let is_own = |vertex: u32| own.contains(&(vertex as usize));
        let (mut offsets, mut targets) = (Vec::with_capacity(degrees.len() + 1), Vec::new());
        offsets.push(0);
        for vertex in 0..self.vertices() as u32 {
            let is_whole = is_own(vertex);
            targets.extend(self.row(vertex).iter().filter(|neighbour| is_whole || is_own(**neighbour)));
            offsets.push(targets.len() as u32);
        }
        let whole = Some(Whole { degrees, entries: self.entries() });
        Graph { heads: heads(&offsets, &targets), isolated: self.isolated.clone(), offsets, targets, whole }
    }

    /// Returns `true` if this is a part of a graph.
    pub fn is_part(&self) -> bool {
        self.whole.is_some()
    }

    /// The number of vertices.
    pub fn vertices(&self) -> usize {
        self.heads.len()
    }

    /// The number of entries of all rows of the whole graph, two for each edge.
    pub fn entries(&self) -> usize {
        self.whole.as_ref().map_or(self.targets.len(), |whole| whole.entries)
    }

    /// The degree of a vertex in the whole graph.
    pub fn whole_degree(&self, vertex: u32) -> usize {
        self.whole
            .as_ref()
            .map_or_else(|| self.degree(vertex), |whole| whole.degrees[vertex as usize] as usize)
    }

    /// The neighbours of a vertex.
    #[inline]
    pub fn row(&self, vertex: u32) -> &[u32] {
        let at = vertex as usize;
        &self.targets[self.offsets[at] as usize..self.offsets[at + 1] as usize]
    }

    /// The degree of a vertex.
    #[inline]
    pub fn degree(&self, vertex: u32) -> usize {
        let at = vertex as usize;
        (self.offsets[at + 1] - self.offsets[at]) as usize
    }

    /// The first neighbour of `vertex` whose bit is set. The vertex must have neighbours.
    #[inline]
    pub fn neighbour_among(&self, vertex: u32, bits: &[u64]) -> Option<u32> {
        let head = self.heads[vertex as usize];
        if bits::has(bits, head) {
            return Some(head);
        }
        self.row(vertex).iter().skip(1).copied().find(|neighbour| bits::has(bits, *neighbour))
    }

    /// A bit for each vertex without neighbours, and for the unused bits of the last word. No search from
    /// another vertex can reach them.
    pub fn isolated(&self) -> &[u64] {
        &self.isolated
    }

    /// Cuts the vertices of a whole graph into `parts` parts with about the same number of edges. Each cut is
    /// between two words of bits. Parts may be empty.
    pub fn cuts(&self, parts: usize) -> Vec<usize> {
        let part_ends = |part| {
            let due = self.entries() as u64 * part as u64 / parts as u64;
            let vertex = self.offsets.partition_point(|offset| u64::from(*offset) < due);
            vertex.next_multiple_of(64).min(self.vertices())
        };
        let inner = (1..parts).map(part_ends);
        [0].into_iter().chain(inner).chain([self.vertices()]).collect()
    }
}

/// Where the rows begin, if a vertex has one entry for each time that it is named.
pub fn offsets(vertices: usize, named: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut offsets = vec![0; vertices + 1];
    named.for_each(|vertex| offsets[vertex as usize + 1] += 1);
    (0..vertices).for_each(|vertex| offsets[vertex + 1] += offsets[vertex]);
    offsets
}

/// The first entry of each row; arbitrary for empty rows.
fn heads(offsets: &[u32], targets: &[u32]) -> Vec<u32> {
    let first = |at: &u32| targets.get(*at as usize).copied().unwrap_or(0);
    offsets[..offsets.len() - 1].iter().map(first).collect()
}

/// Splits the entries into rows.
fn rows<'a>(offsets: &[u32], mut targets: &'a mut [u32]) -> Vec<&'a mut [u32]> {
    let lengths = offsets.windows(2).map(|ends| (ends[1] - ends[0]) as usize);
    lengths.filter_map(|length| targets.split_off_mut(..length)).collect()
}

/// A row in ascending order, each neighbour once.
fn without_duplicates(row: &mut [u32]) -> &[u32] {
    row.sort_unstable();
    let mut length = row.len().min(1);
    for at in 1..row.len() {
        if row[at] != row[length - 1] {
            row[length] = row[at];
            length += 1;
        }
    }
    &row[..length]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::kronecker;

    #[test]
    fn duplicates_and_self_loops_are_dropped() {
        let graph = Graph::new(5, &[(0, 1), (1, 0), (2, 2), (3, 1), (0, 1)]);
        assert_eq!((graph.vertices(), graph.entries()), (5, 4));
        assert_eq!(
            (0..5).map(|vertex| graph.row(vertex).to_vec()).collect::<Vec<_>>(),
            [vec![1], vec![0, 3], vec![], vec![1], vec![]]
        );
        // Vertices 2 and 4, and the unused bits of the word.
        assert_eq!(graph.isolated(), [!0b01011]);
    }

    #[test]
    fn rows_have_the_edges_that_were_given_and_the_busiest_neighbours_first() {
        let edges = kronecker::edges(9, 1);
        let graph = Graph::new(1 << 9, &edges);
        let mut due = BTreeSet::new();
        for &(u, v) in edges.iter().filter(|(u, v)| u != v) {
            due.extend([(u, v), (v, u)]);
        }
        let given = (0..1 << 9).flat_map(|u| graph.row(u).iter().map(move |v| (u, *v)));
        assert!(given.clone().collect::<BTreeSet<_>>() == due && given.count() == due.len());
        for vertex in 0..1 << 9 {
            assert!(graph.row(vertex).is_sorted_by_key(|neighbour| Reverse(graph.degree(*neighbour))));
            let all = vec![!0; 8];
            if graph.degree(vertex) > 0 {
                assert_eq!(graph.neighbour_among(vertex, &all), Some(graph.row(vertex)[0]));
                assert_eq!(graph.neighbour_among(vertex, &[0; 8]), None);
            }
        }
    }

    #[test]
    fn a_part_has_the_rows_of_its_vertices_and_what_leads_to_them() {
        let graph = Graph::new(1 << 9, &kronecker::edges(9, 1));
        let own = 64..192;
        let part = graph.part(own.clone());
        assert!(part.is_part() && !graph.is_part());
        assert_eq!((part.entries(), part.isolated()), (graph.entries(), graph.isolated()));
        for vertex in 0..1 << 9 {
            assert_eq!(part.whole_degree(vertex), graph.degree(vertex));
            let mut row = graph.row(vertex).to_vec();
            if !own.contains(&(vertex as usize)) {
                row.retain(|neighbour| own.contains(&(*neighbour as usize)));
            }
            assert_eq!(part.row(vertex), row);
        }
    }

    #[test]
    fn parts_are_cut_between_words_and_have_about_equally_many_edges() {
        let graph = Graph::new(1 << 12, &kronecker::edges(12, 1));
        for parts in [1, 2, 3, 7] {
            let cuts = graph.cuts(parts);
            assert_eq!((cuts.len(), cuts[0], cuts[parts]), (parts + 1, 0, 1 << 12));
            assert!(cuts.is_sorted() && cuts.iter().all(|cut| cut.is_multiple_of(64)));
            for part in cuts.windows(2) {
                let edges: usize = (part[0]..part[1]).map(|vertex| graph.degree(vertex as u32)).sum();
                let share = edges as f64 * parts as f64 / graph.entries() as f64;
                assert!((0.5..1.5).contains(&share), "{cuts:?}: {share}");
            }
        }
        // More parts than words.
        assert_eq!(Graph::new(3, &[(0, 1)]).cuts(4), [0, 0, 3, 3, 3]);
    }
}
