//! The states of a slot, and every atomic step between them.
//!
//! A slot is one word and room for one payload. The word says what the slot holds:
//!
//! | state | meaning | who may touch the payload | who may touch the receiver's seat |
//! |---|---|---|---|
//! | `EMPTY` | nothing sent, nobody waits, nobody has left | the sender, to write it | the receiver |
//! | `WAITING` (first or second seat) | nothing sent; the receiver waits in that seat | the sender, to write it | nobody may write; the receiver may compare |
//! | `FULL` (the address of the message's [`Head`]) | a message is here | the receiver, to take it | the sender, if it found `WAITING` |
//! | `CLOSED` | one side left here: the sender instead of sending, or the receiver before a message came | the sender, if the receiver left: to take back what it wrote | the sender, if it found `WAITING` |
//!
//! | step (swapped in) | found `EMPTY` | found `WAITING` | found `FULL` | found `CLOSED` |
//! |---|---|---|---|---|
//! | **publish** (sender, `FULL`) | sent | sent; wake the waiter | impossible: one message a turn | the receiver has left: the payload goes back |
//! | **hand over** (sender, `WAITING` to `FULL`) | refused | sent; wake the waiter | impossible: one message a turn | refused |
//! | **close** by the sender (`CLOSED`) | the receiver will find it | wake the waiter | impossible: a sender that has sent is past this slot | both have left: free |
//! | **close** by the receiver (`CLOSED`) | the sender will find it | impossible: it leaves its seat first | take and drop the message, go on to the next slot | both have left: free |
//! | **register** (receiver, `EMPTY` to `WAITING`) | sleep | impossible: it leaves its seat first | refused: take it | refused: the sender has left |
//! | **unregister** (receiver, `WAITING` to `EMPTY`) | impossible | the seat is the receiver's again | refused: the sender has the waiter | refused: the sender has the waiter |
//! | **look** (receiver) | nothing yet | nothing yet | take it | the sender has left |
//! | **reset** (receiver, `EMPTY`) | impossible | impossible | the slot is ready for its next message | impossible |
//!
//! # Why so little ordering
//!
//! A slot is one variable, so its states have one order that both sides agree on. What must travel beside it is the
//! payload and the seat. Each is written before a releasing step and read after an acquiring one, as the comments below
//! say. A `reset` needs nothing: whoever uses the slot next has heard from the resetting side since, through a later
//! message or through the list of spare blocks.

use super::message::Head;
use crate::sync::{AtomicPtr, Ordering, retire};
use std::fmt;
use std::ptr::{null_mut, without_provenance_mut};

/// Which of its two seats a receiver waits in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    First,
    Second,
}

impl Place {
    /// The word of a slot whose receiver waits here.
    fn word(self) -> *mut Head {
        without_provenance_mut(match self {
            Place::First => FIRST,
            Place::Second => SECOND,
        })
    }
}

/// What a slot's word says.
#[derive(Clone, Copy)]
pub(super) enum State {
    /// Nothing sent, nobody waits, nobody has left.
    Empty,
    /// The receiver waits in this seat; whoever finds this by a swap owns the waiter in it.
    Waiting(Place),
    /// A message is here, and this describes it.
    Full(&'static Head),
    /// One side has left.
    Closed,
}

const CLOSED: usize = 1;
const FIRST: usize = 2;
const SECOND: usize = 3;

impl State {
    #[inline(always)]
    fn of(word: *mut Head) -> State {
        if word.is_null() {
            State::Empty
        } else if word.addr() > SECOND {
            // SAFETY: such a word was put there by `publish`, from a `&'static Head`.
            State::Full(unsafe { &*word })
        } else {
            State::rare(word.addr())
        }
    }

    #[cold]
    fn rare(word: usize) -> State {
        match word {
            FIRST => State::Waiting(Place::First),
            SECOND => State::Waiting(Place::Second),
            _ => State::Closed,
        }
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            State::Empty => "EMPTY",
            State::Waiting(Place::First) => "WAITING (first seat)",
            State::Waiting(Place::Second) => "WAITING (second seat)",
            State::Full(_) => "FULL",
            State::Closed => "CLOSED",
        })
    }
}

/// The word of a slot.
pub(super) struct Word(AtomicPtr<Head>);

impl Word {
    pub(super) fn new() -> Self {
        Word(AtomicPtr::new(null_mut()))
    }

    /// Sends: a message described by `head` is here. Gives what was found.
    #[inline(always)]
    #[must_use]
    pub(super) fn publish(&self, head: &'static Head) -> State {
        // ORDERING: Release pairs with `look`: the payload is seen by whoever takes it.
        // Acquire pairs with `register`: the waiter is seen by the sender that wakes it; and with the receiver's `close`:
        // the receiver is done with memory that this side now frees.
        // EMPTY=>FULL, WAITING=>FULL, CLOSED=>FULL.
        State::of(self.0.swap(std::ptr::from_ref(head).cast_mut(), Ordering::AcqRel))
    }

    /// Sends, but only to a receiver that waits in this seat. False: it does not, or no more.
    #[must_use]
    pub(super) fn hand_over(&self, place: Place, head: &'static Head) -> bool {
        // ORDERING: Release pairs with `look` and Acquire with `register`, as in `publish`. A refusal tells nothing but to
        // publish. WAITING=>FULL.
        self.0
            .compare_exchange(
                place.word(),
                std::ptr::from_ref(head).cast_mut(),
                Ordering::AcqRel,
                Ordering::Relaxed,
            )
            .is_ok()
    }

    /// Leaves: either side, instead of sending or receiving here. Gives what was found.
    #[must_use]
    pub(super) fn close(&self) -> State {
        // ORDERING: Release pairs with `publish`, `close` and `look` of the other side: whoever leaves second frees, and
        // this side is done with the memory. Acquire pairs with `register` (the waiter that is to be woken), with
        // `publish` (the payload that is to be dropped) and with the other side's `close` (memory that is to be freed).
        // EMPTY=>CLOSED, WAITING=>CLOSED, FULL=>CLOSED, CLOSED=>CLOSED.
        State::of(self.0.swap(without_provenance_mut(CLOSED), Ordering::AcqRel))
    }

    /// What is here? The receiver's first and, when it has waited, last step before taking a message.
    #[inline(always)]
    pub(super) fn look(&self) -> State {
        // ORDERING: Acquire pairs with `publish`: the payload is seen; and with the sender's `close`: it is done with the
        // memory that this side now frees.
        State::of(self.0.load(Ordering::Acquire))
    }

    /// The receiver waits in this seat. False: something has happened, look again.
    #[must_use]
    pub(super) fn register(&self, place: Place) -> bool {
        // ORDERING: Release pairs with `publish` and `close`: the waiter in the seat is seen by the sender. A refusal tells
        // nothing but to look again, and `look` acquires. EMPTY=>WAITING.
        self.0.compare_exchange(null_mut(), place.word(), Ordering::Release, Ordering::Relaxed).is_ok()
    }

    /// The receiver leaves its seat. False: the sender has taken the waiter; look again.
    #[must_use]
    pub(super) fn unregister(&self, place: Place) -> bool {
        // ORDERING: Relaxed: the receiver gets back what it wrote itself, and a refusal tells nothing but to look again.
        // WAITING=>EMPTY.
        self.0.compare_exchange(place.word(), null_mut(), Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// The message is taken: the slot is ready for its next one.
    #[inline(always)]
    pub(super) fn reset(&self) {
        // ORDERING: Relaxed: see the top of the file. FULL=>EMPTY.
        self.0.store(null_mut(), Ordering::Relaxed);
    }

    /// The slot's memory is about to be freed.
    pub(super) fn retire(&mut self) {
        retire(&mut self.0);
    }
}
