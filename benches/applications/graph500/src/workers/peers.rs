//! The other workers, as one worker sees them.

use std::ops::Range;

use super::buffer::{Buffer, Pair, Spent};
use super::messages::{Member, Totals, levels};
use super::wait::{Gone, Spinning, Wait};

/// The number of pairs that are sent together. It may be slightly exceeded.
const BATCH: usize = if cfg!(test) { 8 } else { 4096 };

/// Another worker: the end to send to it, the end to receive from it, and the memory for both.
#[derive(Debug)]
pub struct Peer<To, From> {
    to: To,
    from: From,
    store: Store,
}

/// A peer between levels, and in a top-down level until this worker has sent the end of its pairs.
pub type Down = Peer<levels::client::Down, Inbox>;
/// A peer with which all pairs of a level have been exchanged.
type Count = Peer<levels::client::Count, levels::server::Count>;
/// A peer that has been sent this worker's totals.
pub type Counted = Peer<levels::client::Down, levels::server::Count>;
/// A peer while levels go bottom-up.
pub type Up = Peer<levels::client::Up, levels::server::Up>;

/// The end that receives the vertices that a peer has found top-down.
#[derive(Debug)]
pub enum Inbox {
    /// The peer was bottom-up; its message that it goes top-down has not been received yet.
    Turning(levels::server::Up),
    /// The peer may send more in this level.
    Open(levels::server::Down),
    /// The peer has ended the level.
    Ended(levels::server::Count),
}

/// The memory that is kept for a peer.
#[derive(Debug, Default)]
struct Store {
    /// The peer's words of bits.
    words: Range<usize>,
    /// The vertices of both.
    theirs: Range<u32>,
    own: Range<u32>,
    /// Pairs to be sent.
    batch: Buffer<Pair>,
    /// Empty buffers for more of them.
    spare: Vec<Buffer<Pair>>,
    /// The peer's empty buffers, to be sent back to it.
    spent: Spent,
    /// Memory for a part of the frontier, as bits and as a list.
    part: Buffer<u64>,
    list: Vec<u32>,
}

/// Each worker's peers in one process, in the order of the parts defined by these cuts.
///
/// # Errors
///
/// Returns no error, because no worker has gone yet.
pub fn introduced(cuts: &[usize]) -> Result<Vec<Vec<Down>>, Gone> {
    let workers = cuts.len() - 1;
    let mut all: Vec<Vec<Down>> = (0..workers).map(|_| Vec::with_capacity(workers)).collect();
    for one in 0..workers {
        for other in 0..one {
            let ((to_other, from_one), (to_one, from_other)) = (met(one)?, met(other)?);
            all[one].push(Down::new(cuts, (one, other), to_other, from_other));
            all[other].push(Down::new(cuts, (other, one), to_one, from_one));
        }
    }
    Ok(all)
}

/// A pipe from this worker to another one, after they have met.
fn met(rank: usize) -> Result<(levels::client::Down, levels::server::Down), Gone> {
    let (to, from) = levels::pipe();
    let to = to.join(Member { rank: rank as u32, ..Member::default() }).map_err(Gone::left)?;
    let levels::Meeting::Join(_, from) = Spinning.soon(from)?;
    let from = from.welcome().map_err(Gone::left)?;
    match Spinning.soon(to)? {
        levels::Answer::Welcome(to) => Ok((to, from)),
        levels::Answer::Refuse(_) => Err(Gone::Left),
    }
}

impl<To, From> Peer<To, From> {
    /// The peer's words of bits.
    pub fn words(&self) -> Range<usize> {
        self.store.words.clone()
    }
}

impl Down {
    /// The other worker, as the worker `own` sees it, after they have met: the end to send to it, and the end
    /// to receive from it. The parts of both are defined by these cuts.
    pub fn new(
        cuts: &[usize],
        (own, theirs): (usize, usize),
        to: levels::client::Down,
        from: levels::server::Down,
    ) -> Down {
        let part = |worker: usize| cuts[worker] as u32..cuts[worker + 1] as u32;
        let store = Store {
            words: cuts[theirs].div_ceil(64)..cuts[theirs + 1].div_ceil(64),
            theirs: part(theirs),
            own: part(own),
            ..Store::default()
        };
        Peer { to, from: Inbox::Open(from), store }
    }

    /// Adds a pair for this peer. Returns `true` if the batch is full.
    #[inline]
    pub fn note(&mut self, pair: Pair) -> bool {
        self.store.batch.push(pair);
        self.store.batch.len() >= BATCH
    }

    /// Sends the batch if it is full.
    pub fn flush(self) -> Result<Down, Gone> {
        if self.store.batch.len() >= BATCH { self.send() } else { Ok(self) }
    }

    /// Sends the batch.
    fn send(mut self) -> Result<Down, Gone> {
        let fresh = self.store.spare.pop().unwrap_or_else(|| Buffer::empty(2 * BATCH));
        let batch = std::mem::replace(&mut self.store.batch, fresh);
        let to = self.to.pairs(batch).map_err(Gone::left)?;
        Ok(Down { to, ..self })
    }

    /// Takes the pairs that have arrived, without waiting.
    pub fn poll(mut self, wait: &impl Wait, mut take: impl FnMut(Pair)) -> Result<Down, Gone> {
        while self.from.is_ready() {
            self.from = match self.from {
                // Only the message that ends bottom-up is known to have arrived.
                Inbox::Turning(_) => Inbox::Open(self.from.open(wait)?),
                open => self.store.heard(wait, open.open(wait)?, &mut take)?,
            };
        }
        Ok(self)
    }

    /// Sends the end of the pairs.
    pub fn end(mut self) -> Result<Peer<levels::client::Count, Inbox>, Gone> {
        if !self.store.batch.is_empty() {
            self = self.send()?;
        }
        let spent = std::mem::take(&mut self.store.spent);
        let to = self.to.end(spent).map_err(Gone::left)?;
        Ok(Peer { to, from: self.from, store: self.store })
    }

    /// Sends what this worker has found in a narrow level.
    pub fn found(mut self, totals: Totals, found: &[u32]) -> Result<Down, Gone> {
        let to = self.to.found(totals, self.store.listed(found)).map_err(Gone::left)?;
        Ok(Peer { to, ..self })
    }

    /// Receives what the peer has found in a narrow level, and adds it.
    pub fn learn_found(
        mut self,
        wait: &impl Wait,
        totals: &mut Totals,
        others: &mut Vec<u32>,
    ) -> Result<Down, Gone> {
        let levels::Down::Found(theirs, list, from) = wait.soon(self.from.open(wait)?)? else {
            return Err(Gone::Astray);
        };
        *totals += theirs;
        self.store.learned(list, others)?;
        Ok(Peer { to: self.to, from: Inbox::Open(from), store: self.store })
    }

    /// Switches to bottom-up, and sends this worker's part of the frontier.
    pub fn up(
        mut self,
        wait: &impl Wait,
        part: &[u64],
    ) -> Result<Peer<levels::client::Up, levels::server::Down>, Gone> {
        let to = self.to.up(self.store.copied(part)).map_err(Gone::left)?;
        Ok(Peer { to, from: self.from.open(wait)?, store: self.store })
    }
}

impl Inbox {
    /// Returns `true` if there is a message to take in this level.
    fn is_ready(&self) -> bool {
        match self {
            Inbox::Turning(from) => from.is_ready(),
            Inbox::Open(from) => from.is_ready(),
            Inbox::Ended(_) => false,
        }
    }

    /// The end that receives top-down. The other worker always chooses the same direction, because it
    /// computes with the same totals.
    fn open(self, wait: &impl Wait) -> Result<levels::server::Down, Gone> {
        match self {
            Inbox::Turning(from) => {
                let levels::Up::Down(from) = wait.soon(from)? else { return Err(Gone::Astray) };
                Ok(from)
            }
            Inbox::Open(from) => Ok(from),
            Inbox::Ended(_) => Err(Gone::Astray),
        }
    }
}

impl Store {
    /// Takes the next message of a level.
    fn heard(
        &mut self,
        wait: &impl Wait,
        from: levels::server::Down,
        mut take: impl FnMut(Pair),
    ) -> Result<Inbox, Gone> {
        match wait.soon(from)? {
            levels::Down::Pairs(mut pairs, from) => {
                if !pairs.iter().fold(true, |all, (vertex, _)| all & self.own.contains(vertex)) {
                    return Err(Gone::Astray);
                }
                pairs.drain(..).for_each(&mut take);
                self.spent.0.push(pairs);
                Ok(Inbox::Open(from))
            }
            levels::Down::End(mut back, from) => {
                self.spare.append(&mut back.0);
                Ok(Inbox::Ended(from))
            }
            levels::Down::Found(..) | levels::Down::Up(..) => Err(Gone::Astray),
        }
    }

    /// A copy of a part of the frontier, in reused memory.
    fn copied(&mut self, part: &[u64]) -> Buffer<u64> {
        let mut copy = std::mem::take(&mut self.part);
        copy.clear();
        copy.extend_from_slice(part);
        copy
    }

    /// A copy of a list, in reused memory.
    fn listed(&mut self, found: &[u32]) -> Vec<u32> {
        let mut list = std::mem::take(&mut self.list);
        list.extend_from_slice(found);
        list
    }

    /// Moves the vertices of a received list to `others`, and keeps the list's memory.
    fn learned(&mut self, mut list: Vec<u32>, others: &mut Vec<u32>) -> Result<(), Gone> {
        if !list.iter().all(|vertex| self.theirs.contains(vertex)) {
            return Err(Gone::Astray);
        }
        others.append(&mut list);
        self.list = list;
        Ok(())
    }

    /// Hands on a received part of the frontier, and keeps its memory.
    fn part(&mut self, part: Buffer<u64>, learned: impl FnOnce(Range<usize>, &[u64])) -> Result<(), Gone> {
        if part.len() != self.words.len() {
            return Err(Gone::Astray);
        }
        learned(self.words.clone(), &part);
        self.part = part;
        Ok(())
    }
}

impl Peer<levels::client::Count, Inbox> {
    /// Receives the rest of the level's pairs.
    pub fn hear(mut self, wait: &impl Wait, mut take: impl FnMut(Pair)) -> Result<Count, Gone> {
        loop {
            match self.from {
                Inbox::Ended(from) => return Ok(Peer { to: self.to, from, store: self.store }),
                more => self.from = self.store.heard(wait, more.open(wait)?, &mut take)?,
            }
        }
    }
}

impl Count {
    /// Sends this worker's totals, and the vertices that it has found, if they are few.
    pub fn count(mut self, totals: Totals, found: &[u32]) -> Result<Counted, Gone> {
        let to = self.to.count(totals, self.store.listed(found)).map_err(Gone::left)?;
        Ok(Peer { to, from: self.from, store: self.store })
    }
}

impl Counted {
    /// Receives what the peer has found, and adds it.
    pub fn learn_count(
        mut self,
        wait: &impl Wait,
        totals: &mut Totals,
        others: &mut Vec<u32>,
    ) -> Result<Down, Gone> {
        let levels::Count::Count(theirs, list, from) = wait.soon(self.from)?;
        *totals += theirs;
        self.store.learned(list, others)?;
        Ok(Peer { to: self.to, from: Inbox::Open(from), store: self.store })
    }
}

impl Peer<levels::client::Up, levels::server::Down> {
    /// Receives the peer's part of the frontier.
    pub fn learn(mut self, wait: &impl Wait, learned: impl FnOnce(Range<usize>, &[u64])) -> Result<Up, Gone> {
        let levels::Down::Up(part, from) = wait.soon(self.from)? else { return Err(Gone::Astray) };
        self.store.part(part, learned)?;
        Ok(Peer { to: self.to, from, store: self.store })
    }
}

impl Up {
    /// Sends which vertices this worker has found.
    pub fn tell(mut self, found: u64, part: &[u64]) -> Result<Up, Gone> {
        let to = self.to.found(found, self.store.copied(part)).map_err(Gone::left)?;
        Ok(Peer { to, ..self })
    }

    /// Receives which vertices the peer has found; returns their number.
    pub fn learn(
        mut self,
        wait: &impl Wait,
        learned: impl FnOnce(Range<usize>, &[u64]),
    ) -> Result<(u64, Up), Gone> {
        let levels::Up::Found(found, part, from) = wait.soon(self.from)? else { return Err(Gone::Astray) };
        self.store.part(part, learned)?;
        Ok((found, Peer { from, ..self }))
    }

    /// Switches to top-down, or ends the search.
    pub fn down(self) -> Result<Down, Gone> {
        let to = self.to.down().map_err(Gone::left)?;
        Ok(Peer { to, from: Inbox::Turning(self.from), store: self.store })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts of the two workers.
    const CUTS: [usize; 3] = [0, 64, 192];

    /// Worker 1 as worker 0 sees it, and the two ends that worker 1 has.
    fn pair() -> (Down, levels::client::Down, levels::server::Down) {
        let ((to, heard), (theirs, from)) = (met(0).expect("it is there"), met(1).expect("it is there"));
        (Down::new(&CUTS, (0, 1), to, from), theirs, heard)
    }

    #[test]
    fn what_is_no_part_of_the_search_is_refused() {
        let buffer = |pair: Pair| {
            let mut buffer = Buffer::empty(1);
            buffer.push(pair);
            buffer
        };
        for (vertex, outcome) in [(63, Ok(())), (64, Err(Gone::Astray)), (u32::MAX, Err(Gone::Astray))] {
            let (peer, theirs, _heard) = pair();
            let _next = theirs.pairs(buffer((vertex, 5))).expect("the peer is there");
            assert_eq!(peer.poll(&Spinning, drop).map(drop), outcome, "{vertex}");
        }
        for (vertex, outcome) in
            [(64, Ok(())), (191, Ok(())), (63, Err(Gone::Astray)), (192, Err(Gone::Astray))]
        {
            let (peer, theirs, _heard) = pair();
            let _next = theirs.found(Totals::default(), vec![vertex]).expect("the peer is there");
            let learned = peer.learn_found(&Spinning, &mut Totals::default(), &mut Vec::new());
            assert_eq!(learned.map(drop), outcome, "{vertex}");
        }
        for (words, outcome) in [(2, Ok(())), (0, Err(Gone::Astray)), (3, Err(Gone::Astray))] {
            let (peer, theirs, _heard) = pair();
            let mut part = Buffer::default();
            part.resize(words, 7);
            let _next = theirs.up(part).expect("the peer is there");
            let peer = peer.up(&Spinning, &[7]).expect("the peer is there");
            assert_eq!(peer.learn(&Spinning, |_, _| ()).map(drop), outcome, "{words}");
        }
    }
}
