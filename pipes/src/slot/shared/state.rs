//! The states of slots with many senders, and every atomic step between them.
//!
//! The states of a few neighbouring slots share one word, so that a small message takes little more room than
//! its payload, and a line of memory brings several of them. Each slot has a *field* of four marks there. The
//! link at the end of a block is a slot with a word of its own: its message is the next block, and its one
//! sender is whoever has put that block behind the tail.
//!
//! | state | marks | meaning | who may touch the payload |
//! |---|---|---|---|
//! | `EMPTY` | none | nothing sent | the sender that claimed this slot, to write it |
//! | `WAITING` | waiting | nothing sent; the receiver is registered here | the same |
//! | `FULL` | full, and perhaps others | a message is here | the receiver, to take it |
//! | `PASSED` | passed; later full as well | the receiver went on before the message came | the sender, to take back what it wrote |
//! | `CLOSED` | closed, and perhaps others | the last sender has left here, instead of sending | nobody |
//!
//! | step (mark) | found `EMPTY` | found `WAITING` | found `FULL` | found `PASSED` | found `CLOSED` |
//! |---|---|---|---|---|---|
//! | **publish** (sender, adds full) | sent | sent; wake the waiter | impossible: a slot is claimed once | the payload goes back; pay, try again | impossible: who leaves last sends no more |
//! | **close** (last sender, adds closed) | the receiver will find it | wake the waiter | impossible: a slot is claimed once | the receiver has left; pay | impossible |
//! | **look** (receiver) | nothing yet | nothing yet | take it | impossible: it does not come back | all senders have left |
//! | **register** (receiver, sets waiting) | sleep | impossible: it takes its waiter back first | refused: take it | impossible | refused: all senders have left |
//! | **unregister** (receiver, clears waiting) | impossible | nobody will look for the waiter | refused: a sender looks for the waiter | impossible | refused: a sender looks for the waiter |
//! | **pass** (receiver, sets passed) | the sender will find it | impossible: it takes its waiter back first | refused: take it after all | impossible | refused: all senders have left |
//!
//! Two steps are for a word that nobody else knows: **fill**, which sends the message that a block comes
//! with, and **reset**, when a block has done its service. Steps at one slot do not disturb its neighbours:
//! each adds or sets a mark that was not there, or clears one.
//!
//! # Why so little ordering
//!
//! A word is one variable, and every change of it, once it is known, is a read-modify-write. So whoever sees
//! a mark has seen what was released with it, however many steps at other fields have come after.

use crate::sync::{AtomicUsize, Ordering, retire};
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
    Passed,
    /// The last sender has left.
    Closed,
}

impl fmt::Debug for SlotState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SlotState::Empty => "EMPTY",
            SlotState::Waiting => "WAITING",
            SlotState::Full => "FULL",
            SlotState::Passed => "PASSED",
            SlotState::Closed => "CLOSED",
        })
    }
}

const FULL: usize = 1;
const CLOSED: usize = 2;
const PASSED: usize = 4;
const WAITING: usize = 8;
/// How many marks there are.
const MARKS: u32 = 4;

/// Which of the slots that share a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Field(u32);

impl Field {
    /// How many slots may share a word.
    pub(super) const COUNT: usize = (usize::BITS / MARKS) as usize;

    /// The one with this number, which is below [`COUNT`](Field::COUNT).
    #[inline(always)]
    pub(super) const fn new(number: usize) -> Self {
        Field(number as u32 * MARKS)
    }

    #[inline(always)]
    fn of(self, mark: usize) -> usize {
        mark << self.0
    }

    /// The state of this slot.
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
        } else if marks & PASSED != 0 {
            SlotState::Passed
        } else {
            SlotState::Waiting
        }
    }

    /// Has something happened here, in the eyes of the receiver?
    fn has_come(self, word: usize) -> bool {
        word & self.of(FULL | CLOSED) != 0
    }
}

/// The word of a few slots.
pub(super) struct GroupWord(AtomicUsize);

impl GroupWord {
    /// Of empty slots.
    pub(super) fn new() -> Self {
        GroupWord(AtomicUsize::new(0))
    }

    /// Sends: a message is here. Gives what was found.
    #[inline(always)]
    #[must_use]
    pub(super) fn publish(&self, field: Field) -> SlotState {
        // ORDERING: Release pairs with `look`: the payload is seen by the receiver. Acquire pairs with
        // `register`: the sender that looks for the waiter finds it.
        // EMPTY=>FULL, WAITING=>FULL, PASSED=>FULL.
        field.state(self.0.fetch_add(field.of(FULL), Ordering::AcqRel))
    }

    /// Leaves: the last sender, instead of sending here. Gives what was found.
    #[must_use]
    pub(super) fn close(&self, field: Field) -> SlotState {
        // ORDERING: Release pairs with `look`: what the senders did before they left is seen by a receiver
        // that finds that they have. Acquire pairs with `register`: the sender that looks for the waiter
        // finds it.
        // EMPTY=>CLOSED, WAITING=>CLOSED, PASSED=>CLOSED.
        field.state(self.0.fetch_add(field.of(CLOSED), Ordering::AcqRel))
    }

    /// What is here?
    #[inline(always)]
    pub(super) fn look(&self, field: Field) -> SlotState {
        // ORDERING: Acquire pairs with `publish`: the payload is seen; and with `close`.
        field.state(self.0.load(Ordering::Acquire))
    }

    /// The receiver waits here. False: something has happened, look again.
    #[must_use]
    pub(super) fn register(&self, field: Field) -> bool {
        // ORDERING: Release pairs with `publish` and `close`: the sender that looks for the waiter finds it.
        // A refusal tells nothing but to look again, and `look` acquires. EMPTY=>WAITING.
        !field.has_come(self.0.fetch_or(field.of(WAITING), Ordering::Release))
    }

    /// The receiver does not wait here any more. False: something has happened, look again.
    #[must_use]
    pub(super) fn unregister(&self, field: Field) -> bool {
        // ORDERING: Relaxed: the receiver takes back what it did itself, and a refusal tells nothing but to
        // look again.
        // WAITING=>EMPTY.
        !field.has_come(self.0.fetch_and(!field.of(WAITING), Ordering::Relaxed))
    }

    /// The receiver goes on without waiting for the message. False: something has happened, look again.
    #[must_use]
    pub(super) fn pass(&self, field: Field) -> bool {
        // ORDERING: Relaxed: it tells the sender nothing but to take back what it wrote itself; and a refusal
        // tells nothing but to look again. EMPTY=>PASSED.
        !field.has_come(self.0.fetch_or(field.of(PASSED), Ordering::Relaxed))
    }

    /// Sends with a block that nobody knows yet: the slots beside this one are empty.
    pub(super) fn fill(&self, field: Field) {
        // ORDERING: Relaxed: the block itself is published, behind the tail and by its link. EMPTY=>FULL,
        // FULL=>FULL.
        self.0.store(field.of(FULL), Ordering::Relaxed);
    }

    /// All of these slots have done their service, and nobody else knows them.
    pub(super) fn reset(&self) {
        // ORDERING: Relaxed: the block goes on by way of the shelf and the tail. FULL=>EMPTY.
        self.0.store(0, Ordering::Relaxed);
    }

    /// The word's memory is about to be freed.
    pub(super) fn retire(&mut self) {
        retire(&mut self.0);
    }
}
