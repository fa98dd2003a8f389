//! Shares of a slice, which are assigned to workers while the work goes on.
//!
//! *Guided self-scheduling* (Polychronopoulos and Kuck, IEEE Transactions on Computers 36(12), 1987): an idle
//! worker takes a fraction of what is left, here half of `1/workers`. The first shares are large, so there
//! are few of them; the last ones are single items, so no worker waits long for the others at the end. Its
//! weakness is a slice that begins with the costly items: one worker gets all of them, and the others get
//! only cheap ones. So if shares cost little, no share is larger than `1/workers` of the items divided by
//! [`FINE`].
//!
//! The shares depend only on the number of items and of workers; which worker gets which share depends on
//! timing.

use crate::sync::Lock;
use std::mem::take;

/// The smallest number of shares for each worker.
const FINE: usize = 16;

/// A slice from which each worker takes shares.
pub(crate) struct Shares<S> {
    left: Lock<Left<S>>,
    workers: usize,
    /// The largest size of a share.
    most: usize,
}

struct Left<S> {
    /// The number of items that were taken.
    taken: usize,
    items: S,
}

/// A borrowed slice.
pub(crate) trait Slice: Default {
    fn count(&self) -> usize;

    /// Returns the first `count` items, and the others.
    fn split(self, count: usize) -> (Self, Self);
}

impl<T> Slice for &[T] {
    fn count(&self) -> usize {
        self.len()
    }

    fn split(self, count: usize) -> (Self, Self) {
        self.split_at(count)
    }
}

impl<T> Slice for &mut [T] {
    fn count(&self) -> usize {
        self.len()
    }

    fn split(self, count: usize) -> (Self, Self) {
        self.split_at_mut(count)
    }
}

impl<S: Slice> Shares<S> {
    /// Creates many small shares.
    pub(crate) fn fine(items: S, workers: usize) -> Self {
        let most = (items.count() / FINE / workers.max(1)).max(1);
        Shares { most, ..Shares::coarse(items, workers) }
    }

    /// Creates as few shares as possible.
    pub(crate) fn coarse(items: S, workers: usize) -> Self {
        Shares { left: Lock::new(Left { taken: 0, items }), workers, most: usize::MAX }
    }

    /// Returns `true` if there is another share.
    pub(crate) fn is_left(&self) -> bool {
        self.left.lock().items.count() > 0
    }

    /// Returns the next share, and the number of items before it.
    pub(crate) fn next(&self) -> Option<(usize, S)> {
        let mut left = self.left.lock();
        let count = left.items.count();
        if count == 0 {
            return None;
        }
        let size = match self.workers {
            // A single worker takes everything.
            ..=1 => count,
            workers => (count / workers / 2).clamp(1, self.most),
        };
        let (share, others) = take(&mut left.items).split(size);
        let begin = left.taken;
        left.items = others;
        left.taken += size;
        Some((begin, share))
    }
}
