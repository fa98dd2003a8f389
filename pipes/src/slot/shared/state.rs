//! The states of slots with many senders, and every atomic step between them.
//!
//! The states of a few slots share one word, so that a small message takes little more room than its payload,
//! and a cache line contains several messages. Each slot has a *field* of four marks there. The link at the
//! end of a block is a slot with a word of its own: its message is the next block, and its sender is the one
//! that has installed that block at the tail.
//!
//! | state | marks | meaning | who may touch the payload |
//! |---|---|---|---|
//! | `EMPTY` | none | nothing sent | the sender that claimed this slot, to write it |
//! | `WAITING` | waiting | nothing sent; the receiver is registered here | the same |
//! | `FULL` | full, and perhaps others | a message is here | the receiver, to take it |
//! | `SKIPPED` | skipped; later full as well | the receiver went on before the message came | the sender, to take back what it wrote |
//! | `CLOSED` | closed, and perhaps others | the last sender has left here, instead of sending | no side |
//!
//! | step (mark) | found `EMPTY` | found `WAITING` | found `FULL` | found `SKIPPED` | found `CLOSED` |
//! |---|---|---|---|---|---|
//! | **publish** (sender, adds full) | sent | sent; wake the waiter | impossible: a slot is claimed once | the payload goes back; acknowledge, try again | impossible: the last sender sends no more |
//! | **close** (last sender, adds closed) | the receiver will find it | wake the waiter | impossible: a slot is claimed once | the receiver has left; acknowledge | impossible |
//! | **look** (receiver) | nothing yet | nothing yet | take it | impossible: it does not come back | all senders have left |
//! | **register** (receiver, sets waiting) | sleep | impossible: it takes its waiter back first | refused: take it | impossible | refused: all senders have left |
//! | **unregister** (receiver, clears waiting) | impossible | no sender will look for the waiter | refused: a sender looks for the waiter | impossible | refused: a sender looks for the waiter |
//! | **skip** (receiver, sets skipped) | the sender will find it | impossible: it takes its waiter back first | refused: take it after all | impossible | refused: all senders have left |
//!
//! Two steps are for a word that no other thread knows: **fill**, which sends the message that a new block
//! contains, and **reset**, when a block is no longer used. Steps at one slot do not disturb its neighbours:
//! each adds or sets a mark that was not there, or clears one.
//!
//! # Why so little ordering
//!
//! A word is one variable, and every change that is made to it once other threads know it is a
//! read-modify-write. So a thread that sees a mark also sees what was released with it, even after any number
//! of later steps at other fields.

use crate::sync::{AtomicUsize, Ordering, before_free};
use std::fmt;

/// What a slot's field says.
#[derive(Clone, Copy)]
pub(super) enum SlotState {
    /// Nothing sent.
    Empty,
    /// Nothing sent; the receiver is registered here.
    Waiting,
    /// A message is here.
    Full,
    /// The receiver went on before the message came.
    Skipped,
    /// The last sender has left.
    Closed,
}

impl fmt::Debug for SlotState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SlotState::Empty => "EMPTY",
            SlotState::Waiting => "WAITING",
            SlotState::Full => "FULL",
            SlotState::Skipped => "SKIPPED",
            SlotState::Closed => "CLOSED",
        })
    }
}

const FULL: usize = 1;
const CLOSED: usize = 2;
const SKIPPED: usize = 4;
const WAITING: usize = 8;
/// The number of marks.
const MARKS: u32 = 4;

/// The position of a slot among those that share a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Field(u32);

impl Field {
    /// The largest number of slots that can share a word.
    pub(super) const COUNT: usize = (usize::BITS / MARKS) as usize;

    /// Returns the field with this number, which is below [`COUNT`](Field::COUNT).
    #[inline(always)]
    pub(super) const fn new(number: usize) -> Self {
        Field(number as u32 * MARKS)
    }

    #[inline(always)]
    fn of(self, mark: usize) -> usize {
        mark << self.0
    }

    /// Returns the state of this slot.
    #[inline(always)]
    fn state(self, word: usize) -> SlotState {
        let marks = word >> self.0 & ((1 << MARKS) - 1);
        if marks == 0 { SlotState::Empty } else { self.marked(marks) }
    }

    #[inline(always)]
    fn marked(self, marks: usize) -> SlotState {
        if marks & FULL != 0 {
            SlotState::Full
        } else if marks & CLOSED != 0 {
            SlotState::Closed
        } else if marks & SKIPPED != 0 {
            SlotState::Skipped
        } else {
            SlotState::Waiting
        }
    }

    /// Returns `true` if something that the receiver waits for has happened here.
    fn has_come(self, word: usize) -> bool {
        word & self.of(FULL | CLOSED) != 0
    }
}

/// The word of the slots of a group.
pub(super) struct GroupWord(AtomicUsize);

impl GroupWord {
    /// Creates the word of empty slots.
    pub(super) fn new() -> Self {
        GroupWord(AtomicUsize::new(0))
    }

    /// Sends a message here. Returns the state that was found.
    #[inline(always)]
    #[must_use]
    pub(super) fn publish(&self, field: Field) -> SlotState {
        // ORDERING: Release pairs with `look`: the receiver sees the payload. Acquire pairs with `register`:
        // the sender that looks for the waiter finds it. EMPTY=>FULL, WAITING=>FULL, SKIPPED=>FULL.
        field.state(self.0.fetch_add(field.of(FULL), Ordering::AcqRel))
    }

    /// Closes the stream: the last sender leaves here instead of sending. Returns the state that was found.
    #[must_use]
    pub(super) fn close(&self, field: Field) -> SlotState {
        // ORDERING: Release pairs with `look`: a receiver that finds that the senders have left sees what
        // they did before. Acquire pairs with `register`: the sender that looks for the waiter finds it.
        // EMPTY=>CLOSED, WAITING=>CLOSED, SKIPPED=>CLOSED.
        field.state(self.0.fetch_add(field.of(CLOSED), Ordering::AcqRel))
    }

    /// Loads the state of a slot.
    #[inline(always)]
    pub(super) fn look(&self, field: Field) -> SlotState {
        // ORDERING: Acquire pairs with `publish`: the receiver sees the payload; and with `close`: it sees
        // what the senders did before they left.
        field.state(self.0.load(Ordering::Acquire))
    }

    /// Registers the receiver here. Returns `false` if something has happened, so that the receiver has to
    /// look again.
    #[must_use]
    pub(super) fn register(&self, field: Field) -> bool {
        // ORDERING: Release pairs with `publish` and `close`: the sender that looks for the waiter finds it.
        // After a refusal the receiver looks again, and `look` acquires. EMPTY=>WAITING.
        !field.has_come(self.0.fetch_or(field.of(WAITING), Ordering::Release))
    }

    /// Unregisters the receiver here. Returns `false` if something has happened, so that the receiver has to
    /// look again.
    #[must_use]
    pub(super) fn unregister(&self, field: Field) -> bool {
        // ORDERING: Relaxed: the receiver takes back what it did itself, and after a refusal it looks again.
        // WAITING=>EMPTY.
        !field.has_come(self.0.fetch_and(!field.of(WAITING), Ordering::Relaxed))
    }

    /// Skips the slot: the receiver goes on without its message. Returns `false` if something has happened,
    /// so that the receiver has to look again.
    #[must_use]
    pub(super) fn skip(&self, field: Field) -> bool {
        // ORDERING: Relaxed: the sender that finds it only takes back what it wrote itself, and after a
        // refusal the receiver looks again. EMPTY=>SKIPPED.
        !field.has_come(self.0.fetch_or(field.of(SKIPPED), Ordering::Relaxed))
    }

    /// Sends a message in a block that no other thread knows yet. All other slots of this word are empty.
    pub(super) fn fill(&self, field: Field) {
        // ORDERING: Relaxed: the block itself is published, at the tail and by its link. EMPTY=>FULL,
        // FULL=>FULL.
        self.0.store(field.of(FULL), Ordering::Relaxed);
    }

    /// Makes all slots of this word empty. The block is no longer used, and no other thread knows it.
    pub(super) fn reset(&self) {
        // ORDERING: Relaxed: the block cache and the tail publish the block. FULL=>EMPTY.
        self.0.store(0, Ordering::Relaxed);
    }

    /// Announces that the word's memory is about to be freed.
    pub(super) fn before_free(&mut self) {
        before_free(&mut self.0);
    }
}
