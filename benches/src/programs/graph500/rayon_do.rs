//! A search on the pool of `rayon` that goes top-down or bottom-up, level by level, after the fashion of the GAP benchmark suite.
//!
//! Top-down, a vertex belongs to whoever first swaps a parent in, and each task has a list of its own of those that it has found.
//! Bottom-up, each task has words of bits of its own.

use std::io;
use std::sync::atomic::AtomicI32;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use super::bits;
use super::graph::Graph;
use super::steps::{Compass, adopt};
use super::trees::{Found, NOBODY, each};
use super::{Graph500, Setting};

/// This file, to be counted.
pub const SOURCES: &[&str] = &[include_str!("rayon_do.rs")];

/// How many vertices of a list are one task, and how many words of bits.
const LIST: usize = 64;
const WORDS: usize = 32;

/// One search after the other.
pub fn run(_: &Graph500, at: &Setting) -> io::Result<Found> {
    at.atomic(|roots, trees| {
        let mut searcher = Searcher::new(&at.graph);
        at.pool.install(|| {
            each(roots, trees, |root, parents| {
                searcher.search(root, parents);
                Ok(())
            })
        })
    })
}

/// What is kept from search to search.
struct Searcher<'a> {
    graph: &'a Graph,
    seen: Vec<u64>,
    queue: Vec<u32>,
    frontier: Vec<u64>,
    next: Vec<u64>,
}

impl Searcher<'_> {
    fn new(graph: &Graph) -> Searcher<'_> {
        let none = || bits::none(graph.vertices());
        let queue = Vec::with_capacity(graph.vertices());
        Searcher { graph, seen: none(), queue, frontier: none(), next: none() }
    }

    fn search(&mut self, root: u32, parents: &[AtomicI32]) {
        parents.par_iter().with_min_len(64 * WORDS).for_each(|parent| parent.store(NOBODY, Relaxed));
        parents[root as usize].store(root as i32, Relaxed);
        self.queue.clear();
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

    /// One level; gives the number of edges at the vertices that were found.
    fn top_down(&mut self, parents: &[AtomicI32]) -> u64 {
        let graph = self.graph;
        let expanded = |(mut found, mut edges): (Vec<u32>, u64), part: &[u32]| {
            for &vertex in part {
                for &neighbour in graph.row(vertex) {
                    let parent = &parents[neighbour as usize];
                    if parent.load(Relaxed) == NOBODY
                        && parent.compare_exchange(NOBODY, vertex as i32, Relaxed, Relaxed).is_ok()
                    {
                        edges += graph.degree(neighbour) as u64;
                        found.push(neighbour);
                    }
                }
            }
            (found, edges)
        };
        let lists: Vec<_> = self.queue.par_chunks(LIST).fold(|| (Vec::new(), 0), expanded).collect();
        self.queue.clear();
        lists.iter().for_each(|(found, _)| self.queue.extend_from_slice(found));
        lists.iter().map(|(_, edges)| edges).sum()
    }

    /// Level after level, as long as this pays.
    fn bottom_up(&mut self, compass: &Compass, parents: &[AtomicI32]) {
        let graph = self.graph;
        let seen_of = |parents: &[AtomicI32]| {
            let seen = parents.iter().map(|parent| u64::from(parent.load(Relaxed) != NOBODY));
            seen.zip(0..).fold(0, |word, (seen, bit)| word | seen << bit)
        };
        let words = self.seen.par_iter_mut().zip(graph.isolated()).zip(parents.par_chunks(64));
        words.with_min_len(WORDS).for_each(|((seen, isolated), parents)| *seen = isolated | seen_of(parents));
        self.frontier.fill(0);
        self.queue.iter().for_each(|vertex| _ = bits::set(&mut self.frontier, *vertex));
        let mut before = self.queue.len() as u64;
        loop {
            let frontier = &self.frontier;
            let parts = self.seen.par_chunks_mut(WORDS).zip(self.next.par_chunks_mut(WORDS));
            let parts = parts.zip(parents.par_chunks(64 * WORDS)).enumerate();
            let found = parts.map(|(part, ((seen, next), parents))| {
                let adopted = |at: usize, parent| parents[at].store(parent as i32, Relaxed);
                adopt(graph, (part * 64 * WORDS) as u32, frontier, seen, next, adopted)
            });
            let found = found.sum();
            std::mem::swap(&mut self.frontier, &mut self.next);
            if !compass.stays_up(found, before) {
                break;
            }
            before = found;
        }
        self.queue.clear();
        let parts = self.frontier.par_chunks(WORDS).enumerate();
        let vertices = parts.flat_map_iter(|(part, words)| bits::vertices(words, (part * 64 * WORDS) as u32));
        self.queue.par_extend(vertices);
    }
}
