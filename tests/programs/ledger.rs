//! The state of one pipe: what may block on it, how many owners its sides have, and how much was sent and
//! received.

use crate::cargo::{Message, Totals};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// What may be waited for without a limit on the ends of a pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// A receiver may wait for a message, and a sender for room.
    Receive,
    /// A sender may wait for the close.
    Close,
    /// Nothing: wakers may own one of its ends.
    Never,
}

/// What both sides of a pipe know. All counters are relaxed, so that only the pipe orders what its sides do.
pub struct Ledger {
    pub totals: Arc<Totals>,
    pub patience: Patience,
    /// Its messages may carry ends of other pipes.
    pub carries: bool,
    /// Its capacity is 0: sender and receiver meet.
    pub meets: bool,
    /// At most this number of messages are sent and not received.
    capacity: Option<usize>,
    holders: [AtomicU64; 2],
    sent: AtomicU64,
    received: AtomicU64,
    /// Messages of which the sender cannot tell whether they were sent.
    doubtful: AtomicU64,
    /// There were several receivers, none of which knows what the others received.
    split: AtomicBool,
    /// The receiver has closed the stream, and has received all that was left.
    emptied: AtomicBool,
}

impl Ledger {
    pub fn doubt(&self) {
        self.doubtful.fetch_add(1, Relaxed);
    }

    pub fn split(&self) {
        self.split.store(true, Relaxed);
    }

    pub fn empty(&self) {
        self.emptied.store(true, Relaxed);
    }

    pub fn has_sent(&self) {
        self.sent.fetch_add(1, Relaxed);
    }

    /// The numbers of messages that were sent, received, and in doubt.
    fn counts(&self) -> [u64; 3] {
        [&self.sent, &self.received, &self.doubtful].map(|counter| counter.load(Relaxed))
    }

    /// Checks that everything that was sent was received, as far as this is known.
    fn check_complete(&self) {
        if !self.totals.panicky && !self.split.load(Relaxed) {
            let [sent, received, doubtful] = self.counts();
            assert!(sent <= received + doubtful, "{sent} sent, {received} received, {doubtful} in doubt");
            assert!(received <= sent + doubtful, "{received} received, {sent} sent, {doubtful} in doubt");
        }
    }
}

/// Both sides have left, so the counts are final: what was sent and never received had room.
impl Drop for Ledger {
    fn drop(&mut self) {
        let [sent, received, doubtful] = self.counts();
        let excused = self.totals.panicky || std::thread::panicking();
        if let Some(capacity) = self.capacity.filter(|_| !excused) {
            let room = capacity.max(1) as u64;
            assert!(sent <= received + doubtful + room, "{sent} sent, {received} received, room for {room}");
        }
        if self.emptied.load(Relaxed) && !excused {
            self.check_complete();
        }
    }
}

/// Ownership of a sending or a receiving side. It is declared before the end in its struct, so that it is
/// dropped first.
pub struct Side {
    pub ledger: Arc<Ledger>,
    side: usize,
    held: bool,
}

impl Side {
    /// Both sides of a fresh pipe.
    pub fn pair(
        totals: &Arc<Totals>,
        patience: Patience,
        carries: bool,
        capacity: Option<usize>,
    ) -> (Side, Side) {
        let ledger = Arc::new(Ledger {
            totals: totals.clone(),
            patience,
            carries,
            meets: capacity == Some(0),
            capacity,
            holders: [AtomicU64::new(1), AtomicU64::new(1)],
            sent: AtomicU64::new(0),
            received: AtomicU64::new(0),
            doubtful: AtomicU64::new(0),
            split: AtomicBool::new(false),
            emptied: AtomicBool::new(false),
        });
        (Side { ledger: ledger.clone(), side: 0, held: true }, Side { ledger, side: 1, held: true })
    }

    /// A side whose other side is not known.
    pub fn alone(totals: &Arc<Totals>, patience: Patience) -> Side {
        let (mut other, side) = Side::pair(totals, patience, false, None);
        other.leave();
        side
    }

    /// The end is about to be dropped.
    pub fn leave(&mut self) {
        if std::mem::replace(&mut self.held, false) {
            self.ledger.holders[self.side].fetch_sub(1, Relaxed);
        }
    }

    /// Checks that the other side has left, as the library says.
    ///
    /// A sender may have learned this from a hint, which orders nothing; so this reads the latest value, and
    /// not one that is ordered.
    pub fn check_left(&self) {
        let there = self.ledger.holders[1 - self.side].fetch_add(0, Relaxed);
        self.check_none(there);
    }

    fn check_none(&self, there: u64) {
        let excused = !self.held || self.ledger.totals.panicky;
        assert!(excused || there == 0, "closed, but {there} of the other side are there");
    }

    /// A sole receiver has found the close: checks that everything that was sent was received. What senders
    /// did before they left is visible.
    pub fn check_complete(&self) {
        self.check_none(self.ledger.holders[1 - self.side].load(Relaxed));
        self.ledger.check_complete();
    }
}

impl Clone for Side {
    fn clone(&self) -> Self {
        self.ledger.holders[self.side].fetch_add(1, Relaxed);
        Side { ledger: self.ledger.clone(), side: self.side, held: true }
    }
}

impl Drop for Side {
    fn drop(&mut self) {
        self.leave();
    }
}

/// What a sender has sent: its name, and the number of its next message.
pub struct Pen {
    pub sender: u64,
    next: u64,
    /// The sender has seen that the receiver has left.
    pub is_done: bool,
}

impl Pen {
    pub fn new(sender: u64) -> Self {
        Pen { sender, next: 0, is_done: false }
    }

    pub fn write(&mut self, totals: &Arc<Totals>) -> Message {
        self.next += 1;
        Message::new(totals, self.sender, self.next)
    }
}

/// What a receiver has received: the last number of each sender.
#[derive(Clone, Default)]
pub struct Seen(HashMap<u64, u64>);

impl Seen {
    /// Checks a message that was received: it is intact, and its number is higher than those before it.
    pub fn note(&mut self, side: &Side, message: &Message) {
        let (sender, number) = message.read();
        side.ledger.received.fetch_add(1, Relaxed);
        let last = self.0.entry(sender).or_default();
        assert!(number > *last, "message {number} of sender {sender} comes after {last}");
        *last = number;
    }
}
