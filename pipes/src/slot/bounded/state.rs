//! The states of a bounded stream's slot, and every atomic step between them.
//!
//! The word of a slot is a handful of flags. Those that say what it holds stand together in five ways:
//!
//! | state | meaning | whose the payload is |
//! |---|---|---|
//! | `EMPTY` | no message | the sender's, to write |
//! | `FULL` | a message that was sent | the receiver's |
//! | `OFFERED` | at capacity 0: a message whose sender waits until it is taken, and may take it back | whose step comes first |
//! | `HELD` | an offer that the receiver is taking, or has promised to take | the receiver's, unless it leaves |
//! | `CLOSED` | one side has left here; what else the word says still holds | of an offer: the sender's if it is the receiver that has left |
//!
//! Beside that each side may say that it waits, and in which of its two seats: the receiver for a message,
//! the sender for room or for the receiver to leave. A side that takes such a flag out of the word, or closes
//! on top of it, owns the waiter.
//!
//! | step | `EMPTY` | `FULL` | `OFFERED` | `HELD` | `CLOSED` |
//! |---|---|---|---|---|---|
//! | **publish** (sender, swaps in `FULL` or `OFFERED`) | sent; wake the receiver | impossible: it looks first | impossible | impossible | the receiver has left: the payload goes back |
//! | **hand over** (sender at capacity 0, to `FULL`) | sent and wake, if the receiver waits; else refused | refused | refused | refused | refused |
//! | **hold** (receiver, to `HELD`) | refused: it was taken back | needless | held | needless | held, if an offer is there |
//! | **take** (receiver, swaps in `EMPTY`) | impossible: it looks first | taken; wake the sender | impossible: it holds first | taken; wake the sender | what is there is taken, and `CLOSED` stays |
//! | **withdraw** (sender) | refused: it was taken | refused: it was sent | to `EMPTY`: the payload is back | to `FULL`: it is sent | the payload is back, if it is still there |
//! | **register** (receiver) | waits | refused: take it | refused: hold it | refused: take it | refused |
//! | **register** (sender) | waits for the close; for room: refused | waits | waits | waits | refused |
//! | **unregister** (either side) | the seat is its own again, or refused: the other side has the waiter | the same | the same | the same | refused: as left |
//! | **close** by the sender (adds `CLOSED`) | the receiver will find it; wake it | the receiver takes it, and then finds it | as `FULL` | as `FULL` | both have left |
//! | **close** by the receiver (adds `CLOSED`) | the sender will find it; wake it | drop it, go on to the next slot; or, if all slots were full, wake the sender | the offer is the sender's again; wake it | as `OFFERED` | both have left |
//!
//! # Why so little ordering
//!
//! All that two sides do to each other at a slot, they do to one variable. What travels beside it is the
//! payload, both ways (written before a publish, read before a take), and the seats.

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
    /// No message, nobody waits, nobody has left.
    pub(super) const EMPTY: SlotState = SlotState(0);
    /// A message that was sent.
    pub(super) const FULL: SlotState = SlotState(FULL);
    /// A message that may be taken back.
    pub(super) const OFFERED: SlotState = SlotState(FULL | OFFERED);

    /// Is a message here, sent or offered?
    pub(super) fn is_full(self) -> bool {
        self.0 & FULL != 0
    }

    /// Is the message an offer, held or not?
    pub(super) fn is_offer(self) -> bool {
        self.0 & OFFERED != 0
    }

    /// Is it an offer that nobody holds?
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

/// The word of a slot. A byte would do, but swapping single bytes takes a fifth longer where this was
/// measured.
pub(super) struct SlotWord(AtomicU32);

impl SlotWord {
    pub(super) fn new() -> Self {
        SlotWord(AtomicU32::new(SlotState::EMPTY.0))
    }

    /// What is here?
    #[inline(always)]
    pub(super) fn look(&self) -> SlotState {
        // ORDERING: Acquire pairs with `publish` and `hand_over`: the payload is seen by the receiver; with
        // `take`: the receiver has done reading where the sender writes next; with `close`: what came before
        // it is seen.
        SlotState(self.0.load(Ordering::Acquire))
    }

    /// The sender's message is here, sent or offered. Gives what was found.
    #[inline(always)]
    #[must_use]
    pub(super) fn publish(&self, message: SlotState) -> SlotState {
        // ORDERING: Release pairs with `look`: the payload is seen by whoever takes it. Acquire pairs with
        // `register`: the waiter is seen by the sender that wakes it; and with the receiver's `close`: what
        // came before it is seen.
        // EMPTY=>FULL, EMPTY=>OFFERED, CLOSED=>FULL, CLOSED=>OFFERED.
        SlotState(self.0.swap(message.0, Ordering::AcqRel))
    }

    /// Sends if the receiver waits here. Gives what was found; `Err`: the receiver does not wait.
    pub(super) fn hand_over(&self) -> Result<SlotState, SlotState> {
        loop {
            let seen = self.look();
            if seen.is_full() || seen.is_closed() || seen.waiter(Party::Receiver).is_none() {
                return Err(seen);
            }
            // ORDERING: as for `publish`; a refusal tells nothing but to look again. EMPTY=>FULL.
            if self.0.compare_exchange(seen.0, FULL, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
                return Ok(seen);
            }
        }
    }

    /// The receiver will take the offer that it has seen. Gives what is here now.
    #[cold]
    pub(super) fn hold(&self, seen: SlotState) -> SlotState {
        let held = SlotState(seen.0 | HELD);
        // ORDERING: Acquire pairs with `publish`: this may be a later offer than the one that was seen, and
        // its payload is read next. A refusal tells nothing but to look again. OFFERED=>HELD.
        match self.0.compare_exchange(seen.0, held.0, Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => held,
            Err(_) => self.look(),
        }
    }

    /// The message was read: there is room. Gives what was found.
    #[inline(always)]
    #[must_use]
    pub(super) fn take(&self) -> SlotState {
        // ORDERING: Release pairs with `look`: the receiver has done reading where the sender writes next.
        // Acquire pairs with `register`: the waiter is seen by the receiver that wakes it. FULL=>EMPTY,
        // HELD=>EMPTY.
        let found = SlotState(self.0.swap(SlotState::EMPTY.0, Ordering::AcqRel));
        if found != SlotState::FULL && found.is_closed() {
            // ORDERING: Relaxed: the other side has left, and this one alone will look here again.
            // EMPTY=>CLOSED.
            self.0.store(CLOSED, Ordering::Relaxed);
        }
        found
    }

    /// The sender no longer waits for its offer to be taken; it is not registered here. Gives what was found:
    /// a loose offer is the sender's again, and so is any offer on which the receiver has closed; one that
    /// was held is sent.
    #[must_use]
    pub(super) fn withdraw(&self) -> SlotState {
        loop {
            let seen = self.look();
            if !seen.is_offer() || seen.is_closed() {
                return seen;
            }
            let left = if seen.is_loose() { SlotState::EMPTY } else { SlotState::FULL };
            // ORDERING: Relaxed: the sender gets back what it wrote itself, or leaves to the receiver what
            // that has acquired.
            // OFFERED=>EMPTY, HELD=>FULL.
            if self.0.compare_exchange(seen.0, left.0, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
                return seen;
            }
        }
    }

    /// This party waits in this seat, unless it has `come` what the party waits for. False: it has, or the
    /// other side has left.
    #[must_use]
    pub(super) fn register(&self, party: Party, seat: SeatNumber, come: impl Fn(SlotState) -> bool) -> bool {
        loop {
            let seen = self.look();
            if seen.is_closed() || come(seen) {
                return false;
            }
            let with = seen.0 | waiting(party, seat);
            // ORDERING: Release pairs with `publish`, `hand_over`, `take` and `close`: the waiter in the seat
            // is seen by whoever wakes it. A refusal tells nothing but to look again.
            if self.0.compare_exchange(seen.0, with, Ordering::Release, Ordering::Relaxed).is_ok() {
                return true;
            }
        }
    }

    /// This party, which was registered, rises from its seat. False: the other side has the waiter.
    #[must_use]
    pub(super) fn unregister(&self, party: Party, seat: SeatNumber) -> bool {
        // ORDERING: Relaxed: the side gets back what it wrote itself, and a refusal tells nothing but to look
        // again.
        let found = SlotState(self.0.fetch_and(!waiting(party, seat), Ordering::Relaxed));
        found.is_waiting(party, seat) && !found.is_closed()
    }

    /// A side leaves here, unless it has something to do first. Gives what was found; None: it has.
    #[must_use]
    pub(super) fn close(&self, unless: impl Fn(SlotState) -> bool) -> Option<SlotState> {
        loop {
            let seen = self.look();
            if unless(seen) {
                return None;
            }
            // ORDERING: Acquire pairs with `register`: the waiter is seen by whoever wakes it. Release pairs
            // with `look` and `publish`: what a side did before it left is seen by whoever learns of it. A
            // refusal tells nothing but to look again.
            let closed = seen.0 | CLOSED;
            if self.0.compare_exchange(seen.0, closed, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
                return Some(seen);
            }
        }
    }

    /// The slot's memory is about to be freed.
    pub(super) fn retire(&mut self) {
        retire(&mut self.0);
    }
}
