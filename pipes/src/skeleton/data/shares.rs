//! Who works on which part of a slice, decided while the work goes on.
//!
//! *Guided self-scheduling* (Polychronopoulos and Kuck, IEEE Transactions on Computers 36(12), 1987): an idle
//! worker takes a fraction of what is left, here half of `1/workers`. The first shares are large, so there
//! are few of them; the last ones are single items, so no worker waits long for the others at the end. Its
//! weakness is a slice that begins with the costly items: one worker gets all of them, and nothing is left
//! for the others but the cheap ones. So where shares cost little, none is larger than a worker's part of the
//! items divided by [`FINE`].
//!
//! The shares follow from the number of items and that of workers; only which worker gets which share depends
//! on timing.

use crate::sync::Lock;
use std::mem::take;

/// Into how many shares the items of a worker are divided at least.
const FINE: usize = 16;

/// A slice, of which each worker takes shares.
pub(in crate::skeleton) struct Shares<S> {
    left: Lock<Left<S>>,
    workers: usize,
    /// No share is larger.
    most: usize,
}

struct Left<S> {
    /// How many items were taken.
    taken: usize,
    items: S,
}

/// A borrowed slice.
pub(in crate::skeleton) trait Slice: Default {
    fn count(&self) -> usize;

    /// The first `count` items, and the others.
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
    /// Many shares, none of them large.
    pub(in crate::skeleton) fn fine(items: S, workers: usize) -> Self {
        let most = (items.count() / FINE / workers.max(1)).max(1);
        Shares { most, ..Shares::coarse(items, workers) }
    }

    /// As few shares as there can be.
    pub(in crate::skeleton) fn coarse(items: S, workers: usize) -> Self {
        Shares { left: Lock::new(Left { taken: 0, items }), workers, most: usize::MAX }
    }

    /// Is there another share?
    pub(in crate::skeleton) fn is_left(&self) -> bool {
        self.left.lock().items.count() > 0
    }

    /// The next share, and how many items lie before it.
    pub(in crate::skeleton) fn next(&self) -> Option<(usize, S)> {
        let mut left = self.left.lock();
        let count = left.items.count();
        if count == 0 {
            return None;
        }
        let size = match self.workers {
            // There is no worker to share with.
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
