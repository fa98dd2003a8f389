//! Who works on which part of a slice, decided while the work goes on.
//!
//! *Guided self-scheduling* (Polychronopoulos and Kuck, IEEE Transactions on Computers 36(12), 1987): who has nothing to do takes a
//! fraction of what is left. The first shares are large, so there are few of them; the last ones are single items, so nobody waits
//! long for the others at the end, wherever the costly items lie. The original takes `1/workers`; half of that leaves more for the
//! others if the costly items come first.

use crate::sync::Lock;
use std::mem::take;

/// A slice, of which each worker takes shares.
pub(super) struct Shares<S> {
    left: Lock<Left<S>>,
    workers: usize,
}

struct Left<S> {
    /// How many items were taken.
    taken: usize,
    items: S,
}

/// A borrowed slice.
pub(super) trait Slice: Default {
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
    pub(super) fn new(items: S, workers: usize) -> Self {
        Shares { left: Lock::new(Left { taken: 0, items }), workers }
    }

    /// The next share, and how many items lie before it.
    pub(super) fn next(&self) -> Option<(usize, S)> {
        let mut left = self.left.lock();
        let count = left.items.count();
        if count == 0 {
            return None;
        }
        let size = match self.workers {
            // There is nobody to share with.
            ..=1 => count,
            workers => (count / workers / 2).max(1),
        };
        let (share, others) = take(&mut left.items).split(size);
        let begin = left.taken;
        left.items = others;
        left.taken += size;
        Some((begin, share))
    }
}
