//! The tail: the word that says which slot is claimed next.
//!
//! The word contains the address of the last block and, in the low bits, how many of that block's slots are
//! claimed and whether the receiver has left. One addition claims a slot and says which one it is. No list is
//! walked, and a sender reads nothing in a block before it has claimed a slot there.
//!
//! | step | a slot is left | the block is used up | the receiver has left |
//! |---|---|---|---|
//! | **claim** (sender, count + 1, by addition) | the slot is the sender's | refused, and counted: install | refused, and counted |
//! | **claim** (sender, count + 1, for what it saw) | the slot is the sender's, or try again | refused: install | refused |
//! | **install** (sender, a fresh block with count 1, for what it saw) | impossible | the fresh block's first slot and the old one's link are the sender's; refused if the word has changed | refused |
//! | **close** (receiver, a mark) | left | left | nothing changes |
//!
//! A sender that does not know yet that a block is used up still raises the count with its addition. But a
//! sender looks before it claims, and sees its own additions, so each thread does this at most once before
//! the next block is installed. Only [`MOST_ADDERS`] threads of a process use additions, and the count has
//! room for them. All other threads claim by a compare-and-exchange, which counts nothing when no slot is
//! left.
//!
//! A block that is used again, from the block cache, may lead to the same word again. Then an `install` that
//! was meant for the earlier use succeeds. This is correct, because the block is then the last one and is
//! used up. No other block can get the same address: compare-and-exchange steps belong to a pin, and no block
//! that may have been seen is freed during a pin (see `pins`).

use super::block::{ALIGN, Block};
use super::pins::Pin;
use crate::slot::shared::adders::MOST_ADDERS;
use crate::sync::{AtomicTagged, Ordering};
use std::ptr::NonNull;

/// Set if the receiver has left.
const CLOSED: usize = ALIGN / 2;

/// What the word of the tail says.
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

    /// Returns `true` if a slot is left and the receiver has not left.
    #[inline(always)]
    pub(super) fn has_room(self) -> bool {
        self.tag() < Block::<T>::SLOTS
    }

    /// Returns `true` if the receiver has left.
    #[inline(always)]
    pub(super) fn is_closed(self) -> bool {
        self.tag() & CLOSED != 0
    }

    /// Returns the last block.
    #[inline(always)]
    pub(super) fn block(self) -> NonNull<Block<T>> {
        let block = self.0.map_addr(|it| it & !(ALIGN - 1));
        // SAFETY: the word of the tail always contains the address of a block, which is not null.
        unsafe { NonNull::new_unchecked(block) }
    }

    /// Returns the number of claims in the last block, including those that found no slot. If there is room,
    /// this is the index of the next slot.
    #[inline(always)]
    pub(super) fn count(self) -> usize {
        self.tag() % CLOSED
    }

    /// Returns the number of slots of the last block that are claimed.
    pub(super) fn claimed(self) -> usize {
        self.count().min(Block::<T>::SLOTS)
    }
}

/// The word of the tail.
pub(super) struct Tail<T>(AtomicTagged<Block<T>>);

impl<T> Tail<T> {
    /// Creates the tail of a queue with this block, in which the slots below `begin` do not exist.
    pub(super) fn new(block: NonNull<Block<T>>, begin: usize) -> Self {
        Tail(AtomicTagged::new(block.as_ptr().wrapping_byte_add(begin)))
    }

    /// Loads the word for a sender that has yet to claim.
    #[inline(always)]
    pub(super) fn look(&self) -> At<T> {
        // ORDERING: Relaxed: nothing in the block is touched before a `claim` or an `install` has acquired.
        At(self.0.load(Ordering::Relaxed))
    }

    /// Loads the word for a step in this pin.
    pub(super) fn look_pinned(&self, _pin: &Pin<'_>) -> At<T> {
        let at = self.follow();
        // SAFETY: the block was the last one during this pin, which keeps it from being freed.
        unsafe { at.block().as_ref() }.is_seen();
        at
    }

    /// Loads the word for the receiver, which may follow the blocks backwards from there.
    pub(super) fn follow(&self) -> At<T> {
        // ORDERING: Acquire pairs with `install`: the receiver sees which block is behind which.
        At(self.0.load(Ordering::Acquire))
    }

    /// Claims a slot. Returns that slot, or where the tail is if no slot was left. The calling thread must be
    /// one that may add, and must have seen that there is room.
    #[inline(always)]
    pub(super) fn claim(&self) -> At<T> {
        const { assert!(Block::<T>::SLOTS + MOST_ADDERS < CLOSED, "the count does not run over into the mark") };
        // ORDERING: Acquire pairs with `install`: the sender sees what the installer did with the block.
        let at = At(self.0.add(1, Ordering::Acquire));
        debug_assert!(at.count() <= Block::<T>::SLOTS + MOST_ADDERS);
        at
    }

    /// Claims a slot for a thread that must not raise the count beyond the number of slots. `seen` is what
    /// the thread saw in this pin. It tries again only if other senders have succeeded.
    pub(super) fn claim_as_seen(&self, _pin: &Pin<'_>, mut seen: At<T>) -> At<T> {
        while seen.has_room() {
            let claimed = seen.0.wrapping_byte_add(1);
            // ORDERING: Acquire pairs with `install`: the sender sees what the installer did with the block.
            // A refusal only says where the tail is, as `look` does.
            match self.0.compare_exchange(seen.0, claimed, Ordering::Acquire, Ordering::Relaxed) {
                Ok(found) => return At(found),
                Err(now) => seen = At(now),
            }
        }
        seen
    }

    /// Installs a block behind the one that was seen to be used up in this pin, and claims its first slot.
    /// If the tail has changed, returns what it says now in `Err`.
    pub(super) fn install(&self, _pin: &Pin<'_>, seen: At<T>, fresh: NonNull<Block<T>>) -> Result<(), At<T>> {
        let claimed = fresh.as_ptr().wrapping_byte_add(1);
        // ORDERING: Release pairs with `claim` and `follow`: they see the fresh block. Acquire pairs with the
        // `install` of the old block, whose link is this sender's now.
        self.0.compare_exchange(seen.0, claimed, Ordering::AcqRel, Ordering::Relaxed).map(drop).map_err(At)
    }

    /// Marks that the receiver has left. Returns where the tail is. From now on, no slot is claimed.
    pub(super) fn close(&self) -> At<T> {
        // ORDERING: Relaxed: senders that see the mark only give up, and the receiver touches no block before
        // a slot or `follow` has led it there.
        At(self.0.set(CLOSED, Ordering::Relaxed))
    }

    /// Returns the last block, when no other thread has the tail.
    pub(super) fn take(&mut self) -> NonNull<Block<T>> {
        At(self.0.get()).block()
    }
}
