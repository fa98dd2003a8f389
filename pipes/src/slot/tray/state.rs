//! The states of a tray's slots, and every atomic step between them.
//!
//! The tray's word has two positions, which count messages: `next` is that of the first message that no
//! receiver has claimed, `end` is the one behind the last message in the tray. The message with position *p*
//! lies in slot *p* modulo the number of slots. Beside its payload each slot has a mark: is it vacant?
//!
//! | state of a slot | mark | position of its message | whose is the payload |
//! |---|---|---|---|
//! | `VACANT` | set | – | that of the filler, which has the lock of the source |
//! | `FILLED` | – | from `end` on | the filler's |
//! | `LAID OUT` | – | from `next` to `end` | the receiver's that will claim it |
//! | `CLAIMED` | – | before `next` | the receiver's that has claimed it |
//!
//! | step | by | from | to |
//! |---|---|---|---|
//! | **occupy**: takes the mark away | the filler | `VACANT` | `FILLED`; refused in other states |
//! | **lay out**: `end` goes on | the filler | `FILLED`, all such slots at once | `LAID OUT` |
//! | **claim**: `next` goes on by one | any receiver | `LAID OUT`, the first | `CLAIMED`; refused if `next` is `end` |
//! | **vacate**: sets the mark | the receiver that has claimed it | `CLAIMED` | `VACANT` |
//!
//! The positions wrap around. A receiver that was stopped between its look and its claim may find the same
//! word again, after as many messages as half a word can count. Its claim is then right all the same, because
//! the word says all that a claim relies on.

use crate::sync::{AtomicBool, AtomicUsize, Ordering};

/// The bits of a position.
const BITS: u32 = usize::BITS / 2;
const MASK: usize = (1 << BITS) - 1;

/// A tray's word: both positions, `next` in its lower half. It has cache lines of its own. (Processors fetch
/// them in pairs.)
#[repr(align(128))]
pub(super) struct TrayWord(AtomicUsize);

/// The position of the first message that was not claimed.
fn next(word: usize) -> usize {
    word & MASK
}

/// The position behind the last message.
fn end(word: usize) -> usize {
    word >> BITS
}

impl TrayWord {
    pub(super) fn new() -> Self {
        TrayWord(AtomicUsize::new(0))
    }

    /// Claims the first message. Returns its position; none if there is no message.
    #[inline(always)]
    pub(super) fn claim(&self) -> Option<usize> {
        // ORDERING: Relaxed: a guess, which the exchange below checks.
        let mut word = self.0.load(Ordering::Relaxed);
        while next(word) != end(word) {
            let after = (word & !MASK) | (next(word) + 1) & MASK;
            // ORDERING: Acquire pairs with `lay_out` (claims in between continue its release sequence): the
            // receiver sees the payload. After a refusal, the word is again a guess. LAID OUT=>CLAIMED.
            match self.0.compare_exchange_weak(word, after, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => return Some(next(word)),
                Err(now) => word = now,
            }
        }
        None
    }

    /// Is there no message to claim?
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        // ORDERING: Relaxed: no payload is read. The filler sees its own last step and that of the filler
        // before it, from which it has the lock; so it never finds an earlier `end`.
        let word = self.0.load(Ordering::Relaxed);
        next(word) == end(word)
    }

    /// The position behind the last message. Only for the filler.
    pub(super) fn end(&self) -> usize {
        // ORDERING: Relaxed: only fillers change it, and this one has the lock from the one before.
        end(self.0.load(Ordering::Relaxed))
    }

    /// Lays out the messages in the next `count` slots. Only for the filler.
    pub(super) fn lay_out(&self, count: usize) {
        // ORDERING: Release pairs with `claim`: the receivers see the payloads. FILLED=>LAID OUT.
        self.0.fetch_add(count << BITS, Ordering::Release);
    }
}

/// The mark of a slot.
pub(super) struct Mark(AtomicBool);

impl Mark {
    /// The mark of a slot that is `VACANT`.
    pub(super) fn new() -> Self {
        Mark(AtomicBool::new(true))
    }

    /// The receiver has moved the payload out.
    #[inline(always)]
    pub(super) fn vacate(&self) {
        // ORDERING: Release pairs with `is_vacant`: the payload is moved out before the next one is moved in.
        // CLAIMED=>VACANT.
        self.0.store(true, Ordering::Release);
    }

    /// Is the slot vacant? Only for the filler.
    pub(super) fn is_vacant(&self) -> bool {
        // ORDERING: Acquire pairs with `vacate`.
        self.0.load(Ordering::Acquire)
    }

    /// The filler has moved a payload into a vacant slot.
    pub(super) fn occupy(&self) {
        // ORDERING: Relaxed: the receiver that stores next has claimed the slot, so it sees this; and so does
        // the next filler, which has the lock from this one. VACANT=>FILLED.
        self.0.store(false, Ordering::Relaxed);
    }
}
