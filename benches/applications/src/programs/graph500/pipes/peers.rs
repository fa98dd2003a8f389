//! The other workers, as one worker sees them, and the messages between them.

use std::hint::spin_loop;
use std::io;
use std::ops::{AddAssign, Range};
use std::thread::yield_now;

use pipes::Receive;

pipes::proto! {
    /// What one worker sends to another: level after level, search after search.
    pub levels {
        /// Top-down: more vertices that a level has found.
        down: send {
            /// Some of the receiver's vertices, and their parents.
            pairs(Vec<Pair>) -> down,
            /// The end of the pairs, with the receiver's empty buffers.
            end(Vec<Vec<Pair>>) -> count,
            /// How much of its own part the sender has found in a level whose rows all workers have read, and
            /// which vertices, if they are few.
            found(Totals, Vec<u32>) -> down,
            /// Switches to bottom-up, with the sender's part of the frontier.
            up(Vec<u64>) -> up,
        }
        /// How much a level has found, now that all workers have exchanged their pairs, and which vertices,
        /// if they are few.
        count: send {
            count(Totals, Vec<u32>) -> down,
        }
        /// Bottom-up: what a level has found.
        up: send {
            /// The number of vertices found, and their bits.
            found(u64, Vec<u64>) -> up,
            /// Switches to top-down, or ends this search.
            down -> down,
        }
    }
}

/// A vertex that was found, and its parent.
pub type Pair = (u32, u32);

/// The number of pairs that are sent together. It may be slightly exceeded.
const BATCH: usize = if cfg!(test) { 8 } else { 4096 };

/// The number of times that a worker looks for a message before it blocks: a wake-up takes longer than most
/// levels of a small graph, and with one worker per core there is nothing else to do.
const LOOKS: usize = if cfg!(test) { 200 } else { 20_000 };
/// The number of looks after which the worker yields, in case another worker shares its core.
const COURTESY: usize = 64;

/// How much a level has found.
#[derive(Clone, Copy, Debug, Default)]
pub struct Totals {
    /// The number of vertices.
    pub vertices: u64,
    /// The number of edges at these vertices.
    pub edges: u64,
}

impl AddAssign for Totals {
    fn add_assign(&mut self, other: Totals) {
        self.vertices += other.vertices;
        self.edges += other.edges;
    }
}

/// Another worker has closed in the middle of a search.
#[derive(Debug)]
pub struct Gone;

impl Gone {
    /// Converts any failure to send or receive.
    pub fn from_any<E>(_: E) -> Gone {
        Gone
    }
}

impl From<Gone> for io::Error {
    fn from(_: Gone) -> io::Error {
        io::Error::other("a worker has left in the middle of a search")
    }
}

/// Receives a message that is expected soon.
pub fn soon<R: Receive>(receiver: R) -> Result<R::Message, Gone> {
    for look in 1..=LOOKS {
        if receiver.is_ready() {
            break;
        }
        if look % COURTESY == 0 { yield_now() } else { spin_loop() }
    }
    receiver.recv().map_err(Gone::from_any)
}

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
    /// Pairs to be sent.
    batch: Vec<Pair>,
    /// Empty buffers for more of them.
    spare: Vec<Vec<Pair>>,
    /// The peer's empty buffers, to be sent back to it.
    spent: Vec<Vec<Pair>>,
    /// Memory for a part of the frontier, as bits and as a list.
    part: Vec<u64>,
    list: Vec<u32>,
}

/// Each worker's peers, in the order of the parts defined by these cuts.
pub fn introduced(cuts: &[usize]) -> Vec<Vec<Down>> {
    let workers = cuts.len() - 1;
    let words = |worker: usize| cuts[worker].div_ceil(64)..cuts[worker + 1].div_ceil(64);
    let mut all: Vec<Vec<Down>> = (0..workers).map(|_| Vec::with_capacity(workers)).collect();
    for one in 0..workers {
        for other in 0..one {
            let ((to_other, from_one), (to_one, from_other)) = (levels::pipe(), levels::pipe());
            let store = |worker| Store { words: words(worker), ..Store::default() };
            all[one].push(Peer { to: to_other, from: Inbox::Open(from_other), store: store(other) });
            all[other].push(Peer { to: to_one, from: Inbox::Open(from_one), store: store(one) });
        }
    }
    all
}

impl<To, From> Peer<To, From> {
    /// The peer's words of bits.
    pub fn words(&self) -> Range<usize> {
        self.store.words.clone()
    }
}

impl Down {
    /// Adds a pair for this peer; true if the batch is full.
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
        let fresh = self.store.spare.pop().unwrap_or_else(|| Vec::with_capacity(2 * BATCH));
        let batch = std::mem::replace(&mut self.store.batch, fresh);
        let to = self.to.pairs(batch).map_err(Gone::from_any)?;
        Ok(Down { to, ..self })
    }

    /// Takes the pairs that have arrived, without waiting.
    pub fn poll(mut self, mut take: impl FnMut(Pair)) -> Result<Down, Gone> {
        while self.from.is_ready() {
            self.from = match self.from {
                // Only the message that ends bottom-up is known to have arrived.
                Inbox::Turning(_) => Inbox::Open(self.from.open()?),
                open => self.store.heard(open.open()?, &mut take)?,
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
        let to = self.to.end(spent).map_err(Gone::from_any)?;
        Ok(Peer { to, from: self.from, store: self.store })
    }

    /// Sends what this worker has found in a narrow level.
    pub fn found(mut self, totals: Totals, found: &[u32]) -> Result<Down, Gone> {
        let to = self.to.found(totals, self.store.listed(found)).map_err(Gone::from_any)?;
        Ok(Peer { to, ..self })
    }

    /// Receives what the peer has found in a narrow level, and adds it.
    pub fn learn_found(mut self, totals: &mut Totals, others: &mut Vec<u32>) -> Result<Down, Gone> {
        let levels::Down::Found(theirs, list, from) = soon(self.from.open()?)? else { return Err(Gone) };
        *totals += theirs;
        self.store.learned(list, others);
        Ok(Peer { to: self.to, from: Inbox::Open(from), store: self.store })
    }

    /// Switches to bottom-up, and sends this worker's part of the frontier.
    pub fn up(mut self, part: &[u64]) -> Result<Peer<levels::client::Up, levels::server::Down>, Gone> {
        let to = self.to.up(self.store.copied(part)).map_err(Gone::from_any)?;
        Ok(Peer { to, from: self.from.open()?, store: self.store })
    }
}

impl Inbox {
    /// Whether there is a message to take in this level.
    fn is_ready(&self) -> bool {
        match self {
            Inbox::Turning(from) => from.is_ready(),
            Inbox::Open(from) => from.is_ready(),
            Inbox::Ended(_) => false,
        }
    }

    /// The end that receives top-down. The other worker always chooses the same direction, because it
    /// computes with the same totals.
    fn open(self) -> Result<levels::server::Down, Gone> {
        match self {
            Inbox::Turning(from) => {
                let levels::Up::Down(from) = soon(from)? else { return Err(Gone) };
                Ok(from)
            }
            Inbox::Open(from) => Ok(from),
            Inbox::Ended(_) => Err(Gone),
        }
    }
}

impl Store {
    /// Takes the next message of a level.
    fn heard(&mut self, from: levels::server::Down, mut take: impl FnMut(Pair)) -> Result<Inbox, Gone> {
        match soon(from)? {
            levels::Down::Pairs(mut pairs, from) => {
                pairs.drain(..).for_each(&mut take);
                self.spent.push(pairs);
                Ok(Inbox::Open(from))
            }
            levels::Down::End(mut back, from) => {
                self.spare.append(&mut back);
                Ok(Inbox::Ended(from))
            }
            levels::Down::Found(..) | levels::Down::Up(..) => Err(Gone),
        }
    }

    /// A copy of a part of the frontier, in reused memory.
    fn copied(&mut self, part: &[u64]) -> Vec<u64> {
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
    fn learned(&mut self, mut list: Vec<u32>, others: &mut Vec<u32>) {
        others.append(&mut list);
        self.list = list;
    }
}

impl Peer<levels::client::Count, Inbox> {
    /// Receives the rest of the level's pairs.
    pub fn hear(mut self, mut take: impl FnMut(Pair)) -> Result<Count, Gone> {
        loop {
            match self.from {
                Inbox::Ended(from) => return Ok(Peer { to: self.to, from, store: self.store }),
                more => self.from = self.store.heard(more.open()?, &mut take)?,
            }
        }
    }
}

impl Count {
    /// Sends this worker's totals, and the vertices that it has found, if they are few.
    pub fn count(mut self, totals: Totals, found: &[u32]) -> Result<Counted, Gone> {
        let to = self.to.count(totals, self.store.listed(found)).map_err(Gone::from_any)?;
        Ok(Peer { to, from: self.from, store: self.store })
    }
}

impl Counted {
    /// Receives what the peer has found, and adds it.
    pub fn learn_count(mut self, totals: &mut Totals, others: &mut Vec<u32>) -> Result<Down, Gone> {
        let levels::Count::Count(theirs, list, from) = soon(self.from)?;
        *totals += theirs;
        self.store.learned(list, others);
        Ok(Peer { to: self.to, from: Inbox::Open(from), store: self.store })
    }
}

impl Peer<levels::client::Up, levels::server::Down> {
    /// Receives the peer's part of the frontier.
    pub fn learn(mut self, learned: impl FnOnce(Range<usize>, &[u64])) -> Result<Up, Gone> {
        let levels::Down::Up(part, from) = soon(self.from)? else { return Err(Gone) };
        learned(self.store.words.clone(), &part);
        self.store.part = part;
        Ok(Peer { to: self.to, from, store: self.store })
    }
}

impl Up {
    /// Sends which vertices this worker has found.
    pub fn tell(mut self, found: u64, part: &[u64]) -> Result<Up, Gone> {
        let to = self.to.found(found, self.store.copied(part)).map_err(Gone::from_any)?;
        Ok(Peer { to, ..self })
    }

    /// Receives which vertices the peer has found; returns their number.
    pub fn learn(mut self, learned: impl FnOnce(Range<usize>, &[u64])) -> Result<(u64, Up), Gone> {
        let levels::Up::Found(found, part, from) = soon(self.from)? else { return Err(Gone) };
        learned(self.store.words.clone(), &part);
        self.store.part = part;
        Ok((found, Peer { from, ..self }))
    }

    /// Switches to top-down, or ends the search.
    pub fn down(self) -> Result<Down, Gone> {
        let to = self.to.down().map_err(Gone::from_any)?;
        Ok(Peer { to, from: Inbox::Turning(self.from), store: self.store })
    }
}
