//! Probes, with which the threads of a measured pipeline note what they do. Other pipelines have none.

use super::histogram::Histogram;
use crate::envelope::Group;
use crate::sync::{Arc, Lock, nanoseconds};
use std::mem::take;

/// The figures of a replica.
#[derive(Clone, Default)]
pub(crate) struct Counts {
    /// The times that it has worked on each item, and their sum, in nanoseconds.
    pub(crate) work: Histogram,
    pub(crate) busy: u64,
    /// The times that it has waited for items, and for room, in nanoseconds.
    pub(crate) wait_in: u64,
    pub(crate) wait_out: u64,
}

/// The number of items in front of a stage, and the largest number so far.
#[derive(Clone, Copy, Default)]
pub(crate) struct Depth {
    pub(crate) now: i64,
    pub(crate) most: i64,
}

/// The items in front of a stage, counted by the stages before it and by the stage itself.
pub(crate) type QueueDepth = Arc<Lock<Depth>>;

/// Notes that items come (above 0) or go (below 0).
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
    /// The times that are not in the counts yet.
    fresh: Counts,
}

impl Probe {
    /// Creates a probe that notes nothing.
    pub(crate) fn off() -> Self {
        Probe(None)
    }

    pub(crate) fn on(counts: Arc<Lock<Counts>>, queue: QueueDepth) -> Self {
        Probe(Some(Clock { counts, queue, last: nanoseconds(), fresh: Counts::default() }))
    }

    /// Notes how the time until now was spent.
    #[inline]
    pub(crate) fn lap(&mut self, spent: Spent) {
        if let Some(clock) = &mut self.0 {
            clock.lap(spent);
        }
    }

    /// Notes that the replica has waited for an item, which has come.
    #[inline]
    pub(crate) fn took(&mut self) {
        if let Some(clock) = &mut self.0 {
            clock.lap(Spent::WaitingForItems);
            move_items(Some(&clock.queue), -1);
        }
    }

    /// Notes that the replica has waited for a group of items, which has come. Each of these items is noted
    /// by itself when it is done.
    #[inline]
    pub(crate) fn took_group<T>(&mut self, items: &Group<T>) {
        if let Some(clock) = &mut self.0 {
            clock.lap(Spent::WaitingForItems);
            match items.len() {
                // There is no item with which the wait would be counted.
                0 => clock.counts.lock().wait_in += take(&mut clock.fresh.wait_in),
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
            Spent::Working => &mut self.fresh.busy,
            Spent::WaitingForItems => &mut self.fresh.wait_in,
            Spent::WaitingForRoom => &mut self.fresh.wait_out,
        } += time;
    }

    fn done(&mut self) {
        self.lap(Spent::Working);
        let mut counts = self.counts.lock();
        counts.work.note(self.fresh.busy);
        counts.busy += take(&mut self.fresh.busy);
        counts.wait_in += take(&mut self.fresh.wait_in);
        counts.wait_out += take(&mut self.fresh.wait_out);
    }
}
