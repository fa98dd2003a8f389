//! A search on the pool of `rayon` that goes top-down or bottom-up, level by level, as in the GAP benchmark
//! suite.
//!
//! Top-down, a vertex belongs to the task that first sets its bit, and each task has its own list of the
//! vertices that it has found. GAP swaps parents in instead; bits fit into the inner caches. Bottom-up, each
//! task has its own words of bits.

use std::io;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI32, AtomicU64};

use rayon::prelude::*;

use super::bits;
use super::graph::Graph;
use super::steps::{Compass, adopt, expand};
use super::trees::{Found, NOBODY, each};
use super::{Graph500, Setting};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("rayon_do.rs")];

/// The number of vertices of a list that one task expands.
const LIST: usize = 64;
/// The number of words of bits that one task owns.
const WORDS: usize = 32;

/// Runs the searches one after another.
pub fn run(_: &Graph500, at: &Setting) -> io::Result<Found> {
    at.problem.atomic(|roots, trees| {
        let mut searcher = Searcher::new(&at.problem.graph);
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
    /// The vertices seen top-down, where several tasks may set bits of a word.
    bits: Vec<AtomicU64>,
    /// The vertices seen bottom-up, where each word has one owner.
    seen: Vec<u64>,
    queue: Vec<u32>,
    frontier: Vec<u64>,
    next: Vec<u64>,
}

impl Searcher<'_> {
    fn new(graph: &Graph) -> Searcher<'_> {
        let none = || bits::none(graph.vertices());
        let queue = Vec::with_capacity(graph.vertices());
        let bits = none().into_iter().map(AtomicU64::new).collect();
        Searcher { graph, bits, seen: none(), queue, frontier: none(), next: none() }
    }

    fn search(&mut self, root: u32, parents: &[AtomicI32]) {
        parents.par_iter().with_min_len(64 * WORDS).for_each(|parent| parent.store(NOBODY, Relaxed));
        parents[root as usize].store(root as i32, Relaxed);
        self.bits
            .iter()
            .zip(self.graph.isolated())
            .for_each(|(bits, isolated)| bits.store(*isolated, Relaxed));
        self.is_new(root);
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

    /// Searches one level top-down; returns the number of edges at the vertices found.
    fn top_down(&mut self, parents: &[AtomicI32]) -> u64 {
        let graph = self.graph;
        let expanded = |(mut found, mut edges): (Vec<u32>, u64), part: &[u32]| {
            for &vertex in part {
                let begin = found.len();
                expand(graph, vertex, &mut found, |neighbour| self.seems_new(neighbour));
                let mut end = begin;
                for at in begin..found.len() {
                    let neighbour = found[at];
                    if self.is_new(neighbour) {
                        parents[neighbour as usize].store(vertex as i32, Relaxed);
                        edges += graph.degree(neighbour) as u64;
                        found[end] = neighbour;
                        end += 1;
                    }
                }
                found.truncate(end);
            }
            (found, edges)
        };
        let lists: Vec<_> = self.queue.par_chunks(LIST).fold(|| (Vec::new(), 0), expanded).collect();
        self.queue.clear();
        lists.iter().for_each(|(found, _)| self.queue.extend_from_slice(found));
        lists.iter().map(|(_, edges)| edges).sum()
    }

    /// Returns `true` if this vertex has not been seen so far.
    #[inline]
    fn seems_new(&self, vertex: u32) -> bool {
        self.bits[vertex as usize / 64].load(Relaxed) >> (vertex % 64) & 1 == 0
    }

    /// Marks a vertex as seen. Returns `true` if it was not seen before.
    #[inline]
    fn is_new(&self, vertex: u32) -> bool {
        let bit = 1 << (vertex % 64);
        self.bits[vertex as usize / 64].fetch_or(bit, Relaxed) & bit == 0
    }

    /// Goes bottom-up level after level, as long as this is cheaper.
    fn bottom_up(&mut self, compass: &Compass, parents: &[AtomicI32]) {
        let graph = self.graph;
        self.seen.iter_mut().zip(&self.bits).for_each(|(seen, bits)| *seen = bits.load(Relaxed));
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
        self.bits.iter().zip(&self.seen).for_each(|(bits, seen)| bits.store(*seen, Relaxed));
        let parts = self.frontier.par_chunks(WORDS).enumerate();
        let vertices = parts.flat_map_iter(|(part, words)| bits::vertices(words, (part * 64 * WORDS) as u32));
        self.queue.par_extend(vertices);
    }
}
