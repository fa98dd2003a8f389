//! The output of an ordered point: a source, or a stage that processes one item at a time.

use super::edge::Sender;
use super::permits::Permits;
use super::threads::{Stopped, Threads, WaitError};
use crate::envelope::{Envelope, Group};
use crate::measure::probe::{QueueDepth, move_items};
use crate::measure::timestamps::Timestamps;
use pipes::{Chan, SharedChan};
use std::time::Instant;

/// The output of an ordered point, with a permit for each item that may be on its way.
pub(crate) struct Output<T> {
    channel: Channel<T>,
    permits: Permits,
    /// A permit was already acquired for the next item.
    has_permit: bool,
    /// The number of items that wait for the next stage, if the pipeline is measured.
    queue: Option<QueueDepth>,
    timestamps: Timestamps,
    /// The time at which the next item left the source.
    timestamp: u64,
    /// The number of items sent so far, which wraps around.
    sent: usize,
}

enum Channel<T> {
    /// To another ordered point.
    Direct(Chan<T>),
    /// To the replicas of a region.
    Region(Sender<T>),
    /// To a merge, with the number of this pipeline.
    Merge(SharedChan<(usize, T)>, usize),
}

/// An item that was not sent.
pub(crate) struct Refused<T>(pub(crate) T, pub(crate) WaitError);

impl<T> Output<T> {
    pub(crate) fn direct(chan: Chan<T>, permits: Permits, timestamps: Timestamps) -> Self {
        Output::new(Channel::Direct(chan), permits, timestamps)
    }

    pub(crate) fn region(sender: Sender<T>, permits: Permits, timestamps: Timestamps) -> Self {
        Output::new(Channel::Region(sender), permits, timestamps)
    }

    pub(crate) fn merge(
        chan: SharedChan<(usize, T)>,
        number: usize,
        permits: Permits,
        timestamps: Timestamps,
    ) -> Self {
        Output::new(Channel::Merge(chan, number), permits, timestamps)
    }

    fn new(channel: Channel<T>, permits: Permits, timestamps: Timestamps) -> Self {
        Output { channel, permits, has_permit: false, queue: None, timestamps, timestamp: 0, sent: 0 }
    }

    /// Counts the items that wait for the next stage, if the pipeline is measured.
    pub(crate) fn counted(mut self, queue: Option<QueueDepth>) -> Self {
        self.queue = queue;
        self
    }

    /// Sets the timestamp of the next items to the current time: they leave the source now.
    #[inline]
    pub(crate) fn stamp(&mut self) {
        self.timestamp = self.timestamps.now();
    }

    /// Sets the time at which the next items left the source.
    #[inline]
    pub(crate) fn set_timestamp(&mut self, timestamp: u64) {
        self.timestamp = timestamp;
    }

    /// Acquires a permit for the next item, before that item is taken. Calls `flush` before it waits, to
    /// return other permits.
    #[inline]
    pub(crate) fn reserve(
        &mut self,
        threads: &Threads,
        deadline: Option<Instant>,
        flush: impl FnMut(),
    ) -> Result<(), WaitError> {
        if !self.has_permit {
            self.permits.acquire(threads, deadline, flush)?;
            self.has_permit = true;
        }
        Ok(())
    }

    /// Sends an item. Waits until there is a permit for it. Calls `flush` before it waits, to return other
    /// permits.
    #[inline]
    pub(crate) fn emit(&mut self, threads: &Threads, item: T, flush: impl FnMut()) -> Result<(), Stopped> {
        self.reserve(threads, None, flush)?;
        self.send(item).map_err(|_| Stopped)
    }

    /// Sends an item if there is a permit for it, now or before the deadline. The item leaves the source when
    /// it has its permit.
    #[inline]
    pub(crate) fn offer(
        &mut self,
        threads: &Threads,
        item: T,
        deadline: Option<Instant>,
    ) -> Result<(), Refused<T>> {
        if let Err(error) = self.reserve(threads, deadline, || ()) {
            return Err(Refused(item, error));
        }
        self.stamp();
        self.send(item).map_err(|item| Refused(item, WaitError::Stopped))
    }

    /// Sends an item with the permit that was acquired. Returns the item if the next stage has ended.
    #[inline]
    fn send(&mut self, item: T) -> Result<(), T> {
        self.has_permit = false;
        let tag = self.sent;
        self.sent = tag.wrapping_add(1);
        self.timestamps.set(tag, self.timestamp);
        move_items(self.queue.as_ref(), 1);
        match &mut self.channel {
            Channel::Direct(chan) => chan.send(item).map_err(|closed| closed.into_payload()),
            Channel::Merge(chan, number) => send_to_merge(chan, *number, item),
            Channel::Region(sender) => send_to_region(sender, tag, item),
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
