//! The block cache, in which empty blocks wait for a sender that needs one.
//!
//! Each place holds one block or none, and is filled or emptied in one step. Between two places only one
//! thread has the block, so it does no harm if the same block comes back: there is no ABA problem.

use super::block::Block;
use crate::sync::{AtomicPtr, Ordering, before_free};
use std::ptr::{NonNull, null_mut};

/// The number of blocks that may wait.
const PLACES: usize = if cfg!(pipes_loom) { 1 } else { 8 };

/// The places of the block cache.
pub(super) struct BlockCache<T>([AtomicPtr<Block<T>>; PLACES]);

impl<T> BlockCache<T> {
    pub(super) fn new() -> Self {
        BlockCache(std::array::from_fn(|_| AtomicPtr::new(null_mut())))
    }

    /// Puts a block into the block cache. Returns it in `Err` if all places are taken.
    ///
    /// # Safety
    ///
    /// The caller must own the block. The block must not be short, there must be no message in it, and all of
    /// its slots except the first must be empty.
    pub(super) unsafe fn put(&self, block: NonNull<Block<T>>) -> Result<(), NonNull<Block<T>>> {
        for place in &self.0 {
            // ORDERING: Release pairs with `take`: the next owner sees what this one did with the block. A
            // refusal needs no ordering.
            if place
                .compare_exchange(null_mut(), block.as_ptr(), Ordering::Release, Ordering::Relaxed)
                .is_ok()
            {
                return Ok(());
            }
        }
        Err(block)
    }

    /// Takes a block, if there is one.
    pub(super) fn take(&self) -> Option<NonNull<Block<T>>> {
        self.0.iter().find_map(|place| {
            // ORDERING: Relaxed: an empty place needs no swap.
            if place.load(Ordering::Relaxed).is_null() {
                return None;
            }
            // ORDERING: Acquire pairs with `put`: the caller sees what the last owner did with the block.
            NonNull::new(place.swap(null_mut(), Ordering::Acquire))
        })
    }

    /// Announces that the block cache is about to be freed.
    pub(super) fn before_free(&mut self) {
        self.0.iter_mut().for_each(before_free);
    }
}
