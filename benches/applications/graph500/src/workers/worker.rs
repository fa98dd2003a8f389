//! One worker, and its part of each search.

use std::mem::{swap, take};
use std::ops::Range;

use super::buffer::Pair;
use super::messages::Totals;
use super::peers::{Counted, Down, Up};
use super::wait::{Gone, Wait};
use crate::bits;
use crate::graph::Graph;
use crate::steps::{Compass, adopt, expand};
use crate::trees::NOBODY;

/// The most vertices of a narrow level: all workers know its vertices, and all workers read their rows.
const NARROW: usize = if cfg!(test) { 16 } else { 1024 };
/// The most workers with which there are narrow levels. With more, it is less work for each worker to read
/// only its own rows, although it has to send what it finds: finding a vertex takes some ten times as long as
/// skipping one.
const READERS: usize = 8;

/// What a worker keeps from search to search.
#[derive(Debug)]
pub struct Worker<'a, W> {
    /// How it waits for the others.
    wait: W,
    graph: &'a Graph,
    /// The vertices that it owns, and their words of bits.
    own: Range<u32>,
    words: Range<usize>,
    /// The peer that owns the vertices of each word; arbitrary for its own words.
    owners: Vec<u8>,
    peers: Vec<Down>,
    /// The most vertices of a narrow level.
    narrow: usize,
    /// The vertices that it knows to have been found: all of its own, and those of others that it has sent or
    /// received.
    seen: Vec<u64>,
    /// Whether `seen` is accurate for the vertices of others. If not, all of them count as found, so the
    /// worker skips them.
    minds_others: bool,
    /// `seen` of its own vertices as it was before the last level, if known. The vertices added since are
    /// that level.
    past: Vec<u64>,
    is_past_known: bool,
    /// Its own part of the last level.
    queue: Vec<u32>,
    /// Its own part of the level that is being found top-down.
    found: Vec<u32>,
    /// Its own part of the level that is being found bottom-up.
    next: Vec<u64>,
    /// The part of the other workers in the last level, if it was narrow; otherwise unused.
    others: Vec<u32>,
    /// The last level of all workers, bottom-up.
    frontier: Vec<u64>,
    /// Which neighbours of one vertex are new, in a wide level.
    fresh: Vec<u32>,
}

/// Where a found vertex is recorded: the worker's part of the tree, and of the next level.
struct Level<'a, 'b> {
    graph: &'a Graph,
    first: u32,
    parents: &'b mut [i32],
    found: &'b mut Vec<u32>,
    /// The edges at the vertices found.
    edges: u64,
}

impl Level<'_, '_> {
    /// Records a found vertex that this worker owns.
    #[inline]
    fn reach(&mut self, vertex: u32, parent: u32) {
        self.found.push(vertex);
        self.reached(self.found.len() - 1, parent);
    }

    /// Records the parent and the edges of the found vertices from index `before` on.
    #[inline]
    fn reached(&mut self, before: usize, parent: u32) {
        for &vertex in &self.found[before..] {
            self.parents[(vertex - self.first) as usize] = parent as i32;
            self.edges += self.graph.degree(vertex) as u64;
        }
    }

    /// The totals of what was found.
    fn totals(&self) -> Totals {
        Totals { vertices: self.found.len() as u64, edges: self.edges }
    }
}

impl<'a, W: Wait> Worker<'a, W> {
    /// The worker that owns the part with this number.
    pub fn new(wait: W, graph: &'a Graph, cuts: &[usize], number: usize, peers: Vec<Down>) -> Worker<'a, W> {
        let none = || bits::none(graph.vertices());
        let own = cuts[number] as u32..cuts[number + 1] as u32;
        let words = cuts[number].div_ceil(64)..cuts[number + 1].div_ceil(64);
        let mut owners = vec![0; none().len()];
        for (number, peer) in (0..).zip(&peers) {
            owners[peer.words()].fill(number);
        }
        Worker {
            wait,
            graph,
            owners,
            narrow: if peers.len() < READERS { NARROW } else { 0 },
            peers,
            seen: none(),
            minds_others: true,
            past: vec![0; words.len()],
            is_past_known: false,
            queue: Vec::with_capacity(own.len()),
            found: Vec::with_capacity(own.len()),
            next: vec![0; words.len()],
            others: Vec::new(),
            frontier: none(),
            fresh: Vec::new(),
            own,
            words,
        }
    }

    /// Searches from this root, and writes the worker's part of the tree.
    pub fn search(&mut self, root: u32, parents: &mut [i32]) -> Result<(), Gone> {
        parents.fill(NOBODY);
        self.seen[self.words.clone()].copy_from_slice(&self.graph.isolated()[self.words.clone()]);
        self.leave_others();
        self.level_begins(u64::MAX);
        self.queue.clear();
        self.others.clear();
        if self.own.contains(&root) {
            bits::set(&mut self.seen, root);
            parents[(root - self.own.start) as usize] = root as i32;
            self.queue.push(root);
        } else {
            self.others.push(root);
        }
        let mut last = Totals { vertices: 1, edges: self.graph.whole_degree(root) as u64 };
        // The row of the root is not known to those who have a part of the graph.
        let (mut compass, mut is_first) = (Compass::new(self.graph), !self.graph.is_part());
        while last.vertices > 0 {
            last = if compass.turns_up(last.edges) {
                Totals { vertices: self.bottom_up(&compass, last.vertices, parents)?, edges: 1 }
            } else if is_first {
                self.look_round(root, parents)
            } else if self.is_narrow(last.vertices) {
                self.narrow(last.edges, parents)?
            } else {
                self.wide(last.edges, parents)?
            };
            is_first = false;
        }
        Ok(())
    }

    /// Returns `true` if all workers read the rows of a level with this many vertices.
    fn is_narrow(&self, vertices: u64) -> bool {
        vertices <= self.narrow as u64
    }

    /// Begins the next level, which consists of the vertices found from here on. Saves what was seen before,
    /// unless that would take longer than visiting the level's edges.
    fn level_begins(&mut self, edges: u64) {
        self.is_past_known = edges >= self.past.len() as u64;
        if self.is_past_known {
            self.past.copy_from_slice(&self.seen[self.words.clone()]);
        }
    }

    /// Marks all vertices of others as seen, so that they are skipped.
    fn leave_others(&mut self) {
        self.peers.iter().for_each(|peer| self.seen[peer.words()].fill(!0));
        self.minds_others = false;
    }

    /// Tracks from here on which vertices of others are found.
    fn mind_others(&mut self) {
        if !self.minds_others {
            for peer in &self.peers {
                self.seen[peer.words()].copy_from_slice(&self.graph.isolated()[peer.words()]);
            }
            self.minds_others = true;
        }
    }

    /// The first level top-down. Its vertices are in the row of the root, which all workers may read, so
    /// nothing has to be sent.
    fn look_round(&mut self, root: u32, parents: &mut [i32]) -> Totals {
        let row = self.graph.row(root);
        self.level_begins(row.len() as u64);
        let is_narrow = self.is_narrow(row.len() as u64);
        if !is_narrow {
            self.mind_others();
        }
        let mut totals = Totals::default();
        self.queue.clear();
        self.others.clear();
        for &vertex in row {
            totals += Totals { vertices: 1, edges: self.graph.degree(vertex) as u64 };
            bits::set(&mut self.seen, vertex);
            if self.own.contains(&vertex) {
                parents[(vertex - self.own.start) as usize] = root as i32;
                self.queue.push(vertex);
            } else if is_narrow {
                self.others.push(vertex);
            }
        }
        totals
    }

    /// One level whose vertices all workers know: each worker reads all their rows and takes its own
    /// vertices, so only the end has to be sent. Returns what all workers have found.
    fn narrow(&mut self, edges: u64, parents: &mut [i32]) -> Result<Totals, Gone> {
        if self.minds_others {
            self.leave_others();
        }
        self.level_begins(edges);
        let first = self.own.start;
        let mut level = Level { graph: self.graph, first, parents, found: &mut self.found, edges: 0 };
        for &vertex in self.queue.iter().chain(&self.others) {
            let before = level.found.len();
            expand(self.graph, vertex, level.found, |neighbour| bits::put(&mut self.seen, neighbour));
            level.reached(before, vertex);
        }
        let totals = level.totals();
        let (peers, few) = (take(&mut self.peers), self.few_found());
        let told = peers.into_iter().map(|peer| peer.found(totals, few));
        let told = told.collect::<Result<_, _>>()?;
        self.end_level(told, totals, Down::learn_found)
    }

    /// The vertices that this worker has found, if the next level may be narrow.
    fn few_found(&self) -> &[u32] {
        if self.is_narrow(self.found.len() as u64) { &self.found } else { &[] }
    }

    /// Ends a level: the vertices found are visited next. Returns what all workers have found.
    fn end_level<Told>(
        &mut self,
        told: Vec<Told>,
        mut totals: Totals,
        learn: impl Fn(Told, &W, &mut Totals, &mut Vec<u32>) -> Result<Down, Gone>,
    ) -> Result<Totals, Gone> {
        swap(&mut self.queue, &mut self.found);
        self.found.clear();
        self.others.clear();
        let learned = told.into_iter().map(|peer| learn(peer, &self.wait, &mut totals, &mut self.others));
        self.peers = learned.collect::<Result<_, _>>()?;
        Ok(totals)
    }

    /// One level of many vertices: each worker reads the rows of its own vertices, and sends the others
    /// theirs. Returns what all workers have found.
    fn wide(&mut self, edges: u64, parents: &mut [i32]) -> Result<Totals, Gone> {
        self.level_begins(edges);
        self.mind_others();
        let (graph, first, own) = (self.graph, self.own.start, self.own.len() as u32);
        let (seen, owners, mut peers) = (&mut self.seen, &self.owners, take(&mut self.peers));
        let mut level = Level { graph, first, parents, found: &mut self.found, edges: 0 };
        for &vertex in &self.queue {
            let mut full = false;
            self.fresh.clear();
            expand(graph, vertex, &mut self.fresh, |neighbour| bits::put(seen, neighbour));
            for &neighbour in &self.fresh {
                if neighbour.wrapping_sub(first) < own {
                    level.reach(neighbour, vertex);
                } else {
                    let owner = owners[neighbour as usize / 64];
                    full |= peers[owner as usize].note((neighbour, vertex));
                }
            }
            if full {
                // The pairs that have arrived are taken now, so that nothing piles up.
                self.wait.pass();
                let turn = |peer: Down| peer.flush()?.poll(&self.wait, |pair| hear(seen, &mut level, pair));
                peers = peers.into_iter().map(turn).collect::<Result<_, _>>()?;
            }
        }
        let ended: Vec<_> = peers.into_iter().map(Down::end).collect::<Result<_, _>>()?;
        let heard = ended.into_iter().map(|peer| peer.hear(&self.wait, |pair| hear(seen, &mut level, pair)));
        let heard: Vec<_> = heard.collect::<Result<_, _>>()?;
        let totals = level.totals();
        let few = self.few_found();
        let told = heard.into_iter().map(|peer| peer.count(totals, few));
        let told = told.collect::<Result<_, _>>()?;
        self.end_level(told, totals, Counted::learn_count)
    }

    /// Goes bottom-up level after level, as long as this is cheaper. Returns the number of vertices that all
    /// workers have found in the last level.
    fn bottom_up(&mut self, compass: &Compass, last: u64, parents: &mut [i32]) -> Result<u64, Gone> {
        self.mind_others();
        let (own, first) = (self.words.clone(), self.own.start);
        let (seen, frontier) = (&mut self.seen, &mut self.frontier);
        if self.is_past_known {
            let last_level = seen[own.clone()].iter().zip(&self.past).map(|(seen, past)| seen & !past);
            frontier[own.clone()].iter_mut().zip(last_level).for_each(|(frontier, found)| *frontier = found);
        } else {
            frontier[own.clone()].fill(0);
            self.queue.iter().for_each(|vertex| _ = bits::set(frontier, *vertex));
        }
        self.is_past_known = false;
        let part = &frontier[own.clone()];
        let told: Vec<_> = take(&mut self.peers)
            .into_iter()
            .map(|peer| peer.up(&self.wait, part))
            .collect::<Result<_, _>>()?;
        let mut learned = |words: Range<usize>, part: &[u64]| {
            frontier[words.clone()].copy_from_slice(part);
            seen[words].iter_mut().zip(part).for_each(|(seen, part)| *seen |= part);
        };
        let mut peers: Vec<_> =
            told.into_iter().map(|peer| peer.learn(&self.wait, &mut learned)).collect::<Result<_, _>>()?;

        let mut before = last;
        loop {
            let adopted = |at: usize, parent| parents[at] = parent as i32;
            let mut found =
                adopt(self.graph, first, frontier, &mut seen[own.clone()], &mut self.next, adopted);
            frontier[own.clone()].copy_from_slice(&self.next);
            let told = peers.into_iter().map(|peer| peer.tell(found, &self.next));
            let told: Vec<_> = told.collect::<Result<_, _>>()?;
            let mut learned = |words: Range<usize>, part: &[u64]| {
                frontier[words.clone()].copy_from_slice(part);
                seen[words].iter_mut().zip(part).for_each(|(seen, part)| *seen |= part);
            };
            let learn = |peer: Up| {
                let (theirs, peer) = peer.learn(&self.wait, &mut learned)?;
                found = found.saturating_add(theirs);
                Ok(peer)
            };
            peers = told.into_iter().map(learn).collect::<Result<_, Gone>>()?;
            if !compass.stays_up(found, before) {
                before = found;
                break;
            }
            before = found;
        }
        self.peers = peers.into_iter().map(Up::down).collect::<Result<_, _>>()?;
        self.queue.clear();
        self.queue.extend(bits::vertices(&self.next, first));
        self.others.clear();
        if self.is_narrow(before) {
            for words in self.peers.iter().map(Down::words) {
                self.others.extend(bits::vertices(&self.frontier[words.clone()], 64 * words.start as u32));
            }
        }
        Ok(before)
    }
}

/// Records a vertex of this worker that a peer has found, unless it was found before.
#[inline]
fn hear(seen: &mut [u64], level: &mut Level<'_, '_>, (vertex, parent): Pair) {
    if bits::set(seen, vertex) {
        level.reach(vertex, parent);
    }
}
