//! The tail: which slot is claimed next.
//!
//! One word: the address of the last block and, in its low bits, how many of that block's slots are claimed,
//! and whether the receiver has left. One addition claims a slot and says which one it is; nothing is walked,
//! and nothing in a block is read before it is one's own.
//!
//! | step | a slot is left | the block is used up | the receiver has left |
//! |---|---|---|---|
//! | **claim** (sender, count + 1, by addition) | the slot is the sender's | refused, and counted: install | refused, and counted |
//! | **claim** (sender, count + 1, for what it saw) | the slot is the sender's, or try again | refused: install | refused |
//! | **install** (sender, a fresh block with count 1, for what it saw) | impossible | the fresh block's first slot and the old one's link are the sender's; refused if the word has changed | refused |
//! | **close** (receiver, a mark) | left | left | impossible |
//!
//! A block that is used up is counted further by an addition of a sender that did not know. A sender looks
//! before it claims, and has seen its own additions, so each thread does that once at most before the next
//! block is there. Additions are for [`MOST_ADDERS`] threads of a process, for which the count has room; all
//! others claim by a compare-and-exchange, which counts nothing where no slot is left.
//!
//! A block that comes round again, from the shelf, may show the same word again, and an `install` that was
//! meant for an earlier round succeeds: rightly, for then this block is the last one, and used up. No other
//! block comes to lie there: steps for what was seen belong to a visit, and in that no block that may have
//! been seen is freed (see `visits`).

use super::block::{ALIGN, Block};
use super::visits::Visit;
use crate::sync::{AtomicTagged, MOST_ADDERS, Ordering};
use std::ptr::NonNull;

/// The receiver has left.
const CLOSED: usize = ALIGN / 2;

/// What the tail's word says.
pub(super) struct At<T>(*mut Block<T>);

impl<T> Clone for At<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for At<T> {}

impl<T> PartialEq for At<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<T> At<T> {
    #[inline(always)]
    fn tag(self) -> usize {
        self.0.addr() % ALIGN
    }

    /// Is a slot left, and the receiver there?
    #[inline(always)]
    pub(super) fn has_room(self) -> bool {
        self.tag() < Block::<T>::SLOTS
    }

    /// Has the receiver left?
    #[inline(always)]
    pub(super) fn is_closed(self) -> bool {
        self.tag() & CLOSED != 0
    }

    /// The last block.
    #[inline(always)]
    pub(super) fn block(self) -> NonNull<Block<T>> {
        let block = self.0.map_addr(|it| it & !(ALIGN - 1));
        // SAFETY: the tail always points to a block.
        unsafe { NonNull::new_unchecked(block) }
    }

    /// How often one of its slots was claimed, or would have been: the next one's index, if there is room.
    #[inline(always)]
    pub(super) fn count(self) -> usize {
        self.tag() % CLOSED
    }

    /// How many of its slots are claimed.
    pub(super) fn claimed(self) -> usize {
        self.count().min(Block::<T>::SLOTS)
    }
}

/// The word of the tail.
pub(super) struct Tail<T>(AtomicTagged<Block<T>>);

impl<T> Tail<T> {
    /// Of a queue with this block, of which the slots below `begin` do not exist.
    pub(super) fn new(block: NonNull<Block<T>>, begin: usize) -> Self {
        Tail(AtomicTagged::new(block.as_ptr().wrapping_byte_add(begin)))
    }

    /// Where is the tail? For a sender, before it claims.
    #[inline(always)]
    pub(super) fn look(&self) -> At<T> {
        // ORDERING: Relaxed: nothing in the block is touched before a `claim` or an `install` has acquired.
        At(self.0.load(Ordering::Relaxed))
    }

    /// Where is the tail? For a step in this visit.
    pub(super) fn visit(&self, _visit: &Visit<'_>) -> At<T> {
        let at = self.follow();
        // SAFETY: it was the last one in the visit, which keeps it from being freed.
        unsafe { at.block().as_ref() }.is_seen();
        at
    }

    /// Where is the tail? For the receiver, who may go back from there.
    pub(super) fn follow(&self) -> At<T> {
        // ORDERING: Acquire pairs with `install`: which block stands behind which one is seen.
        At(self.0.load(Ordering::Acquire))
    }

    /// Claims a slot; the one that it gives, if that is one. For a thread that may add, and has seen that
    /// there is room.
    #[inline(always)]
    pub(super) fn claim(&self) -> At<T> {
        const { assert!(Block::<T>::SLOTS + MOST_ADDERS < CLOSED, "the count does not run over into the mark") };
        // ORDERING: Acquire pairs with `install`: the block is seen as its installer has left it.
        let at = At(self.0.add(1, Ordering::Acquire));
        debug_assert!(at.count() <= Block::<T>::SLOTS + MOST_ADDERS);
        at
    }

    /// The same for a thread that must not count further than there are slots, and what it has seen in this
    /// visit. Tried again only if others have got through.
    pub(super) fn claim_as_seen(&self, _visit: &Visit<'_>, mut seen: At<T>) -> At<T> {
        while seen.has_room() {
            let claimed = seen.0.wrapping_byte_add(1);
            // ORDERING: Acquire pairs with `install`, as above. A refusal tells nothing but where the tail
            // is.
            match self.0.compare_exchange(seen.0, claimed, Ordering::Acquire, Ordering::Relaxed) {
                Ok(found) => return At(found),
                Err(now) => seen = At(now),
            }
        }
        seen
    }

    /// Puts a block behind the one that was seen, in this visit, to be used up, and claims its first slot.
    /// `Err`: the tail has changed.
    pub(super) fn install(
        &self,
        _visit: &Visit<'_>,
        seen: At<T>,
        fresh: NonNull<Block<T>>,
    ) -> Result<(), At<T>> {
        let claimed = fresh.as_ptr().wrapping_byte_add(1);
        // ORDERING: Release pairs with `claim` and `follow`: the fresh block is seen. Acquire pairs with the
        // `install` of the old one, whose link is this sender's now.
        self.0.compare_exchange(seen.0, claimed, Ordering::AcqRel, Ordering::Relaxed).map(drop).map_err(At)
    }

    /// The receiver leaves. Gives where the tail is; it does not move any more.
    pub(super) fn close(&self) -> At<T> {
        // ORDERING: Relaxed: it tells the senders nothing but to give up; and the receiver touches no block
        // before a slot or `follow` has led it there.
        At(self.0.set(CLOSED, Ordering::Relaxed))
    }

    /// The last block, when nobody else has the tail.
    pub(super) fn take(&mut self) -> NonNull<Block<T>> {
        At(self.0.get()).block()
    }
}
