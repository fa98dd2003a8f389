//! A search in one thread that goes top-down or bottom-up, level by level.

use std::io;

use super::graph::Graph;
use super::steps::{Compass, adopt, expand};
use super::trees::{Found, NOBODY, each};
use super::{Graph500, Setting, bits};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("sequential_do.rs")];

/// Runs the searches one after another.
pub fn run(_: &Graph500, at: &Setting) -> io::Result<Found> {
    at.problem.plain(|roots, trees| {
        let mut searcher = Searcher::new(&at.problem.graph);
        each(roots, trees, |root, parents| {
            searcher.search(root, parents);
            Ok(())
        })
    })
}

/// What is kept from search to search.
struct Searcher<'a> {
    graph: &'a Graph,
    seen: Vec<u64>,
    /// The last level and the one being found: as lists top-down, as bits bottom-up.
    queue: Vec<u32>,
    found: Vec<u32>,
    frontier: Vec<u64>,
    next: Vec<u64>,
}

impl Searcher<'_> {
    fn new(graph: &Graph) -> Searcher<'_> {
        let none = || bits::none(graph.vertices());
        let (queue, found) = (Vec::with_capacity(graph.vertices()), Vec::with_capacity(graph.vertices()));
        Searcher { graph, seen: none(), queue, found, frontier: none(), next: none() }
    }

    fn search(&mut self, root: u32, parents: &mut [i32]) {
        parents.fill(NOBODY);
        self.seen.copy_from_slice(self.graph.isolated());
        self.queue.clear();
        bits::set(&mut self.seen, root);
        parents[root as usize] = root as i32;
        self.queue.push(root);
        let (mut compass, mut edges) = (Compass::new(self.graph), self.graph.degree(root) as u64);
        while !self.queue.is_empty() {
            if compass.turns_up(edges) {
                self.bottom_up(&compass, parents);
                edges = 1;
            } else {
                edges = self.top_down(parents);
            }
        }
    }

    /// Searches one level top-down; returns the number of edges at the vertices found.
    fn top_down(&mut self, parents: &mut [i32]) -> u64 {
        let (graph, found, mut edges) = (self.graph, &mut self.found, 0);
        for &vertex in &self.queue {
            let before = found.len();
            expand(graph, vertex, found, |neighbour| bits::put(&mut self.seen, neighbour));
            for &neighbour in &found[before..] {
                parents[neighbour as usize] = vertex as i32;
                edges += graph.degree(neighbour) as u64;
            }
        }
        std::mem::swap(&mut self.queue, &mut self.found);
        self.found.clear();
        edges
    }

    /// Goes bottom-up level after level, as long as this is cheaper.
    fn bottom_up(&mut self, compass: &Compass, parents: &mut [i32]) {
        self.frontier.fill(0);
        self.queue.iter().for_each(|vertex| _ = bits::set(&mut self.frontier, *vertex));
        let mut before = self.queue.len() as u64;
        loop {
            let adopted = |at: usize, parent| parents[at] = parent as i32;
            let found = adopt(self.graph, 0, &self.frontier, &mut self.seen, &mut self.next, adopted);
            std::mem::swap(&mut self.frontier, &mut self.next);
            if !compass.stays_up(found, before) {
                break;
            }
            before = found;
        }
        self.queue.clear();
        self.queue.extend(bits::vertices(&self.frontier, 0));
    }
}
