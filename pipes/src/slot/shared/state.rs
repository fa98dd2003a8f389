//! The states of a slot with many senders, and every atomic step between them.
//!
//! The link at the end of a block is such a slot too: its message is the next block, and its one sender is whoever has put that
//! block behind the tail.
//!
//! | state | meaning | who may touch the payload |
//! |---|---|---|
//! | `EMPTY` | nothing sent | the sender that claimed this slot, to write it |
//! | `WAITING` (the address of a seat) | nothing sent; the receiver waits in that seat | the same |
//! | `FULL` | a message is here | the receiver, to take it |
//! | `PASSED` | the receiver went on before the message came | the sender, to take back what it wrote |
//! | `CLOSED` | the last sender has left here, instead of sending | nobody |
//!
//! | step (swapped in) | found `EMPTY` | found `WAITING` | found `FULL` | found `PASSED` | found `CLOSED` |
//! |---|---|---|---|---|---|
//! | **publish** (sender, `FULL`) | sent | sent; wake the waiter | impossible: a slot is claimed once | the payload goes back; pay, try again | impossible: who leaves last sends no more |
//! | **fill** (sender, `FULL`; in a block that nobody knows) | sent with the block | impossible | the same once more | impossible | impossible |
//! | **close** (last sender, `CLOSED`) | the receiver will find it | wake the waiter | impossible: a slot is claimed once | the receiver has left; pay | impossible |
//! | **look** (receiver) | nothing yet | nothing yet | take it | impossible: it does not come back | all senders have left |
//! | **register** (receiver, `EMPTY` to `WAITING`) | sleep | impossible: it leaves its seat first | refused: take it | impossible | refused: all senders have left |
//! | **unregister** (receiver, `WAITING` to `EMPTY`) | impossible | the seat is the receiver's again | refused: a sender has the waiter | impossible | refused: a sender has the waiter |
//! | **pass** (receiver, `EMPTY` to `PASSED`) | the sender will find it | impossible: it leaves its seat first | refused: take it after all | impossible | refused: all senders have left |
//!
//! # Rounds
//!
//! There is no step that empties a slot. A block that is used again is in its next *round*, and what was `FULL` in one round is
//! `EMPTY` in the next: when a block has done its service, every slot of it is `FULL`, for whoever was passed has come since, and
//! swapped its `FULL` in. So a receiver writes nothing where it takes messages.

use crate::slot::waiter::Seat;
use crate::sync::{AtomicPtr, Ordering, retire};
use std::fmt;
use std::ptr::{null_mut, without_provenance_mut};

/// What a slot's word says.
#[derive(Clone, Copy)]
pub(super) enum State {
    /// Nothing sent.
    Empty,
    /// The receiver waits in this seat; whoever finds this by a swap owns the waiter in it.
    Waiting(*const Seat),
    /// A message is here.
    Full,
    /// The receiver went on before the message came.
    Passed,
    /// The last sender has left.
    Closed,
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            State::Empty => "EMPTY",
            State::Waiting(_) => "WAITING",
            State::Full => "FULL",
            State::Passed => "PASSED",
            State::Closed => "CLOSED",
        })
    }
}

/// Which of two words means `FULL`, and which one `EMPTY`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Round(usize);

const PASSED: usize = 2;
const CLOSED: usize = 3;

impl Round {
    /// The round of a fresh block.
    pub(super) const FIRST: Round = Round(1);

    /// The one after this.
    pub(super) fn next(self) -> Round {
        Round(1 - self.0)
    }

    #[inline(always)]
    fn full(self) -> *mut Seat {
        without_provenance_mut(self.0)
    }

    #[inline(always)]
    fn empty(self) -> *mut Seat {
        without_provenance_mut(1 - self.0)
    }

    #[inline(always)]
    fn state(self, word: *mut Seat) -> State {
        match word.addr() {
            it if it == self.0 => State::Full,
            0 | 1 => State::Empty,
            PASSED => State::Passed,
            CLOSED => State::Closed,
            _ => State::Waiting(word),
        }
    }
}

/// The word of a slot.
pub(super) struct Word(AtomicPtr<Seat>);

impl Word {
    /// Of a slot that is `EMPTY` in the first round.
    pub(super) fn new() -> Self {
        Word(AtomicPtr::new(null_mut()))
    }

    /// Sends: a message is here. Gives what was found.
    #[inline(always)]
    #[must_use]
    pub(super) fn publish(&self, round: Round) -> State {
        // ORDERING: Release pairs with `look`: the payload is seen by the receiver. Acquire pairs with `register`: the waiter is
        // seen by the sender that wakes it.
        // EMPTY=>FULL, WAITING=>FULL, PASSED=>FULL.
        round.state(self.0.swap(round.full(), Ordering::AcqRel))
    }

    /// Sends with a block that nobody knows yet.
    pub(super) fn fill(&self, round: Round) {
        // ORDERING: Relaxed: the block itself is published, behind the tail and by its link. EMPTY=>FULL, FULL=>FULL.
        self.0.store(round.full(), Ordering::Relaxed);
    }

    /// Leaves: the last sender, instead of sending here. Gives what was found.
    #[must_use]
    pub(super) fn close(&self, round: Round) -> State {
        // ORDERING: Release pairs with `look`: what the senders did before they left is seen by a receiver that finds that they
        // have. Acquire pairs with `register`: the waiter is seen by the sender that wakes it.
        // EMPTY=>CLOSED, WAITING=>CLOSED, PASSED=>CLOSED.
        round.state(self.0.swap(without_provenance_mut(CLOSED), Ordering::AcqRel))
    }

    /// What is here?
    #[inline(always)]
    pub(super) fn look(&self, round: Round) -> State {
        // ORDERING: Acquire pairs with `publish`: the payload is seen; and with `close`.
        round.state(self.0.load(Ordering::Acquire))
    }

    /// The receiver waits in this seat. False: something has happened, look again.
    #[must_use]
    pub(super) fn register(&self, round: Round, seat: *const Seat) -> bool {
        // ORDERING: Release pairs with `publish` and `close`: the waiter in the seat is seen by the sender. A refusal tells
        // nothing but to look again, and `look` acquires. EMPTY=>WAITING.
        self.0.compare_exchange(round.empty(), seat.cast_mut(), Ordering::Release, Ordering::Relaxed).is_ok()
    }

    /// The receiver leaves its seat. False: a sender has taken the waiter; look again.
    #[must_use]
    pub(super) fn unregister(&self, round: Round, seat: *const Seat) -> bool {
        // ORDERING: Relaxed: the receiver gets back what it wrote itself, and a refusal tells nothing but to look again.
        // WAITING=>EMPTY.
        self.0.compare_exchange(seat.cast_mut(), round.empty(), Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// The receiver goes on without waiting for the message. False: something has happened, look again.
    #[must_use]
    pub(super) fn pass(&self, round: Round) -> bool {
        let passed = without_provenance_mut(PASSED);
        // ORDERING: Relaxed: it tells the sender nothing but to take back what it wrote itself; and a refusal tells nothing but
        // to look again. EMPTY=>PASSED.
        self.0.compare_exchange(round.empty(), passed, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// The slot's memory is about to be freed.
    pub(super) fn retire(&mut self) {
        retire(&mut self.0);
    }
}
