//! The states of a buffer's slots, and every atomic step between them.
//!
//! The buffer's word has two positions: `next` is that of the first message that no receiver has claimed, and
//! `end` is the one behind the last message in the buffer. The message with position *p* lies in slot *p*
//! modulo the number of slots. Beside its payload, each slot has a mark that says whether it is vacant.
//!
//! | state of a slot | mark | position of its message | who owns the payload |
//! |---|---|---|---|
//! | `VACANT` | set | – | the refiller, which has the lock of the source |
//! | `FILLED` | – | – | the refiller |
//! | `READY` | – | from `next` to `end` | the receiver that will claim it |
//! | `CLAIMED` | – | before `next` | the receiver that has claimed it |
//!
//! | step | by | from | to |
//! |---|---|---|---|
//! | **occupy**: takes the mark away | the refiller | `VACANT` | `FILLED`; refused in other states |
//! | **publish**: changes both positions | the refiller, when the buffer is empty | `FILLED`, all such slots at once | `READY` |
//! | **claim**: `next` goes on by one | any receiver | `READY`, the first | `CLAIMED`; refused if `next` was not before `end` |
//! | **vacate**: sets the mark | the receiver that has claimed it | `CLAIMED` | `VACANT` |
//!
//! A claim is one addition, which is never tried again. It may come too late. Then `next` is past `end`,
//! which means the same as if it were at `end`. A receiver claims only after it has seen that the buffer is
//! not empty, so each thread is too late at most once before messages are published again, and `next` does
//! not leave its half of the word. An addition that comes between the refiller's look and its swap has found
//! the buffer empty, so nothing is lost with it.

use crate::sync::{AtomicBool, AtomicUsize, Ordering};
use std::ops::Range;

/// The bits of a position.
const BITS: u32 = usize::BITS / 2;

/// A buffer's word, which has both positions, `next` in its lower half. It has two cache lines of its own,
/// because processors fetch cache lines in pairs.
#[repr(align(128))]
pub(super) struct BufferWord(AtomicUsize);

/// Returns the position of the first message that was not claimed.
fn next(word: usize) -> usize {
    word & ((1 << BITS) - 1)
}

/// Returns the position behind the last message.
fn end(word: usize) -> usize {
    word >> BITS
}

impl BufferWord {
    pub(super) fn new() -> Self {
        BufferWord(AtomicUsize::new(0))
    }

    /// Claims the first message. Returns its position, or `None` if there is no message.
    #[inline(always)]
    pub(super) fn claim(&self) -> Option<usize> {
        if self.is_empty() {
            return None;
        }
        // ORDERING: Acquire pairs with `publish` (claims in between continue its release sequence): the
        // receiver sees the payload. READY=>CLAIMED, unless it is too late.
        let word = self.0.fetch_add(1, Ordering::Acquire);
        (next(word) < end(word)).then_some(next(word))
    }

    /// Returns `true` if there is no message to claim.
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        // ORDERING: Relaxed: no payload is read. A thread with the lock has it from the refiller that was the
        // last to publish messages, so it finds those.
        let word = self.0.load(Ordering::Relaxed);
        next(word) >= end(word)
    }

    /// Returns the position behind the last message. Only for the refiller.
    pub(super) fn end(&self) -> usize {
        // ORDERING: Relaxed: only refillers change it, and this one has the lock from the one before.
        end(self.0.load(Ordering::Relaxed))
    }

    /// Publishes the messages with these positions. Only for the refiller, when the buffer is empty.
    pub(super) fn publish(&self, positions: Range<usize>) {
        // ORDERING: Release pairs with `claim`: the receivers see the payloads. A swap, because loom lets an
        // addition that comes before a plain store come after it as well. FILLED=>READY.
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

    /// Returns `true` if the slot is vacant. Only for the refiller.
    pub(super) fn is_vacant(&self) -> bool {
        // ORDERING: Acquire pairs with `vacate`.
        self.0.load(Ordering::Acquire)
    }

    /// Takes the mark away, after the refiller has moved a payload into a vacant slot.
    pub(super) fn occupy(&self) {
        // ORDERING: Relaxed: the receiver that stores next has claimed the slot, so it sees this; and so does
        // the next refiller, which has the lock from this one. VACANT=>FILLED.
        self.0.store(false, Ordering::Relaxed);
    }
}
