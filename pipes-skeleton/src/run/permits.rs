//! Permits, as of a semaphore, which limit the number of items in a region, or their size. A source or stage
//! waits until there is a permit before it makes an item. The permits of the item are released when it is
//! done.
//!
//! Released permits are returned a quarter of all at a time, so that a stage that waits for permits is not
//! woken for each. Before a stage waits, for an item or for a permit of the next stage, it returns all
//! permits that it has released: it *flushes* them.
//!
//! In a region whose end needs no order, an item that becomes nothing is not sent on: the replica that drops
//! it releases its permit. All replicas together hold back less than a quarter of the permits.

use super::recv::recv_with_flush;
use super::threads::{Threads, WaitError};
use pipes::{Port, SharedChan, shared_stream};
use std::time::Instant;

/// The side that acquires permits.
pub(crate) struct Permits {
    /// The number of permits in all. An item that needs more needs all.
    all: usize,
    available: usize,
    released: Port<usize>,
}

/// The side that releases permits.
pub(crate) struct Releaser {
    /// The number of permits that were released and not returned yet.
    pending: usize,
    /// The number of pending permits that are returned at once.
    threshold: usize,
    chan: SharedChan<usize>,
}

/// Creates the releasers of a region's replicas, which release the permits of items that become nothing.
pub(crate) struct EarlyReleaser {
    /// The number of permits that the replicas of earlier stages may have pending together.
    max_pending: usize,
    chan: SharedChan<usize>,
}

/// Creates `count` permits, all of them available.
pub(crate) fn permits(count: usize) -> (Releaser, Permits) {
    let (chan, port) = shared_stream();
    (
        Releaser { pending: 0, threshold: (count / 4).max(1), chan },
        Permits { all: count, available: count, released: port },
    )
}

impl EarlyReleaser {
    /// Creates a releaser for each of a stage's replicas. Together they may have half as many permits pending
    /// as the later stages have left over.
    pub(crate) fn split(&mut self, replicas: usize) -> Vec<Releaser> {
        let part = self.max_pending.div_ceil(2);
        self.max_pending -= part;
        let releaser =
            || Releaser { pending: 0, threshold: (part / replicas).max(1), chan: self.chan.clone() };
        (0..replicas).map(|_| releaser()).collect()
    }
}

impl Permits {
    /// Creates permits for an output that leads to a stage in the same thread.
    pub(crate) fn none() -> Self {
        permits(1).1
    }

    /// Waits until there are permits for an item of this weight. Calls `flush` before it waits, to return
    /// other permits.
    ///
    /// # Errors
    ///
    /// Returns an error if the run is stopped, or if the deadline passes.
    #[inline]
    pub(crate) fn reserve(
        &mut self,
        weight: usize,
        threads: &Threads,
        deadline: Option<Instant>,
        mut flush: impl FnMut(),
    ) -> Result<usize, WaitError> {
        let needed = weight.clamp(1, self.all);
        if self.available < needed {
            self.wait_for(needed, threads, deadline, &mut flush)?;
        }
        Ok(needed)
    }

    /// Waits until there is a permit, like [`reserve`](Permits::reserve). Most items need one, and this and
    /// [`acquire_one`](Permits::acquire_one) are short enough to be part of the stage's loop.
    #[inline]
    pub(crate) fn reserve_one(
        &mut self,
        threads: &Threads,
        deadline: Option<Instant>,
        mut flush: impl FnMut(),
    ) -> Result<(), WaitError> {
        if self.available == 0 {
            self.wait_for(1, threads, deadline, &mut flush)?;
        }
        Ok(())
    }

    /// Acquires a permit. Waits like [`reserve`](Permits::reserve).
    #[inline]
    pub(crate) fn acquire_one(&mut self, threads: &Threads, flush: impl FnMut()) -> Result<(), WaitError> {
        self.reserve_one(threads, None, flush)?;
        self.available -= 1;
        Ok(())
    }

    /// Acquires the permits of an item of this weight, and returns their number. Waits like
    /// [`reserve`](Permits::reserve).
    #[inline]
    pub(crate) fn acquire(
        &mut self,
        weight: usize,
        threads: &Threads,
        deadline: Option<Instant>,
        flush: impl FnMut(),
    ) -> Result<usize, WaitError> {
        let needed = self.reserve(weight, threads, deadline, flush)?;
        self.available -= needed;
        Ok(needed)
    }

    #[inline(never)]
    fn wait_for(
        &mut self,
        needed: usize,
        threads: &Threads,
        mut deadline: Option<Instant>,
        flush: &mut dyn FnMut(),
    ) -> Result<(), WaitError> {
        while self.available < needed {
            let first = recv_with_flush(&mut self.released, threads, &mut deadline, &mut *flush)?;
            self.available += first.ok_or(WaitError::Stopped)? + self.released.try_iter().sum::<usize>();
        }
        Ok(())
    }
}

impl Releaser {
    /// Creates a releaser for items that come from outside and have no permits.
    pub(crate) fn none() -> Self {
        permits(usize::MAX).0
    }

    /// Lets replicas of the region release permits, too.
    pub(crate) fn early(&self) -> EarlyReleaser {
        EarlyReleaser { max_pending: self.threshold, chan: self.chan.clone() }
    }

    /// Releases the permits of an item that is done.
    #[inline]
    pub(crate) fn release(&mut self, permits: usize) {
        self.pending += permits;
        if self.pending >= self.threshold {
            self.flush();
        }
    }

    /// Returns all pending permits to the other side, which may be waiting for them.
    pub(crate) fn flush(&mut self) {
        if self.pending > 0 {
            // If the other side has ended, it needs no permits.
            let _ = self.chan.send(std::mem::take(&mut self.pending));
        }
    }
}
