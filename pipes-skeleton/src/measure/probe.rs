//! Probes, with which the threads of a measured pipeline record what they do.

use super::histogram::Histogram;
use crate::envelope::Group;
use crate::sync::{Arc, Lock, nanoseconds};
use std::mem::take;

/// The figures of a replica.
#[derive(Clone, Default)]
pub(crate) struct Counts {
    /// The times that it worked on each item, and their sum, in nanoseconds.
    pub(crate) work: Histogram,
    pub(crate) busy: u64,
    /// The times that it waited for items, and for room in the next stage, in nanoseconds.
    pub(crate) wait_in: u64,
    pub(crate) wait_out: u64,
}

/// A run of a measured pipeline: the times at which it began and ended.
pub(crate) struct Run {
    begin: u64,
    end: Lock<Option<u64>>,
}

impl Run {
    /// Begins a run now.
    pub(crate) fn begin() -> Self {
        Run { begin: nanoseconds(), end: Lock::new(None) }
    }

    /// Ends the run now.
    pub(crate) fn end(&self) {
        *self.end.lock() = Some(nanoseconds());
    }

    /// Returns the time at which the run began, and that at which it ended, or `now`.
    pub(crate) fn span(&self, now: u64) -> (u64, u64) {
        (self.begin, self.end.lock().unwrap_or(now))
    }
}

/// The number of items that wait for a stage, and the largest number so far.
#[derive(Clone, Copy, Default)]
pub(crate) struct Depth {
    pub(crate) now: i64,
    pub(crate) most: i64,
}

/// The counter of the items that wait for a stage. The stages before it and the stage itself update it.
pub(crate) type QueueDepth = Arc<Lock<Depth>>;

/// Adds a number of items, which is negative if they leave the queue.
pub(crate) fn move_items(queue: Option<&QueueDepth>, items: i64) {
    if let Some(queue) = queue {
        let mut depth = queue.lock();
        depth.now += items;
        depth.most = depth.most.max(depth.now);
    }
}

/// The uses of a replica's time.
#[derive(Clone, Copy)]
pub(crate) enum Spent {
    Working,
    WaitingForItems,
    WaitingForRoom,
}

/// The probe of a replica: its clock and its counts.
pub(crate) struct Probe(Option<Clock>);

struct Clock {
    counts: Arc<Lock<Counts>>,
    queue: QueueDepth,
    last: u64,
    /// The times that are not yet added to the counts.
    pending: Counts,
}

impl Probe {
    /// Creates a probe that notes nothing.
    pub(crate) fn off() -> Self {
        Probe(None)
    }

    pub(crate) fn on(counts: Arc<Lock<Counts>>, queue: QueueDepth) -> Self {
        Probe(Some(Clock { counts, queue, last: nanoseconds(), pending: Counts::default() }))
    }

    /// Notes how the time until now was spent.
    #[inline]
    pub(crate) fn lap(&mut self, spent: Spent) {
        if let Some(clock) = &mut self.0 {
            clock.lap(spent);
        }
    }

    /// Notes that the replica has taken an item, after a wait.
    #[inline]
    pub(crate) fn took(&mut self) {
        if let Some(clock) = &mut self.0 {
            clock.lap(Spent::WaitingForItems);
            move_items(Some(&clock.queue), -1);
        }
    }

    /// Notes that the replica has taken the items of an envelope, after a wait. Each of them is counted when
    /// it is done.
    #[inline]
    pub(crate) fn took_group<T>(&mut self, items: &Group<T>) {
        if let Some(clock) = &mut self.0 {
            clock.lap(Spent::WaitingForItems);
            match items.len() {
                // There is no item with which the wait would be counted.
                0 => clock.counts.lock().wait_in += take(&mut clock.pending.wait_in),
                items => move_items(Some(&clock.queue), -(items as i64)),
            }
        }
    }

    /// Notes that an item is done.
    #[inline]
    pub(crate) fn done(&mut self) {
        if let Some(clock) = &mut self.0 {
            clock.done();
        }
    }
}

impl Clock {
    fn lap(&mut self, spent: Spent) {
        let now = nanoseconds();
        let time = now - self.last;
        self.last = now;
        *match spent {
            Spent::Working => &mut self.pending.busy,
            Spent::WaitingForItems => &mut self.pending.wait_in,
            Spent::WaitingForRoom => &mut self.pending.wait_out,
        } += time;
    }

    fn done(&mut self) {
        self.lap(Spent::Working);
        let mut counts = self.counts.lock();
        counts.work.record(self.pending.busy);
        counts.busy += take(&mut self.pending.busy);
        counts.wait_in += take(&mut self.pending.wait_in);
        counts.wait_out += take(&mut self.pending.wait_out);
    }
}
