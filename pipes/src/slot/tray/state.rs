//! The states of a tray's slots, and every atomic step between them.
//!
//! The tray's word has two positions: `next` is that of the first message that no receiver has claimed, and
//! `end` is the one behind the last message in the tray. The message with position *p* lies in slot *p*
//! modulo the number of slots. Beside its payload, each slot has a mark that says whether it is vacant.
//!
//! | state of a slot | mark | position of its message | whose is the payload |
//! |---|---|---|---|
//! | `VACANT` | set | – | the filler's, which has the lock of the source |
//! | `FILLED` | – | – | the filler's |
//! | `LAID OUT` | – | from `next` to `end` | the receiver's that will claim it |
//! | `CLAIMED` | – | before `next` | the receiver's that has claimed it |
//!
//! | step | by | from | to |
//! |---|---|---|---|
//! | **occupy**: takes the mark away | the filler | `VACANT` | `FILLED`; refused in other states |
//! | **lay out**: changes both positions | the filler, when the tray is empty | `FILLED`, all such slots at once | `LAID OUT` |
//! | **claim**: `next` goes on by one | any receiver | `LAID OUT`, the first | `CLAIMED`; refused if `next` was not before `end` |
//! | **vacate**: sets the mark | the receiver that has claimed it | `CLAIMED` | `VACANT` |
//!
//! A claim is one addition, which is never tried again. It may come too late. Then `next` is past `end`,
//! which means the same as if it were at `end`. A receiver claims only after it has seen that the tray is not
//! empty, so each thread is too late at most once before messages are laid out again, and `next` does not
//! leave its half of the word. An addition that comes between the filler's look and its swap has found the
//! tray empty, so nothing is lost with it.

use crate::sync::{AtomicBool, AtomicUsize, Ordering};
use std::ops::Range;

/// The bits of a position.
const BITS: u32 = usize::BITS / 2;

/// A tray's word, which has both positions, `next` in its lower half. It has two cache lines of its own,
/// because processors fetch cache lines in pairs.
#[repr(align(128))]
pub(super) struct TrayWord(AtomicUsize);

/// Returns the position of the first message that was not claimed.
fn next(word: usize) -> usize {
    word & ((1 << BITS) - 1)
}

/// Returns the position behind the last message.
fn end(word: usize) -> usize {
    word >> BITS
}

impl TrayWord {
    pub(super) fn new() -> Self {
        TrayWord(AtomicUsize::new(0))
    }

    /// Claims the first message. Returns its position, or `None` if there is no message.
    #[inline(always)]
    pub(super) fn claim(&self) -> Option<usize> {
        if self.is_empty() {
            return None;
        }
        // ORDERING: Acquire pairs with `lay_out` (claims in between continue its release sequence): the
        // receiver sees the payload. LAID OUT=>CLAIMED, unless it is too late.
        let word = self.0.fetch_add(1, Ordering::Acquire);
        (next(word) < end(word)).then_some(next(word))
    }

    /// Returns `true` if there is no message to claim.
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        // ORDERING: Relaxed: no payload is read. A thread with the lock has it from the filler that was the
        // last to lay out messages, so it finds those.
        let word = self.0.load(Ordering::Relaxed);
        next(word) >= end(word)
    }

    /// Returns the position behind the last message. Only for the filler.
    pub(super) fn end(&self) -> usize {
        // ORDERING: Relaxed: only fillers change it, and this one has the lock from the one before.
        end(self.0.load(Ordering::Relaxed))
    }

    /// Lays out the messages with these positions. Only for the filler, when the tray is empty.
    pub(super) fn lay_out(&self, positions: Range<usize>) {
        // ORDERING: Release pairs with `claim`: the receivers see the payloads. A swap, because loom lets an
        // addition that comes before a plain store come after it as well. FILLED=>LAID OUT.
        self.0.swap(positions.end << BITS | positions.start, Ordering::Release);
    }
}

/// The mark of a slot.
pub(super) struct Mark(AtomicBool);

impl Mark {
    /// Creates the mark of a slot that is `VACANT`.
    pub(super) fn new() -> Self {
        Mark(AtomicBool::new(true))
    }

    /// Makes the slot vacant, after the receiver has moved the payload out.
    #[inline(always)]
    pub(super) fn vacate(&self) {
        // ORDERING: Release pairs with `is_vacant`: the payload is moved out before the next one is moved in.
        // CLAIMED=>VACANT.
        self.0.store(true, Ordering::Release);
    }

    /// Returns `true` if the slot is vacant. Only for the filler.
    pub(super) fn is_vacant(&self) -> bool {
        // ORDERING: Acquire pairs with `vacate`.
        self.0.load(Ordering::Acquire)
    }

    /// Takes the mark away, after the filler has moved a payload into a vacant slot.
    pub(super) fn occupy(&self) {
        // ORDERING: Relaxed: the receiver that stores next has claimed the slot, so it sees this; and so does
        // the next filler, which has the lock from this one. VACANT=>FILLED.
        self.0.store(false, Ordering::Relaxed);
    }
}
