//! The output of an ordered point: a source, or a stage that processes one item at a time.

use super::edge::Sender;
use super::permits::Permits;
use super::stamps::{Stamp, Stamps};
use super::threads::{Stopped, Threads, WaitError};
use crate::envelope::{Envelope, Group};
use crate::measure::probe::{QueueDepth, move_items};
use pipes::{Chan, SharedChan};
use std::time::Instant;

/// The user's function that returns the size of an item.
pub(crate) type Weigh<T> = Box<dyn FnMut(&T) -> usize + Send>;

/// The output of an ordered point, with a permit for each item that may be on its way.
pub(crate) struct Output<T> {
    channel: Channel<T>,
    permits: Permits,
    /// Returns the size of an item, if items are weighed here.
    weigh: Option<Weigh<T>>,
    /// The number of items that wait for the next stage, if the pipeline is measured.
    queue: Option<QueueDepth>,
    stamps: Stamps,
    /// The stamp of the next item.
    stamp: Stamp,
    /// The number of items sent so far, which wraps around.
    sent: usize,
    /// A stage has joined this one, or stamps are kept. Otherwise an item needs a permit and nothing else.
    is_special: bool,
}

enum Channel<T> {
    /// To another ordered point.
    Direct(Chan<T>),
    /// To the replicas of a region.
    Region(Sender<T>),
    /// To a merge, with the number of this pipeline.
    Merge(SharedChan<(usize, T)>, usize),
    /// To a stage without a thread, which has the permits.
    Joined(Box<dyn JoinedStage<T>>),
}

/// A stage that the thread of an ordered point runs, with the output of both.
pub(crate) trait JoinedStage<T>: Send {
    /// Waits until there are permits for the next result; see [`Output::reserve`].
    fn reserve(
        &mut self,
        weight: usize,
        threads: &Threads,
        deadline: Option<Instant>,
        flush: &mut dyn FnMut(),
    ) -> Result<(), WaitError>;

    /// Processes an item with this stamp, and sends the results.
    fn process(
        &mut self,
        threads: &Threads,
        item: T,
        stamp: Stamp,
        flush: &mut dyn FnMut(),
    ) -> Result<(), Stopped>;
}

/// An item that was not sent.
pub(crate) struct Refused<T>(pub(crate) T, pub(crate) WaitError);

impl<T> Output<T> {
    pub(crate) fn direct(chan: Chan<T>, permits: Permits, stamps: Stamps) -> Self {
        Output::new(Channel::Direct(chan), permits, stamps)
    }

    pub(crate) fn region(sender: Sender<T>, permits: Permits, stamps: Stamps) -> Self {
        Output::new(Channel::Region(sender), permits, stamps)
    }

    pub(crate) fn merge(
        chan: SharedChan<(usize, T)>,
        number: usize,
        permits: Permits,
        stamps: Stamps,
    ) -> Self {
        Output::new(Channel::Merge(chan, number), permits, stamps)
    }

    pub(crate) fn joined(stage: Box<dyn JoinedStage<T>>, stamps: Stamps) -> Self {
        Output::new(Channel::Joined(stage), Permits::none(), stamps)
    }

    fn new(channel: Channel<T>, permits: Permits, stamps: Stamps) -> Self {
        let is_special = stamps.are_kept() || matches!(channel, Channel::Joined(_));
        let (weigh, queue, stamp) = (None, None, Stamp::default());
        Output { channel, permits, weigh, queue, stamps, stamp, sent: 0, is_special }
    }

    /// Counts the items that wait for the next stage, if the pipeline is measured.
    pub(crate) fn counted(mut self, queue: Option<QueueDepth>) -> Self {
        self.queue = queue;
        self
    }

    /// Takes the size of each item from this function. It is called before the item is sent.
    pub(crate) fn weighed(mut self, weigh: Weigh<T>) -> Self {
        // If there are several, the last one comes first.
        self.weigh.get_or_insert(weigh);
        self
    }

    /// Notes that the next item leaves the source now.
    #[inline]
    pub(crate) fn stamp(&mut self) {
        self.stamp.time = self.stamps.now();
    }

    /// Sets the stamp of the next items.
    #[inline]
    pub(crate) fn set_stamp(&mut self, stamp: Stamp) {
        if self.is_special {
            self.stamp = stamp;
        }
    }

    /// Waits until there are permits for an item of this weight, before it is taken. Calls `flush` before it
    /// waits, to return other permits.
    #[inline]
    pub(crate) fn reserve(
        &mut self,
        weight: usize,
        threads: &Threads,
        deadline: Option<Instant>,
        mut flush: impl FnMut(),
    ) -> Result<(), WaitError> {
        if !self.is_special {
            return self.permits.reserve_one(threads, deadline, flush);
        }
        if let Channel::Joined(stage) = &mut self.channel {
            return stage.reserve(weight, threads, deadline, &mut flush);
        }
        self.permits.reserve(weight, threads, deadline, flush).map(drop)
    }

    /// Sends an item. Waits until there are permits for it. Calls `flush` before it waits, to return other
    /// permits.
    #[inline]
    pub(crate) fn emit(
        &mut self,
        threads: &Threads,
        item: T,
        mut flush: impl FnMut(),
    ) -> Result<(), Stopped> {
        if self.is_special {
            return self.emit_special(threads, item, &mut flush);
        }
        self.permits.acquire_one(threads, flush)?;
        self.send(item).map_err(|_| Stopped)
    }

    #[inline(never)]
    fn emit_special(&mut self, threads: &Threads, item: T, flush: &mut dyn FnMut()) -> Result<(), Stopped> {
        self.weigh(&item);
        if let Channel::Joined(stage) = &mut self.channel {
            return stage.process(threads, item, self.stamp, flush);
        }
        self.stamp.weight = self.permits.acquire(self.stamp.weight, threads, None, flush)?;
        self.send(item).map_err(|_| Stopped)
    }

    /// Sends an item if there are permits for it, now or before the deadline. The item leaves the source when
    /// it has its permits. A stage that has joined the source processes the item, and if that stage fails,
    /// the item counts as sent.
    #[inline]
    pub(crate) fn offer(
        &mut self,
        threads: &Threads,
        item: T,
        deadline: Option<Instant>,
    ) -> Result<(), Refused<T>> {
        // The function is the user's, and the caller is no stage.
        if threads.catch_panic("source", || self.weigh(&item)).is_none() {
            return Err(Refused(item, WaitError::Stopped));
        }
        if let Err(error) = self.reserve(self.stamp.weight, threads, deadline, || ()) {
            return Err(Refused(item, error));
        }
        self.stamp();
        if let Channel::Joined(stage) = &mut self.channel {
            // A failure of the stage is reported with the run.
            let _ = stage.process(threads, item, self.stamp, &mut || ());
            return Ok(());
        }
        match self.permits.acquire(self.stamp.weight, threads, deadline, || ()) {
            Ok(permits) => self.stamp.weight = permits,
            Err(error) => return Err(Refused(item, error)),
        }
        self.send(item).map_err(|item| Refused(item, WaitError::Stopped))
    }

    /// Takes the size of an item, if items are weighed here.
    #[inline]
    fn weigh(&mut self, item: &T) {
        if let Some(weigh) = &mut self.weigh {
            self.stamp.weight = weigh(item);
        }
    }

    /// Sends an item with the permits that were acquired. Returns the item if the next stage has ended.
    #[inline]
    fn send(&mut self, item: T) -> Result<(), T> {
        let tag = self.sent;
        self.sent = tag.wrapping_add(1);
        self.stamps.set(tag, self.stamp);
        move_items(self.queue.as_ref(), 1);
        match &mut self.channel {
            Channel::Direct(chan) => chan.send(item).map_err(|closed| closed.into_payload()),
            Channel::Merge(chan, number) => send_to_merge(chan, *number, item),
            Channel::Region(sender) => send_to_region(sender, tag, item),
            Channel::Joined(_) => unreachable!("a stage that has joined is given the item before this"),
        }
    }
}

#[inline]
fn send_to_merge<T>(chan: &SharedChan<(usize, T)>, number: usize, item: T) -> Result<(), T> {
    chan.send((number, item)).map_err(|closed| closed.into_payload().1)
}

#[inline]
fn send_to_region<T>(sender: &mut Sender<T>, tag: usize, item: T) -> Result<(), T> {
    sender.send(Envelope { tag, items: Group::One(item) }).map_err(|refused| match refused.items {
        Group::One(item) => item,
        Group::None | Group::Many(_) => unreachable!("a sender returns the envelope that it was given"),
    })
}
