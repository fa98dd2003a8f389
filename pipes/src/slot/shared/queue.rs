//! What all ends of a shared stream have in common.

#[cfg(all(test, not(pipes_loom)))]
mod tests;

use super::block::Block;
use super::call::Call;
use super::shelf::Shelf;
use super::tail::{At, Tail};
use super::visits::Visits;
use crate::sync::{AtomicUsize, Ordering, may_add};
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;

/// Lives as long as one of the ends.
pub(super) struct Queue<T> {
    /// Touched by every send.
    pub(super) tail: Apart<Tail<T>>,
    shelf: Shelf<T>,
    visits: Visits<T>,
    /// Whom to wake.
    pub(super) call: Call,
    /// How many there are.
    senders: AtomicUsize,
    /// Invariant: a queue of longer-lived messages is none of shorter-lived ones, nor the reverse.
    payload: PhantomData<fn(T) -> T>,
}

/// Has its lines of memory to itself, two of them, because processors fetch lines in pairs.
#[repr(align(128))]
pub(super) struct Apart<P>(P);

impl<P> Deref for Apart<P> {
    type Target = P;

    #[inline(always)]
    fn deref(&self) -> &P {
        &self.0
    }
}

// SAFETY: all that travels between the ends is `T`s. Blocks are shared as the tables of the slots and of the
// tail say.
unsafe impl<T: Send> Send for Queue<T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for Queue<T> {}

impl<T> Queue<T> {
    /// An empty queue with one sender; its first block, and the first slot in that.
    pub(super) fn new() -> (Self, NonNull<Block<T>>, usize) {
        let (block, begin) = Block::first();
        let queue = Queue {
            tail: Apart(Tail::new(block, begin)),
            shelf: Shelf::new(),
            visits: Visits::new(),
            call: Call::new(),
            senders: AtomicUsize::new(1),
            payload: PhantomData,
        };
        (queue, block, begin)
    }

    /// There is one more sender.
    pub(super) fn join(&self) {
        // ORDERING: Relaxed: the sender that was there already stays until this is done.
        self.senders.fetch_add(1, Ordering::Relaxed);
    }

    /// A sender leaves. True: it is the last one.
    #[must_use]
    pub(super) fn leave(&self) -> bool {
        // ORDERING: Release and Acquire pair with each other: the last one leaves in the name of all.
        self.senders.fetch_sub(1, Ordering::AcqRel) == 1
    }

    /// Claims a slot, where this was seen; the one that it gives, if that is one.
    #[inline(always)]
    pub(super) fn claim(&self, seen: At<T>) -> At<T> {
        if !seen.has_room() {
            seen
        } else if may_add() {
            self.tail.claim()
        } else {
            self.claim_in_a_visit()
        }
    }

    #[cold]
    #[inline(never)]
    fn claim_in_a_visit(&self) -> At<T> {
        let visit = self.visits.begin();
        self.tail.claim_as_seen(&visit, self.tail.visit(&visit))
    }

    /// Puts a block behind the last one, if that is used up, and claims its first slot. Gives the last one,
    /// whose link is the caller's now. `Err`: a slot is left, or the receiver has left; the block is the
    /// caller's again.
    pub(super) fn install(&self, fresh: NonNull<Block<T>>) -> Result<NonNull<Block<T>>, NonNull<Block<T>>> {
        let visit = self.visits.begin();
        let mut seen = self.tail.visit(&visit);
        while !seen.has_room() && !seen.is_closed() {
            // SAFETY: the fresh block is the caller's until it is installed.
            unsafe { fresh.as_ref() }.stand_behind(seen.block().as_ptr());
            match self.tail.install(&visit, seen, fresh) {
                Ok(()) => return Ok(seen.block()),
                // Others have counted further, or one of them was faster.
                Err(now) => seen = now,
            }
        }
        Err(fresh)
    }

    /// A block for a sender to send with: in the first slot, all others are empty.
    pub(super) fn obtain(&self) -> NonNull<Block<T>> {
        self.shelf.take().unwrap_or_else(Block::fresh)
    }

    /// A block has done its service.
    ///
    /// # Safety
    ///
    /// The block is the caller's: see [`Block::leave`] and [`Block::pay`].
    pub(super) unsafe fn recycle(&self, block: NonNull<Block<T>>) {
        // SAFETY: the caller's promise.
        if unsafe { Block::renew(block) } {
            // SAFETY: it is the caller's, and empty.
            unsafe { self.put_aside(block) };
        } else {
            // SAFETY: as above, and the tail has left a block that has done its service.
            unsafe { self.visits.free(block) };
        }
    }

    /// Puts a block where it waits for a sender, if there is room.
    ///
    /// # Safety
    ///
    /// As for [`Shelf::put`]; and the tail has left it, or has never come to it.
    pub(super) unsafe fn put_aside(&self, block: NonNull<Block<T>>) {
        // SAFETY: the caller's promise.
        if let Err(surplus) = unsafe { self.shelf.put(block) } {
            // SAFETY: as above.
            unsafe { self.visits.free(surplus) };
        }
    }

    /// A sender that was passed is done with the block.
    ///
    /// # Safety
    ///
    /// The caller was passed in this block, pays once for it, and does not touch the block any more.
    #[cold]
    pub(super) unsafe fn pay(&self, block: NonNull<Block<T>>) {
        // SAFETY: the block waits for those who were passed there.
        if unsafe { Block::pay(block) } {
            // SAFETY: this was the last one.
            unsafe { self.recycle(block) };
        }
    }
}

impl<T> Drop for Queue<T> {
    fn drop(&mut self) {
        // SAFETY: all ends have gone. The receiver has left all blocks but the last, and nobody is left who
        // has not paid.
        unsafe { Block::free(self.tail.0.take()) };
        while let Some(block) = self.shelf.take() {
            // SAFETY: a block on the shelf is empty, and known to nobody.
            unsafe { Block::free(block) };
        }
        self.shelf.retire();
        self.visits.retire();
        self.call.retire();
    }
}
