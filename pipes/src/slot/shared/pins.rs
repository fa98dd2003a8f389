//! When a block may be freed: not while a sender may compare its address.
//!
//! Two steps at the tail are compare-and-exchanges: installing a block, and claiming a slot without raising
//! the count too far. A sender can be suspended for any length of time between its look and this step. If the
//! block that it saw were freed in between, and another block got the same address, the exchange would
//! succeed, and the sender would go on with a pointer to freed memory. So the sender *pins*: it takes a pin
//! before it looks at the tail, and drops it after it has compared. A block that is to be freed is *retired*
//! first, and is freed when no sender is pinned. A block that is used again, from the block cache, keeps its
//! memory; see the tail.
//!
//! | step | thread | what |
//! |---|---|---|
//! | **pin**, unpin | a sender | counts one pin more, or one less |
//! | **retire** | the owner of the block | pushes it onto a stack |
//! | **take** | any thread | takes all retired blocks, to free them if there is no pin now, or to retire them again |
//!
//! A block is replaced at the tail by a pinned sender. A sender that pins after that one has unpinned no
//! longer finds the block there. As long as a sender that has pinned earlier has not unpinned, the block
//! waits.

#[cfg(all(test, not(pipes_loom)))]
mod tests;

use super::block::Block;
use crate::sync::{AtomicPtr, AtomicUsize, Ordering, before_free};
use std::ptr::{NonNull, null_mut};

/// The number of pinned senders, and the blocks that wait for them.
pub(super) struct Pins<T> {
    count: AtomicUsize,
    /// The block that was retired last; each block leads to the one that was retired before it.
    retired: AtomicPtr<Block<T>>,
}

/// A sender's permission to compare what it has seen at the tail since it was pinned.
pub(super) struct Pin<'a>(&'a AtomicUsize);

impl<T> Pins<T> {
    pub(super) fn new() -> Self {
        Pins { count: AtomicUsize::new(0), retired: AtomicPtr::new(null_mut()) }
    }

    /// Pins a sender, before it looks at the tail.
    pub(super) fn pin(&self) -> Pin<'_> {
        // ORDERING: Acquire pairs with the end of earlier pins: a pinned sender that `is_idle` did not count
        // finds at the tail what earlier pinned senders have put there.
        self.count.fetch_add(1, Ordering::Acquire);
        Pin(&self.count)
    }

    /// Frees a block as soon as no sender may compare its address: now, together with a later block, or
    /// together with the queue.
    ///
    /// # Safety
    ///
    /// The caller must own the block, there must be no message in it, and the tail must have left it or never
    /// have come to it.
    pub(super) unsafe fn free(&self, block: NonNull<Block<T>>) {
        // SAFETY: the block is the caller's.
        unsafe { self.retire(block) };
        if !self.is_idle() {
            return;
        }
        let taken = self.take();
        // This asks again, because more blocks may have been retired in the meantime.
        let is_idle = self.is_idle();
        for block in taken {
            if is_idle {
                // SAFETY: the block was retired by a caller of this function, so it contains no message and
                // the tail has left it; this thread has taken it, and no sender compares its address any
                // more.
                unsafe { Block::free(block) };
            } else {
                // SAFETY: this thread has just taken the block from the stack, so only it knows the block.
                unsafe { self.retire(block) };
            }
        }
    }

    /// Returns `true` if there is no pinned sender that may have seen a block that was replaced at the tail
    /// before this call.
    fn is_idle(&self) -> bool {
        // ORDERING: Acquire pairs with `Pin::drop`: the pinned sender has compared. The value may be stale,
        // but not older than the pin during which the block was replaced, which happened before; and if the
        // count is zero, that pin was dropped. So a sender that is not counted here pins after that.
        self.count.load(Ordering::Acquire) == 0
    }

    /// Pushes a block onto the stack.
    ///
    /// # Safety
    ///
    /// The caller must own the block: no other thread reads or writes it.
    unsafe fn retire(&self, block: NonNull<Block<T>>) {
        // ORDERING: Relaxed: this thread only stores the address as a link, and does not read the block
        // there.
        let mut top = self.retired.load(Ordering::Relaxed);
        loop {
            // SAFETY: the block is the caller's (caller), so it lives.
            let here = unsafe { block.as_ref() };
            // SAFETY: the block is the caller's until it is on the stack.
            unsafe { here.stand_behind(top) };
            // ORDERING: Release pairs with `take`: the thread that takes the stack sees the block, and those
            // below, because this step continues their release sequence. After a refusal this tries again.
            match self.retired.compare_exchange(top, block.as_ptr(), Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return,
                Err(now) => top = now,
            }
        }
    }

    /// Takes all retired blocks. The caller then owns them.
    fn take(&self) -> impl Iterator<Item = NonNull<Block<T>>> + use<T> {
        // ORDERING: Acquire pairs with `retire`: the caller sees the blocks.
        let mut next = self.retired.swap(null_mut(), Ordering::Acquire);
        std::iter::from_fn(move || {
            let block = NonNull::new(next)?;
            // SAFETY: the block was retired and has just been taken, so it lives and is the caller's.
            next = unsafe { block.as_ref() }.prev();
            Some(block)
        })
    }

    /// Frees the retired blocks, because the queue is about to be freed.
    pub(super) fn before_free(&mut self) {
        for block in self.take() {
            // SAFETY: the block was retired, so it contains no message and the tail has left it; all ends
            // have left, so no sender compares its address any more.
            unsafe { Block::free(block) };
        }
        before_free(&mut self.count);
        before_free(&mut self.retired);
    }
}

impl Drop for Pin<'_> {
    fn drop(&mut self) {
        // ORDERING: Release pairs with `is_idle`: the pinned sender has compared before the block is freed;
        // and with `pin`: later pinned senders see what this one has put at the tail.
        self.0.fetch_sub(1, Ordering::Release);
    }
}
