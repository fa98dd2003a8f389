//! The states of a bounded stream's slot, and every atomic step between them.
//!
//! The word of a slot is a set of flags. The flags that say what the slot holds have three combinations:
//!
//! | state | meaning | which side owns the payload |
//! |---|---|---|
//! | `EMPTY` | no message | the sender, to write it |
//! | `FULL` | a message that was sent | the receiver, to read it |
//! | `CLOSED` | one side has left here; what else the word says still holds | as the rest of the word says |
//!
//! In addition, each side may say that it waits, and in which of its two cells: the receiver for a message,
//! the sender for room or for the receiver to leave. A side that removes the other side's flag from the word,
//! or closes the slot while the flag is there, owns the waiter.
//!
//! | step | `EMPTY` | `FULL` | `CLOSED` |
//! |---|---|---|---|
//! | **publish** (sender, swaps in `FULL`) | sent; wake the receiver | impossible: it looks first | the receiver has left: the payload goes back |
//! | **fill** (sender, `FULL`, in a slot behind the one that it publishes next) | sent with that publish | impossible: it looks first | impossible: neither side is here yet |
//! | **take** (receiver, swaps in `EMPTY`) | impossible: it looks first | taken; wake the sender | what is there is taken, and `CLOSED` stays |
//! | **clear** (receiver, `EMPTY`, in a slot behind the one that it takes next) | impossible: it looks first | taken with that one | impossible: neither side is here yet |
//! | **register** (receiver) | waits | refused: take it | refused |
//! | **register** (sender) | waits for the close; for room: refused | waits | refused |
//! | **unregister** (either side) | the cell is its own again, or refused: the other side has the waiter | the same | refused: the other side has the waiter |
//! | **close** by the sender (adds `CLOSED`) | the receiver will find it; wake it | the receiver takes it, and then finds it | both have left |
//! | **close** by the receiver (adds `CLOSED`) | the sender will find it; wake it | drop it, go on to the next slot; or, if all slots were full, wake the sender | both have left |
//!
//! # Why so little ordering
//!
//! Each step that concerns both sides changes the same variable. The only other memory is the payload, which
//! travels in both directions (written before a publish, read before a take), and the cells.

#[cfg(all(test, not(pipes_loom)))]
mod tests;

use crate::sync::{AtomicU32, Ordering, before_free};
use crate::wait::{CellIndex, Party};
use std::fmt;

/// What a slot's word says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct SlotState(u32);

const FULL: u32 = 1;
const CLOSED: u32 = 2;

/// Returns the flag of a party that waits in this cell.
const fn waiting(party: Party, cell: CellIndex) -> u32 {
    4 << (2 * party as u32 + cell as u32)
}

impl SlotState {
    /// No message; no side waits, and no side has left.
    pub(super) const EMPTY: SlotState = SlotState(0);
    /// A message that was sent.
    pub(super) const FULL: SlotState = SlotState(FULL);

    /// Returns `true` if a message is here.
    pub(super) fn is_full(self) -> bool {
        self.0 & FULL != 0
    }

    /// Returns `true` if one side has left here.
    pub(super) fn is_closed(self) -> bool {
        self.0 & CLOSED != 0
    }

    /// Returns `true` if this party waits in this cell.
    pub(super) fn is_waiting(self, party: Party, cell: CellIndex) -> bool {
        self.0 & waiting(party, cell) != 0
    }

    /// Returns the cell in which this party waits, if it does.
    pub(super) fn waiter(self, party: Party) -> Option<CellIndex> {
        CellIndex::BOTH.into_iter().find(|&cell| self.is_waiting(party, cell))
    }
}

impl fmt::Debug for SlotState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_full() { "FULL" } else { "EMPTY" })?;
        if self.is_closed() {
            f.write_str(" CLOSED")?;
        }
        for party in [Party::Sender, Party::Receiver] {
            if let Some(cell) = self.waiter(party) {
                write!(f, ", {party:?} waits ({cell:?})")?;
            }
        }
        Ok(())
    }
}

/// The word of a slot. A byte would be enough, but swapping single bytes was measured to take a fifth longer.
pub(super) struct SlotWord(AtomicU32);

impl SlotWord {
    pub(super) fn new() -> Self {
        SlotWord(AtomicU32::new(SlotState::EMPTY.0))
    }

    /// Loads the word.
    #[inline(always)]
    pub(super) fn look(&self) -> SlotState {
        // ORDERING: Acquire pairs with `publish`: the receiver sees the payload; with `take`: the receiver
        // has read where the sender writes next; with `close`: the caller sees what the other side did before
        // it left.
        SlotState(self.0.load(Ordering::Acquire))
    }

    /// Publishes the sender's message. Returns what was found.
    #[inline(always)]
    #[must_use]
    pub(super) fn publish(&self) -> SlotState {
        // ORDERING: Release pairs with `look`: the receiver sees the payload. Acquire pairs with `register`:
        // the sender sees the waiter that it wakes; and with the receiver's `close`: it sees what the
        // receiver did before that. EMPTY=>FULL, CLOSED=>FULL.
        SlotState(self.0.swap(FULL, Ordering::AcqRel))
    }

    /// Sends at a slot behind the one that the sender publishes next, after the sender has seen this one
    /// empty. The receiver cannot be here before that publish.
    #[inline(always)]
    pub(super) fn fill(&self) {
        // ORDERING: Relaxed: the `publish` of the run's first slot, which comes later, releases this and the
        // payload. The receiver looks here only after its `look` there, which acquires both. EMPTY=>FULL.
        self.0.store(FULL, Ordering::Relaxed);
    }

    /// Makes room at a slot behind the one that the receiver takes next, after the receiver has read the
    /// message. The sender cannot be here before that take.
    #[inline(always)]
    pub(super) fn clear(&self) {
        // ORDERING: Relaxed: the `take` of the run's first slot, which comes later, releases this and the
        // read. The sender looks here only after its `look` there, which acquires both. FULL=>EMPTY.
        self.0.store(SlotState::EMPTY.0, Ordering::Relaxed);
    }

    /// Makes room after the message was read. Returns what was found.
    #[inline(always)]
    #[must_use]
    pub(super) fn take(&self) -> SlotState {
        // ORDERING: Release pairs with `look`: the receiver has read where the sender writes next. Acquire
        // pairs with `register`: the receiver sees the waiter that it wakes. FULL=>EMPTY.
        let found = SlotState(self.0.swap(SlotState::EMPTY.0, Ordering::AcqRel));
        if found != SlotState::FULL && found.is_closed() {
            // ORDERING: Relaxed: the other side has left, so only this side looks here again. EMPTY=>CLOSED.
            self.0.store(CLOSED, Ordering::Relaxed);
        }
        found
    }

    /// Registers a party in this cell, unless `come` says that it need not wait. Returns `false` if it need
    /// not wait, or if the other side has left.
    #[must_use]
    pub(super) fn register(&self, party: Party, cell: CellIndex, come: impl Fn(SlotState) -> bool) -> bool {
        loop {
            let seen = self.look();
            if seen.is_closed() || come(seen) {
                return false;
            }
            let with = seen.0 | waiting(party, cell);
            // ORDERING: Release pairs with `publish`, `take` and `close`: the side that wakes the waiter in
            // the cell sees it. After a refusal this looks again.
            if self.0.compare_exchange(seen.0, with, Ordering::Release, Ordering::Relaxed).is_ok() {
                return true;
            }
        }
    }

    /// Unregisters a party, which was registered in this cell. Returns `false` if the other side has the
    /// waiter.
    #[must_use]
    pub(super) fn unregister(&self, party: Party, cell: CellIndex) -> bool {
        // ORDERING: Relaxed: the side gets back what it wrote itself, and after a refusal it looks again.
        let found = SlotState(self.0.fetch_and(!waiting(party, cell), Ordering::Relaxed));
        found.is_waiting(party, cell) && !found.is_closed()
    }

    /// Closes the slot for a side that leaves. Returns what was found, or `None` if `unless` says that the
    /// side has something to do first.
    #[must_use]
    pub(super) fn close(&self, unless: impl Fn(SlotState) -> bool) -> Option<SlotState> {
        loop {
            let seen = self.look();
            if unless(seen) {
                return None;
            }
            // ORDERING: Acquire pairs with `register`: this side sees the waiter that it wakes. Release pairs
            // with `look` and `publish`: the other side sees what this side did before it left. After a
            // refusal this looks again.
            let closed = seen.0 | CLOSED;
            if self.0.compare_exchange(seen.0, closed, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
                return Some(seen);
            }
        }
    }

    /// Announces that the slot's memory is about to be freed.
    pub(super) fn before_free(&mut self) {
        before_free(&mut self.0);
    }
}
