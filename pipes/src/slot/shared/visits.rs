//! When a block may be freed: not while a sender may compare its address.
//!
//! Two steps at the tail are by compare-and-exchange, for what a sender saw there before: to install a block,
//! and to claim a slot without counting further. A sender can be stopped in between for any time. If the
//! block that it saw were freed meanwhile, and another one came to lie at its address, the exchange would
//! succeed, and the sender would go on with a pointer to memory that was freed. So it *visits*: it says so
//! before it looks at the tail, and when it has compared. A block that is to be freed is buried, and freed
//! when no sender visits. (A block that is used again, from the shelf, keeps its memory: see the tail.)
//!
//! | step | by whom | what |
//! |---|---|---|
//! | **begin**, end | a sender | one visit more, or fewer |
//! | **bury** | the one that has the block | puts it on a stack |
//! | **take** | any thread | all that are buried, to be freed if there is no visit now, or buried again |
//!
//! A block is replaced at the tail in a visit. A visitor that begins after the end of that visit does not
//! find it there any more; and if one that has begun before is still there, the block waits.

#[cfg(all(test, not(pipes_loom)))]
mod tests;

use super::block::Block;
use crate::sync::{AtomicPtr, AtomicUsize, Ordering, retire};
use std::ptr::{NonNull, null_mut};

/// How many senders visit, and the blocks that wait for them.
pub(super) struct Visits<T> {
    count: AtomicUsize,
    /// The block that was buried last; each leads to the one before it.
    buried: AtomicPtr<Block<T>>,
}

/// A sender's permission to compare what it sees at the tail from now on.
pub(super) struct Visit<'a>(&'a AtomicUsize);

impl<T> Visits<T> {
    pub(super) fn new() -> Self {
        Visits { count: AtomicUsize::new(0), buried: AtomicPtr::new(null_mut()) }
    }

    /// A sender is about to look at the tail.
    pub(super) fn begin(&self) -> Visit<'_> {
        // ORDERING: Acquire pairs with the end of the visits before: a visitor that `is_idle` did not count
        // finds at the tail what the visitors before it have put there.
        self.count.fetch_add(1, Ordering::Acquire);
        Visit(&self.count)
    }

    /// Frees a block as soon as no sender may compare its address: now, with a later one, or with the queue.
    ///
    /// # Safety
    ///
    /// It is the caller's, there is no message in it, and the tail has left it.
    pub(super) unsafe fn free(&self, block: NonNull<Block<T>>) {
        self.bury(block);
        if !self.is_idle() {
            return;
        }
        let taken = self.take();
        // Again, for those that were buried since.
        let is_idle = self.is_idle();
        for block in taken {
            if is_idle {
                // SAFETY: it was buried by a thread that could free it, and no sender compares its address
                // any more.
                unsafe { Block::free(block) };
            } else {
                self.bury(block);
            }
        }
    }

    /// Is there no visitor that may have seen a block which was replaced at the tail before?
    fn is_idle(&self) -> bool {
        // ORDERING: Acquire pairs with the end of a visit: the visitor has compared. The value may be stale,
        // but not older than the visit in which the block was replaced, for that lies before; and where the
        // count is zero, that visit has ended. So a visit that is not counted here begins after that end.
        self.count.load(Ordering::Acquire) == 0
    }

    /// Puts a block on the stack. By the one that has it.
    fn bury(&self, block: NonNull<Block<T>>) {
        // ORDERING: Relaxed: it is only put behind, and read by the one that takes it.
        let mut top = self.buried.load(Ordering::Relaxed);
        loop {
            // SAFETY: the block is the caller's.
            unsafe { block.as_ref() }.stand_behind(top);
            // ORDERING: Release pairs with `take`: the block is seen as it was left, and those below, because
            // this step continues the release sequence of theirs. A refusal tells nothing but to try again.
            match self.buried.compare_exchange(top, block.as_ptr(), Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return,
                Err(now) => top = now,
            }
        }
    }

    /// Takes all that are buried, which are the caller's then.
    fn take(&self) -> impl Iterator<Item = NonNull<Block<T>>> + use<T> {
        // ORDERING: Acquire pairs with `bury`.
        let mut next = self.buried.swap(null_mut(), Ordering::Acquire);
        std::iter::from_fn(move || {
            let block = NonNull::new(next)?;
            // SAFETY: it was buried, and has just been taken.
            next = unsafe { block.as_ref() }.prev();
            Some(block)
        })
    }

    /// The queue is about to be freed, and what is buried with it.
    pub(super) fn retire(&mut self) {
        for block in self.take() {
            // SAFETY: all ends have gone, and with them all senders that compare its address.
            unsafe { Block::free(block) };
        }
        retire(&mut self.count);
        retire(&mut self.buried);
    }
}

impl Drop for Visit<'_> {
    fn drop(&mut self) {
        // ORDERING: Release pairs with `is_idle`: the visitor has compared before the block is freed; and
        // with `begin`: what it has put at the tail is seen.
        self.0.fetch_sub(1, Ordering::Release);
    }
}
