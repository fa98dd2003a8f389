//! Chunks of a slice, which are assigned to workers dynamically.
//!
//! *Guided self-scheduling* (Polychronopoulos and Kuck, IEEE Transactions on Computers 36(12), 1987): an idle
//! worker takes a fraction of the remaining items, here half of `1/workers`. The first chunks are large, so
//! there are few of them; the last ones are single items, so no worker waits long for the others at the end.
//! Its weakness is a slice that begins with the costly items: one worker gets all of them, and the others get
//! only cheap ones. So where chunks cost little, no chunk is larger than `1/workers` of the items divided by
//! [`FINE`].
//!
//! The chunks depend only on the numbers of items and workers. Which worker gets which chunk depends on
//! timing.

use crate::sync::Lock;
use std::mem::take;

/// The minimum number of chunks for each worker.
const FINE: usize = 16;

/// A slice from which each worker takes chunks.
pub(crate) struct Chunks<S> {
    remaining: Lock<Remaining<S>>,
    workers: usize,
    /// The maximum length of a chunk.
    max_len: usize,
}

struct Remaining<S> {
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

impl<S: Slice> Chunks<S> {
    /// Creates many small chunks.
    pub(crate) fn fine(items: S, workers: usize) -> Self {
        let max_len = (items.count() / FINE / workers.max(1)).max(1);
        Chunks { max_len, ..Chunks::coarse(items, workers) }
    }

    /// Creates as few chunks as possible.
    pub(crate) fn coarse(items: S, workers: usize) -> Self {
        Chunks { remaining: Lock::new(Remaining { taken: 0, items }), workers, max_len: usize::MAX }
    }

    /// Returns `true` if there is another chunk.
    pub(crate) fn has_next(&self) -> bool {
        self.remaining.lock().items.count() > 0
    }

    /// Returns the next chunk, and the number of items before it.
    pub(crate) fn next(&self) -> Option<(usize, S)> {
        let mut remaining = self.remaining.lock();
        let count = remaining.items.count();
        if count == 0 {
            return None;
        }
        let size = match self.workers {
            // A single worker takes everything.
            ..=1 => count,
            workers => (count / workers / 2).clamp(1, self.max_len),
        };
        let (chunk, others) = take(&mut remaining.items).split(size);
        let begin = remaining.taken;
        remaining.items = others;
        remaining.taken += size;
        Some((begin, chunk))
    }
}
