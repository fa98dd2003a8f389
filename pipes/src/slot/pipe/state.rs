//! The states of a slot, and every atomic step between them.
//!
//! A slot is one word and room for one payload. The word says what the slot holds:
//!
//! | state | meaning | who may touch the payload | who may touch the cell |
//! |---|---|---|---|
//! | `EMPTY` | nothing sent; no side waits, no side has left | the sender, to write it | each side, its own |
//! | `WAITING` (first or second cell) | nothing sent; the receiver waits for a message, in that cell of its own | the sender, to write it | no side may write; the receiver may compare |
//! | `WATCHED` (first or second cell) | nothing sent; the sender waits for the receiver to leave, in that cell of its own | neither side: the sender stops watching before it writes | no side may write; the sender may compare |
//! | `BOTH` | `WAITING` and `WATCHED` at once, each side in a cell of its own | as for `WATCHED` | as for each |
//! | `FULL` (the address of the message's [`Head`]) | a message is here | the receiver, to take it | the sender, the receiver's cell, if it found `WAITING` |
//! | `CLOSED` | one side left here: the sender instead of sending, or the receiver before a message came | the sender, if the receiver left: to take back what it wrote | the side that left, the other side's cell, if it found that side waiting there |
//!
//! | step (new value) | found `EMPTY` | found `WAITING` | found `WATCHED` | found `BOTH` | found `FULL` | found `CLOSED` |
//! |---|---|---|---|---|---|---|
//! | **publish** (sender, `FULL`) | sent | sent; wake the waiter | impossible: it unregisters first | impossible: the same | impossible: a sender sends once in each slot | the receiver has left: the payload goes back |
//! | **fill** (sender, `FULL`, in a slot behind the one that it publishes next) | sent with that publish | impossible: the receiver is not here yet | impossible: the sender is not here yet | impossible: the same | impossible: a sender sends once in each slot | impossible: no side is here yet |
//! | **hand over** (sender, `WAITING` to `FULL`) | refused | sent; wake the waiter | impossible: it unregisters first | impossible: the same | impossible: a sender sends once in each slot | refused |
//! | **close** by the sender (`CLOSED`) | the receiver will find it | wake the waiter | impossible: it unregisters first | impossible: the same | impossible: a sender that has sent is past this slot | both have left: free |
//! | **close** by the receiver (`CLOSED`) | the sender will find it | impossible: it unregisters first | wake the watcher | impossible: it unregisters first | take and drop the message, go on to the next slot | both have left: free |
//! | **register** by the receiver (its mark is added) | `WAITING`: sleep | impossible: it unregisters first | `BOTH`: sleep | impossible: it unregisters first | refused: take it | refused: the sender has left |
//! | **register** by the sender (its mark is added) | `WATCHED`: sleep | `BOTH`: sleep | impossible: it unregisters first | impossible: the same | impossible: a sender that has sent is past this slot | refused: the receiver has left |
//! | **unregister** by the receiver (its mark is removed) | impossible | `EMPTY`: the cell is its own again | impossible | `WATCHED`: the cell is its own again | refused: the sender has the waiter | refused: the sender has the waiter |
//! | **unregister** by the sender (its mark is removed) | impossible | impossible | `EMPTY`: the cell is its own again | `WAITING`: the cell is its own again | impossible | refused: the receiver has the watcher |
//! | **look** by the receiver | nothing yet | nothing yet | nothing yet | nothing yet | take it | the sender has left |
//! | **look** by the sender | the receiver has not left | the same | the same | the same | impossible | the receiver has left |
//! | **reset** (receiver, `EMPTY`) | impossible | impossible | impossible | impossible | the slot is ready for its next message | impossible |
//!
//! Each side unregisters before it publishes or closes, because otherwise its own waiter would remain in a
//! pipe that the other side may free. So a swap finds at most the mark of the other side, and never `BOTH`.
//!
//! # Why so little ordering
//!
//! A word is one variable, so its states have one order that both sides agree on. The only other memory is
//! the payload and the cell. Each is written before a step that releases and read after a step that acquires,
//! as the comments below say. Marks that the other side adds and removes in between do no harm: each such
//! step is a read-modify-write, which continues the release sequence, so an acquire after it still sees what
//! was released before it. A `reset` needs no ordering: before a side uses the slot again, it has received a
//! later message from the resetting side, or has taken the block from the shared list of free blocks.

use super::message::Head;
use crate::sync::{AtomicPtr, Ordering, before_free};
use crate::wait::{CellIndex, Party};
use std::fmt;
use std::ptr::{null_mut, without_provenance_mut};

/// What a slot's word says.
#[derive(Clone, Copy)]
pub(super) enum SlotState {
    /// Nothing sent; no side waits, and no side has left.
    Empty,
    /// Nothing sent, no side has left, and one or both wait: `WAITING`, `WATCHED` or `BOTH`.
    Marked(Marks),
    /// A message is here, with this description.
    Full(&'static Head),
    /// One side has left.
    Closed,
}

/// The sides that wait at a slot, each in one of its own cells. A side whose swap finds the other side's mark
/// owns the waiter in that cell.
#[derive(Clone, Copy)]
pub(super) struct Marks(usize);

// If nothing was sent and no side has left, the word is the sum of the marks of the sides that wait. A side
// waits in one cell only, so the sum is at most 10, and never `CLOSED`. All of these values are smaller than
// the address of any `Head`.
const WAITING_FIRST: usize = 1;
const WAITING_SECOND: usize = 2;
const WATCHED_FIRST: usize = 4;
const WATCHED_SECOND: usize = 8;
const CLOSED: usize = 15;
const _: () = assert!(align_of::<Head>() > CLOSED);

/// Returns the mark of a party that waits in this cell.
#[inline(always)]
fn mark(party: Party, cell: CellIndex) -> usize {
    match (party, cell) {
        (Party::Receiver, CellIndex::First) => WAITING_FIRST,
        (Party::Receiver, CellIndex::Second) => WAITING_SECOND,
        (Party::Sender, CellIndex::First) => WATCHED_FIRST,
        (Party::Sender, CellIndex::Second) => WATCHED_SECOND,
    }
}

impl Marks {
    /// Returns the cell in which this party waits, if the other party does not wait.
    #[inline(always)]
    pub(super) fn only(self, party: Party) -> Option<CellIndex> {
        CellIndex::BOTH.into_iter().find(|cell| self.0 == mark(party, *cell))
    }

    /// Returns `true` if this party waits.
    pub(super) fn has(self, party: Party) -> bool {
        self.0 & (mark(party, CellIndex::First) | mark(party, CellIndex::Second)) != 0
    }
}

impl SlotState {
    #[inline(always)]
    fn of(word: *mut Head) -> SlotState {
        match word.addr() {
            0 => SlotState::Empty,
            // SAFETY: only `publish`, `fill` and `hand_over` store such a value, and they get it from a
            // `&'static Head`.
            address if address > CLOSED => SlotState::Full(unsafe { &*word }),
            CLOSED => SlotState::Closed,
            marks => SlotState::Marked(Marks(marks)),
        }
    }

    /// Returns `true` if this party waits here.
    pub(super) fn has(self, party: Party) -> bool {
        matches!(self, SlotState::Marked(marks) if marks.has(party))
    }
}

impl fmt::Debug for SlotState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SlotState::Empty => f.write_str("EMPTY"),
            SlotState::Marked(marks) => {
                let state = match (marks.has(Party::Receiver), marks.has(Party::Sender)) {
                    (_, false) => "WAITING",
                    (false, true) => "WATCHED",
                    (true, true) => "BOTH",
                };
                write!(f, "{state} (marks {})", marks.0)
            }
            SlotState::Full(_) => f.write_str("FULL"),
            SlotState::Closed => f.write_str("CLOSED"),
        }
    }
}

/// The word of a slot.
pub(super) struct SlotWord(AtomicPtr<Head>);

impl SlotWord {
    pub(super) fn new() -> Self {
        SlotWord(AtomicPtr::new(null_mut()))
    }

    /// Sends a message that `head` describes. Returns what was found.
    #[inline(always)]
    #[must_use]
    pub(super) fn publish(&self, head: &'static Head) -> SlotState {
        // ORDERING: Release pairs with `look`: the side that takes the payload sees it. Acquire pairs with
        // `register`: the sender sees the waiter that it wakes; and with the receiver's `close`: the receiver
        // is done with memory that this side now frees. EMPTY=>FULL, WAITING=>FULL, CLOSED=>FULL.
        SlotState::of(self.0.swap(std::ptr::from_ref(head).cast_mut(), Ordering::AcqRel))
    }

    /// Sends at a slot behind the one that the sender publishes next. The receiver cannot be here before that
    /// publish.
    #[inline(always)]
    pub(super) fn fill(&self, head: &'static Head) {
        // ORDERING: Relaxed: the `publish` of the run's first slot, which comes later, releases this and the
        // payload. The receiver comes here only after its `look` or `close` there, which acquires both.
        // EMPTY=>FULL.
        self.0.store(std::ptr::from_ref(head).cast_mut(), Ordering::Relaxed);
    }

    /// Sends, but only if the word still says what was found, which is the receiver's mark alone. Returns
    /// `false` if the word has changed.
    #[inline]
    #[must_use]
    pub(super) fn hand_over(&self, found: Marks, head: &'static Head) -> bool {
        let (old, new) = (without_provenance_mut(found.0), std::ptr::from_ref(head).cast_mut());
        // ORDERING: Release pairs with `look` and Acquire with `register`, as in `publish`. After a refusal
        // the caller publishes, which acquires. WAITING=>FULL.
        self.0.compare_exchange(old, new, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    /// Leaves, for either side, instead of sending or receiving here. Returns what was found.
    #[must_use]
    pub(super) fn close(&self) -> SlotState {
        // ORDERING: Release pairs with `publish`, `close` and `look` of the other side: this side is done
        // with the memory that the second side to leave frees. Acquire pairs with `register` (the waiter to
        // wake), with `publish` (the payload to drop) and with the other side's `close` (the memory to free).
        // EMPTY=>CLOSED, WAITING=>CLOSED, WATCHED=>CLOSED, FULL=>CLOSED, CLOSED=>CLOSED.
        SlotState::of(self.0.swap(without_provenance_mut(CLOSED), Ordering::AcqRel))
    }

    /// Loads the word. This is the receiver's last step before it takes a message, and the sender's way to
    /// ask whether the receiver has left.
    #[inline(always)]
    pub(super) fn look(&self) -> SlotState {
        // ORDERING: Acquire pairs with `publish`: the receiver sees the payload; and with the other side's
        // `close`: it is done with the memory that this side now frees.
        SlotState::of(self.0.load(Ordering::Acquire))
    }

    /// Registers a party that waits in this cell. Returns `false` if something has happened, so that the
    /// party has to look again.
    ///
    /// It tries again only if the other side is registered or has just unregistered, and never waits for that
    /// side.
    #[inline]
    #[must_use]
    pub(super) fn register(&self, party: Party, cell: CellIndex) -> bool {
        let mark = mark(party, cell);
        let mut found = 0;
        loop {
            let (old, new) = (without_provenance_mut(found), without_provenance_mut(found | mark));
            // ORDERING: Release pairs with `publish` and `close`: the other side sees the waiter in the cell.
            // After a refusal the caller looks again, and `look` acquires. EMPTY=>WAITING, EMPTY=>WATCHED,
            // WATCHED=>BOTH, WAITING=>BOTH.
            match self.0.compare_exchange(old, new, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return true,
                Err(now) if now.addr() < CLOSED => found = now.addr(),
                Err(_) => return false,
            }
        }
    }

    /// Unregisters a party from this cell. Returns `false` if the other side has taken the waiter, so that
    /// the party has to look again.
    #[must_use]
    pub(super) fn unregister(&self, party: Party, cell: CellIndex) -> bool {
        let mark = mark(party, cell);
        let mut found = mark;
        loop {
            let (old, new) = (without_provenance_mut(found), without_provenance_mut(found & !mark));
            // ORDERING: Relaxed: the side gets back what it wrote itself, and after a refusal it looks again.
            // WAITING=>EMPTY, WATCHED=>EMPTY, BOTH=>WATCHED, BOTH=>WAITING.
            match self.0.compare_exchange(old, new, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return true,
                Err(now) if now.addr() < CLOSED && now.addr() & mark != 0 => found = now.addr(),
                Err(_) => return false,
            }
        }
    }

    /// Makes the slot ready for its next message, after its message was taken.
    #[inline(always)]
    pub(super) fn reset(&self) {
        // ORDERING: Relaxed: see the top of the file. FULL=>EMPTY.
        self.0.store(null_mut(), Ordering::Relaxed);
    }

    /// Announces that the slot's memory is about to be freed.
    pub(super) fn before_free(&mut self) {
        before_free(&mut self.0);
    }
}
