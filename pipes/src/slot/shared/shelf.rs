//! Where empty blocks wait for a sender that needs one.
//!
//! Each place holds one block or none, and is filled and emptied by one step; a block on its way is nobody's
//! but its carrier's, so it does no harm that the same one comes again.

use super::block::Block;
use crate::sync::{AtomicPtr, Ordering, retire};
use std::ptr::{NonNull, null_mut};

/// How many blocks may wait.
const PLACES: usize = if cfg!(pipes_loom) { 1 } else { 8 };

/// The places.
pub(super) struct Shelf<T>([AtomicPtr<Block<T>>; PLACES]);

impl<T> Shelf<T> {
    pub(super) fn new() -> Self {
        Shelf(std::array::from_fn(|_| AtomicPtr::new(null_mut())))
    }

    /// Puts a block there. `Err`: all places are taken.
    ///
    /// # Safety
    ///
    /// The block is the caller's and whole, there is no message in it, and all of its slots but the first are
    /// empty.
    pub(super) unsafe fn put(&self, block: NonNull<Block<T>>) -> Result<(), NonNull<Block<T>>> {
        for place in &self.0 {
            // ORDERING: Release pairs with `take`: the block is seen as it was left. A refusal tells nothing.
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
            // ORDERING: Acquire pairs with `put`.
            NonNull::new(place.swap(null_mut(), Ordering::Acquire))
        })
    }

    /// The shelf is about to be freed.
    pub(super) fn retire(&mut self) {
        self.0.iter_mut().for_each(retire);
    }
}
