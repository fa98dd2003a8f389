//! The states of a slot, and every atomic step between them.
//!
//! A slot is one word and room for one payload. The word says what the slot holds:
//!
//! | state | meaning | who may touch the payload | who may touch the seat |
//! |---|---|---|---|
//! | `EMPTY` | nothing sent, nobody waits, nobody has left | the sender, to write it | its side |
//! | `WAITING` (first or second seat) | nothing sent; the receiver waits for a message, in that seat of its own | the sender, to write it | nobody may write; the receiver may compare |
//! | `WATCHED` (first or second seat) | nothing sent; the sender waits for the receiver to leave, in that seat of its own | nobody: the sender stops watching before it writes | nobody may write; the sender may compare |
//! | `BOTH` | `WAITING` and `WATCHED` at once, each side in a seat of its own | as for `WATCHED` | as for each |
//! | `FULL` (the address of the message's [`Head`]) | a message is here | the receiver, to take it | the sender, the receiver's, if it found `WAITING` |
//! | `CLOSED` | one side left here: the sender instead of sending, or the receiver before a message came | the sender, if the receiver left: to take back what it wrote | whoever left, the other side's, if it found that one waiting there |
//!
//! | step (swapped in) | found `EMPTY` | found `WAITING` | found `WATCHED` | found `BOTH` | found `FULL` | found `CLOSED` |
//! |---|---|---|---|---|---|---|
//! | **publish** (sender, `FULL`) | sent | sent; wake the waiter | impossible: it leaves its seat first | impossible: likewise | impossible: one message a turn | the receiver has left: the payload goes back |
//! | **hand over** (sender, `WAITING` to `FULL`) | refused | sent; wake the waiter | impossible: it leaves its seat first | impossible: likewise | impossible: one message a turn | refused |
//! | **close** by the sender (`CLOSED`) | the receiver will find it | wake the waiter | impossible: it leaves its seat first | impossible: likewise | impossible: a sender that has sent is past this slot | both have left: free |
//! | **close** by the receiver (`CLOSED`) | the sender will find it | impossible: it leaves its seat first | wake the watcher | impossible: it leaves its seat first | take and drop the message, go on to the next slot | both have left: free |
//! | **register** by the receiver (its mark is added) | `WAITING`: sleep | impossible: it leaves its seat first | `BOTH`: sleep | impossible: it leaves its seat first | refused: take it | refused: the sender has left |
//! | **register** by the sender (its mark is added) | `WATCHED`: sleep | `BOTH`: sleep | impossible: it leaves its seat first | impossible: likewise | impossible: a sender that has sent is past this slot | refused: the receiver has left |
//! | **unregister** by the receiver (its mark is removed) | impossible | `EMPTY`: the seat is its own again | impossible | `WATCHED`: the seat is its own again | refused: the sender has the waiter | refused: the sender has the waiter |
//! | **unregister** by the sender (its mark is removed) | impossible | impossible | `EMPTY`: the seat is its own again | `WAITING`: the seat is its own again | impossible | refused: the receiver has the watcher |
//! | **look** by the receiver | nothing yet | nothing yet | nothing yet | nothing yet | take it | the sender has left |
//! | **look** by the sender | the receiver is there | there | there | there | impossible | the receiver has left |
//! | **reset** (receiver, `EMPTY`) | impossible | impossible | impossible | impossible | the slot is ready for its next message | impossible |
//!
//! Each side takes its own mark away before it swaps: once it has left, the pipe may be gone, and its seat
//! with it. So a swap finds the mark of the other side at most, and never `BOTH`.
//!
//! # Why so little ordering
//!
//! A slot is one variable, so its states have one order that both sides agree on. What must travel beside it
//! is the payload and the seat. Each is written before a releasing step and read after an acquiring one, as
//! the comments below say. Marks that the other side adds and removes in between do not get in the way: they
//! are changes of a value that was found there, and whoever acquires after them acquires what was released
//! before. A `reset` needs nothing: whoever uses the slot next has heard from the resetting side since,
//! through a later message or through the list of spare blocks.

use super::message::Head;
use crate::slot::seat::{Party, SeatNumber};
use crate::sync::{AtomicPtr, Ordering, retire};
use std::fmt;
use std::ptr::{null_mut, without_provenance_mut};

/// What a slot's word says.
#[derive(Clone, Copy)]
pub(super) enum SlotState {
    /// Nothing sent, nobody waits, nobody has left.
    Empty,
    /// Nothing sent, nobody has left, and these wait: `WAITING`, `WATCHED` or `BOTH`.
    Waiting(Marks),
    /// A message is here, and this describes it.
    Full(&'static Head),
    /// One side has left.
    Closed,
}

/// Who waits at a slot, each in a seat of its own. Whoever finds the other side's mark by a swap owns the
/// waiter there.
#[derive(Clone, Copy)]
pub(super) struct Marks(usize);

// The word of a slot in which nothing was sent and that nobody has left is the sum of the marks of those who
// wait. All of these are smaller than the address of any `Head`.
const WAITING_FIRST: usize = 1;
const WAITING_SECOND: usize = 2;
const WATCHED_FIRST: usize = 4;
const WATCHED_SECOND: usize = 8;
const CLOSED: usize = 15;
const _: () = assert!(align_of::<Head>() > CLOSED);

/// The mark of a side that waits in this seat.
#[inline(always)]
fn mark(party: Party, seat: SeatNumber) -> usize {
    match (party, seat) {
        (Party::Receiver, SeatNumber::First) => WAITING_FIRST,
        (Party::Receiver, SeatNumber::Second) => WAITING_SECOND,
        (Party::Sender, SeatNumber::First) => WATCHED_FIRST,
        (Party::Sender, SeatNumber::Second) => WATCHED_SECOND,
    }
}

impl Marks {
    /// The seat in which this party waits, if the other one does not wait.
    #[inline(always)]
    pub(super) fn only(self, party: Party) -> Option<SeatNumber> {
        SeatNumber::BOTH.into_iter().find(|seat| self.0 == mark(party, *seat))
    }

    /// Does this party wait?
    pub(super) fn has(self, party: Party) -> bool {
        self.0 & (mark(party, SeatNumber::First) | mark(party, SeatNumber::Second)) != 0
    }
}

impl SlotState {
    #[inline(always)]
    fn of(word: *mut Head) -> SlotState {
        match word.addr() {
            0 => SlotState::Empty,
            // SAFETY: such a word was put there by `publish`, from a `&'static Head`.
            address if address > CLOSED => SlotState::Full(unsafe { &*word }),
            CLOSED => SlotState::Closed,
            marks => SlotState::Waiting(Marks(marks)),
        }
    }

    /// Does this party wait here?
    pub(super) fn has(self, party: Party) -> bool {
        matches!(self, SlotState::Waiting(marks) if marks.has(party))
    }
}

impl fmt::Debug for SlotState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SlotState::Empty => f.write_str("EMPTY"),
            SlotState::Waiting(marks) => {
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

    /// Sends: a message described by `head` is here. Gives what was found.
    #[inline(always)]
    #[must_use]
    pub(super) fn publish(&self, head: &'static Head) -> SlotState {
        // ORDERING: Release pairs with `look`: the payload is seen by whoever takes it. Acquire pairs with
        // `register`: the waiter is seen by the sender that wakes it; and with the receiver's `close`: the
        // receiver is done with memory that this side now frees.
        // EMPTY=>FULL, WAITING=>FULL, CLOSED=>FULL.
        SlotState::of(self.0.swap(std::ptr::from_ref(head).cast_mut(), Ordering::AcqRel))
    }

    /// Sends, but only to a receiver that waits as was found before. False: it does not, or no more.
    #[inline]
    #[must_use]
    pub(super) fn hand_over(&self, found: Marks, head: &'static Head) -> bool {
        let (old, new) = (without_provenance_mut(found.0), std::ptr::from_ref(head).cast_mut());
        // ORDERING: Release pairs with `look` and Acquire with `register`, as in `publish`. A refusal tells
        // nothing but to publish. WAITING=>FULL.
        self.0.compare_exchange(old, new, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    /// Leaves: either side, instead of sending or receiving here. Gives what was found.
    #[must_use]
    pub(super) fn close(&self) -> SlotState {
        // ORDERING: Release pairs with `publish`, `close` and `look` of the other side: whoever leaves second
        // frees, and this side is done with the memory. Acquire pairs with `register` (the waiter that is to
        // be woken), with `publish` (the payload that is to be dropped) and with the other side's `close`
        // (memory that is to be freed).
        // EMPTY=>CLOSED, WAITING=>CLOSED, WATCHED=>CLOSED, FULL=>CLOSED, CLOSED=>CLOSED.
        SlotState::of(self.0.swap(without_provenance_mut(CLOSED), Ordering::AcqRel))
    }

    /// What is here? The receiver's first and, when it has waited, last step before taking a message; the
    /// sender's way to ask whether the receiver has left.
    #[inline(always)]
    pub(super) fn look(&self) -> SlotState {
        // ORDERING: Acquire pairs with `publish`: the payload is seen; and with the other side's `close`: it
        // is done with the memory that this side now frees.
        SlotState::of(self.0.load(Ordering::Acquire))
    }

    /// One side waits in this seat. False: something has happened, look again.
    ///
    /// Tried again only if the other side has sat down, or has risen, meanwhile: it is not waited for.
    #[inline]
    #[must_use]
    pub(super) fn register(&self, party: Party, seat: SeatNumber) -> bool {
        let mark = mark(party, seat);
        let mut found = 0;
        loop {
            let (old, new) = (without_provenance_mut(found), without_provenance_mut(found | mark));
            // ORDERING: Release pairs with `publish` and `close`: the waiter in the seat is seen by the other
            // side. A refusal tells nothing but to look again, and `look` acquires. EMPTY=>WAITING,
            // EMPTY=>WATCHED, WATCHED=>BOTH,
            // WAITING=>BOTH.
            match self.0.compare_exchange(old, new, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return true,
                Err(now) if now.addr() < CLOSED => found = now.addr(),
                Err(_) => return false,
            }
        }
    }

    /// One side leaves this seat. False: the other side has taken the waiter; look again.
    #[must_use]
    pub(super) fn unregister(&self, party: Party, seat: SeatNumber) -> bool {
        let mark = mark(party, seat);
        let mut found = mark;
        loop {
            let (old, new) = (without_provenance_mut(found), without_provenance_mut(found & !mark));
            // ORDERING: Relaxed: the side gets back what it wrote itself, and a refusal tells nothing but to
            // look again.
            // WAITING=>EMPTY, WATCHED=>EMPTY, BOTH=>WATCHED, BOTH=>WAITING.
            match self.0.compare_exchange(old, new, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return true,
                Err(now) if now.addr() < CLOSED && now.addr() & mark != 0 => found = now.addr(),
                Err(_) => return false,
            }
        }
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
