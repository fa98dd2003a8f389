//! The states of a bounded stream's slot, and every atomic step between them.
//!
//! The word of a slot is a set of flags. Those that say what the slot holds have five combinations:
//!
//! | state | meaning | which side owns the payload |
//! |---|---|---|
//! | `EMPTY` | no message | the sender's, to write |
//! | `FULL` | a message that was sent | the receiver's |
//! | `OFFERED` | at capacity 0: a message whose sender waits until it is taken, and may withdraw it | the side whose step comes first |
//! | `HELD` | an offer that the receiver is taking, or has promised to take | the receiver's, unless it leaves |
//! | `CLOSED` | one side has left here; what else the word says still holds | of an offer: the sender's if it is the receiver that has left |
//!
//! In addition each side may say that it waits, and in which of its two seats: the receiver for a message,
//! the sender for room or for the receiver to leave. A side that removes the other side's flag from the word,
//! or closes the slot while the flag is there, owns the waiter.
//!
//! | step | `EMPTY` | `FULL` | `OFFERED` | `HELD` | `CLOSED` |
//! |---|---|---|---|---|---|
//! | **publish** (sender, swaps in `FULL` or `OFFERED`) | sent; wake the receiver | impossible: it looks first | impossible | impossible | the receiver has left: the payload goes back |
//! | **fill** (sender, `FULL`, in a slot behind the one that it publishes next) | sent with that publish | impossible: it looks first | impossible | impossible | impossible: neither side is here yet |
//! | **hand over** (sender at capacity 0, to `FULL`) | sent and wake, if the receiver waits; else refused | refused | refused | refused | refused |
//! | **hold** (receiver, to `HELD`) | refused: it was withdrawn | not needed | held | not needed | held, if an offer is there |
//! | **take** (receiver, swaps in `EMPTY`; also the sender, to remove an offer on which the receiver has closed) | impossible: it looks first | taken; wake the sender | impossible: it holds first | taken; wake the sender | what is there is taken, and `CLOSED` stays |
//! | **clear** (receiver, `EMPTY`, in a slot behind the one that it takes next) | impossible: it looks first | taken with that one | impossible | impossible | impossible: neither side is here yet |
//! | **withdraw** (sender) | refused: it was taken | refused: it was sent | to `EMPTY`: the payload is back | to `FULL`: it is sent | the payload is back, if it is still there |
//! | **register** (receiver) | waits | refused: take it | refused: hold it | refused: take it | refused |
//! | **register** (sender) | waits for the close; for room: refused | waits | waits | waits | refused |
//! | **unregister** (either side) | the seat is its own again, or refused: the other side has the waiter | the same | the same | the same | refused: the other side has the waiter |
//! | **close** by the sender (adds `CLOSED`) | the receiver will find it; wake it | the receiver takes it, and then finds it | as `FULL` | as `FULL` | both have left |
//! | **close** by the receiver (adds `CLOSED`) | the sender will find it; wake it | drop it, go on to the next slot; or, if all slots were full, wake the sender | the offer is the sender's again; wake it | as `OFFERED` | both have left |
//!
//! # Why so little ordering
//!
//! Each step that concerns both sides changes the same variable. Only the payload, which travels in both
//! directions (written before a publish, read before a take), and the seats are other memory.

#[cfg(all(test, not(pipes_loom)))]
mod tests;

use crate::slot::seat::{Party, SeatNumber};
use crate::sync::{AtomicU32, Ordering, retire};
use std::fmt;

/// What a slot's word says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct SlotState(u32);

const FULL: u32 = 1;
const OFFERED: u32 = 2;
const HELD: u32 = 4;
const CLOSED: u32 = 8;

/// The flag of a party that waits in this seat.
const fn waiting(party: Party, seat: SeatNumber) -> u32 {
    16 << (2 * party as u32 + seat as u32)
}

impl SlotState {
    /// No message; no side waits, and no side has left.
    pub(super) const EMPTY: SlotState = SlotState(0);
    /// A message that was sent.
    pub(super) const FULL: SlotState = SlotState(FULL);
    /// A message that its sender may withdraw.
    pub(super) const OFFERED: SlotState = SlotState(FULL | OFFERED);

    /// Is a message here, sent or offered?
    pub(super) fn is_full(self) -> bool {
        self.0 & FULL != 0
    }

    /// Is the message an offer, held or not?
    pub(super) fn is_offer(self) -> bool {
        self.0 & OFFERED != 0
    }

    /// Is it an offer that the receiver does not hold?
    pub(super) fn is_loose(self) -> bool {
        self.0 & (OFFERED | HELD) == OFFERED
    }

    /// Has one side left here?
    pub(super) fn is_closed(self) -> bool {
        self.0 & CLOSED != 0
    }

    /// Does this party wait in this seat?
    pub(super) fn is_waiting(self, party: Party, seat: SeatNumber) -> bool {
        self.0 & waiting(party, seat) != 0
    }

    /// The seat in which this party waits, if it does.
    pub(super) fn waiter(self, party: Party) -> Option<SeatNumber> {
        SeatNumber::BOTH.into_iter().find(|&seat| self.is_waiting(party, seat))
    }
}

impl fmt::Debug for SlotState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 & (FULL | OFFERED | HELD) {
            0 => "EMPTY",
            FULL => "FULL",
            _ if self.is_loose() => "OFFERED",
            _ => "HELD",
        })?;
        if self.is_closed() {
            f.write_str(" CLOSED")?;
        }
        for party in [Party::Sender, Party::Receiver] {
            if let Some(seat) = self.waiter(party) {
                write!(f, ", {party:?} waits ({seat:?})")?;
            }
        }
        Ok(())
    }
}

/// The word of a slot. A byte would be enough, but swapping single bytes took a fifth longer where it was
/// measured.
pub(super) struct SlotWord(AtomicU32);

impl SlotWord {
    pub(super) fn new() -> Self {
        SlotWord(AtomicU32::new(SlotState::EMPTY.0))
    }

    /// Loads the word.
    #[inline(always)]
    pub(super) fn look(&self) -> SlotState {
        // ORDERING: Acquire pairs with `publish` and `hand_over`: the receiver sees the payload; with `take`:
        // the receiver has read where the sender writes next; with `close`: the caller sees what the other
        // side did before it left.
        SlotState(self.0.load(Ordering::Acquire))
    }

    /// Publishes the sender's message, sent or offered. Returns what was found.
    #[inline(always)]
    #[must_use]
    pub(super) fn publish(&self, message: SlotState) -> SlotState {
        // ORDERING: Release pairs with `look`: the receiver sees the payload. Acquire pairs with `register`:
        // the sender sees the waiter that it wakes; and with the receiver's `close`: it sees what the
        // receiver did before that. EMPTY=>FULL, EMPTY=>OFFERED, CLOSED=>FULL, CLOSED=>OFFERED.
        SlotState(self.0.swap(message.0, Ordering::AcqRel))
    }

    /// Sends at a slot behind the one that the sender publishes next, after it has seen this one empty; the
    /// receiver cannot be here before that.
    #[inline(always)]
    pub(super) fn fill(&self) {
        // ORDERING: Relaxed: the `publish` of the run's first slot, which comes later, releases this and the
        // payload. The receiver looks here only after its `look` there, which acquires both. EMPTY=>FULL.
        self.0.store(FULL, Ordering::Relaxed);
    }

    /// Makes room at a slot behind the one that the receiver takes next, after it has read the message; the
    /// sender cannot be here before that.
    #[inline(always)]
    pub(super) fn clear(&self) {
        // ORDERING: Relaxed: the `take` of the run's first slot, which comes later, releases this and the
        // read. The sender looks here only after its `look` there, which acquires both. FULL=>EMPTY.
        self.0.store(SlotState::EMPTY.0, Ordering::Relaxed);
    }

    /// Sends if the receiver waits here. Returns what was found; `Err`: the receiver does not wait.
    pub(super) fn hand_over(&self) -> Result<SlotState, SlotState> {
        loop {
            let seen = self.look();
            if seen.is_full() || seen.is_closed() || seen.waiter(Party::Receiver).is_none() {
                return Err(seen);
            }
            // ORDERING: as for `publish`: Release pairs with `look`, Acquire with `register`; after a refusal
            // the sender looks again. EMPTY=>FULL.
            if self.0.compare_exchange(seen.0, FULL, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
                return Ok(seen);
            }
        }
    }

    /// Holds the offer that the receiver has seen. Returns what is here now.
    #[cold]
    pub(super) fn hold(&self, seen: SlotState) -> SlotState {
        let held = SlotState(seen.0 | HELD);
        // ORDERING: Acquire pairs with `publish`: this may be a later offer than the one that was seen, and
        // its payload is read next. After a refusal the receiver looks again. OFFERED=>HELD.
        match self.0.compare_exchange(seen.0, held.0, Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => held,
            Err(_) => self.look(),
        }
    }

    /// Makes room, after the message was read: by the receiver, or by the sender of an offer on which the
    /// receiver has closed. Returns what was found.
    #[inline(always)]
    #[must_use]
    pub(super) fn take(&self) -> SlotState {
        // ORDERING: Release pairs with `look`: the receiver has read where the sender writes next. Acquire
        // pairs with `register`: the receiver sees the waiter that it wakes. FULL=>EMPTY, HELD=>EMPTY.
        let found = SlotState(self.0.swap(SlotState::EMPTY.0, Ordering::AcqRel));
        if found != SlotState::FULL && found.is_closed() {
            // ORDERING: Relaxed: the other side has left, so only this side looks here again. EMPTY=>CLOSED.
            self.0.store(CLOSED, Ordering::Relaxed);
        }
        found
    }

    /// Withdraws the sender's offer; the sender is not registered here. Returns what was found. An offer that
    /// was not held is the sender's again, and so is any offer on which the receiver has closed; one that was
    /// held is sent.
    #[must_use]
    pub(super) fn withdraw(&self) -> SlotState {
        loop {
            let seen = self.look();
            if !seen.is_offer() || seen.is_closed() {
                return seen;
            }
            let left = if seen.is_loose() { SlotState::EMPTY } else { SlotState::FULL };
            // ORDERING: Release pairs with `look`: a receiver that finds the offer gone sees that this was
            // counted, and what was sent elsewhere before. It acquires nothing: the sender gets back what it
            // wrote itself, or leaves to the receiver an offer that the receiver has acquired.
            // OFFERED=>EMPTY, HELD=>FULL.
            if self.0.compare_exchange(seen.0, left.0, Ordering::Release, Ordering::Relaxed).is_ok() {
                return seen;
            }
        }
    }

    /// Registers a party in this seat, unless `come` says that it need not wait. False: it need not, or the
    /// other side has left.
    #[must_use]
    pub(super) fn register(&self, party: Party, seat: SeatNumber, come: impl Fn(SlotState) -> bool) -> bool {
        loop {
            let seen = self.look();
            if seen.is_closed() || come(seen) {
                return false;
            }
            let with = seen.0 | waiting(party, seat);
            // ORDERING: Release pairs with `publish`, `hand_over`, `take` and `close`: the side that wakes
            // the waiter in the seat sees it. After a refusal this looks again.
            if self.0.compare_exchange(seen.0, with, Ordering::Release, Ordering::Relaxed).is_ok() {
                return true;
            }
        }
    }

    /// Unregisters a party, which was registered in this seat. False: the other side has the waiter.
    #[must_use]
    pub(super) fn unregister(&self, party: Party, seat: SeatNumber) -> bool {
        // ORDERING: Relaxed: the side gets back what it wrote itself, and after a refusal it looks again.
        let found = SlotState(self.0.fetch_and(!waiting(party, seat), Ordering::Relaxed));
        found.is_waiting(party, seat) && !found.is_closed()
    }

    /// Closes the slot for a side that leaves. Returns what was found. None: `unless` says that the side has
    /// something to do first.
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
    pub(super) fn retire(&mut self) {
        retire(&mut self.0);
    }
}
