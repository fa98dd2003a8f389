//! What the threads of a measured pipeline note. Where nothing is measured, nothing is there to note it.

use super::histogram::Histogram;
use crate::sync::{Arc, Lock, nanoseconds};
use std::mem::take;

/// What a replica has done.
#[derive(Clone, Default)]
pub(super) struct Counts {
    /// Items that it has worked on, and for how long, in nanoseconds each.
    pub(super) work: Histogram,
    pub(super) busy: u64,
    /// How long it has waited for items, and for room.
    pub(super) wait_in: u64,
    pub(super) wait_out: u64,
}

/// How many items lie in front of a stage, and have lain there at most.
#[derive(Clone, Copy, Default)]
pub(super) struct Depth {
    pub(super) now: i64,
    pub(super) most: i64,
}

/// The items in front of a stage, as those before it and those of it see them.
pub(super) type Queue = Arc<Lock<Depth>>;

/// Notes that items come, or go.
pub(super) fn move_items(queue: Option<&Queue>, items: i64) {
    if let Some(queue) = queue {
        let mut depth = queue.lock();
        depth.now += items;
        depth.most = depth.most.max(depth.now);
    }
}

/// What a replica spends its time with.
#[derive(Clone, Copy)]
pub(super) enum Spent {
    Working,
    WaitingForItems,
    WaitingForRoom,
}

/// A replica's clock.
pub(super) struct Probe(Option<Clock>);

struct Clock {
    counts: Arc<Lock<Counts>>,
    queue: Queue,
    last: u64,
    /// What is not in the counts yet.
    fresh: Counts,
}

impl Probe {
    /// Notes nothing.
    pub(super) fn off() -> Self {
        Probe(None)
    }

    pub(super) fn on(counts: Arc<Lock<Counts>>, queue: Queue) -> Self {
        Probe(Some(Clock { counts, queue, last: nanoseconds(), fresh: Counts::default() }))
    }

    /// So the time was spent until now.
    #[inline]
    pub(super) fn lap(&mut self, spent: Spent) {
        if let Some(clock) = &mut self.0 {
            clock.lap(spent);
        }
    }

    /// An item was waited for, and is here.
    #[inline]
    pub(super) fn took(&mut self) {
        if let Some(clock) = &mut self.0 {
            clock.lap(Spent::WaitingForItems);
            move_items(Some(&clock.queue), -1);
        }
    }

    /// The item is done.
    #[inline]
    pub(super) fn done(&mut self) {
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
