//! The input of a stage that processes one item at a time, or of a sink.

use super::permits::Releaser;
use super::recv::{Limit, Unlimited, wait_or_end};
use super::stamps::{Stamp, Stamps};
use super::threads::{Stopped, Threads, WaitError};
use crate::envelope::{Envelope, Group};
use crate::measure::metrics::Metrics;
use pipes::Port;
use std::collections::VecDeque;
use std::vec;

/// The items, one at a time. The permit of an item is released when the item is done, that is, when the next
/// one is requested.
pub(crate) struct Input<T> {
    channel: Channel<T>,
    /// The remaining items of an envelope with several.
    rest: vec::IntoIter<T>,
    releaser: Releaser,
    /// An item was taken that is not yet counted as completed.
    has_item: bool,
    /// The last item or envelope has a permit that is not released yet.
    holds_permit: bool,
    stamps: Stamps,
    /// The stamp of the last item.
    stamp: Stamp,
    /// The number of items received from another ordered point, which wraps around.
    received: usize,
    /// The metrics, if this is the input of the sink of a measured pipeline.
    sink: Option<Metrics>,
}

enum Channel<T> {
    /// From another ordered point.
    Direct(Port<T>),
    /// From the replicas of a region.
    Region(RegionEnd<T>),
}

/// The end of a region.
struct RegionEnd<T> {
    port: Port<Envelope<T>>,
    /// `None` if the order does not matter.
    order: Option<ReorderBuffer<T>>,
}

/// Envelopes that came out of order. The window limits their number.
struct ReorderBuffer<T> {
    /// The tag of the envelope that is next in order.
    next: usize,
    early: VecDeque<Option<Envelope<T>>>,
}

impl<T> Input<T> {
    pub(crate) fn direct(port: Port<T>, releaser: Releaser, stamps: Stamps) -> Self {
        Input::new(Channel::Direct(port), releaser, stamps)
    }

    fn new(channel: Channel<T>, releaser: Releaser, stamps: Stamps) -> Self {
        let rest = Vec::new().into_iter();
        Input {
            channel,
            rest,
            releaser,
            has_item: false,
            holds_permit: false,
            stamps,
            stamp: Stamp::default(),
            received: 0,
            sink: None,
        }
    }

    pub(crate) fn region(
        port: Port<Envelope<T>>,
        releaser: Releaser,
        stamps: Stamps,
        in_order: bool,
    ) -> Self {
        let order = in_order.then(|| ReorderBuffer { next: 0, early: VecDeque::new() });
        Input::new(Channel::Region(RegionEnd { port, order }), releaser, stamps)
    }

    /// Makes this the input of the sink, which counts completed items.
    pub(crate) fn counted(mut self, metrics: Option<&Metrics>) -> Self {
        self.sink = metrics.cloned();
        self
    }

    /// Returns the stamp of the last item.
    #[inline]
    pub(crate) fn stamp(&self) -> Stamp {
        self.stamp
    }

    /// Counts the last item as completed, if this is the input of the sink.
    #[inline]
    pub(crate) fn count_completed(&mut self) {
        if std::mem::take(&mut self.has_item)
            && let Some(metrics) = &self.sink
        {
            metrics.completed(self.stamp.time);
        }
    }

    /// Releases the permit of the last item, which is done.
    #[inline]
    pub(crate) fn release(&mut self) {
        self.count_completed();
        if self.holds_permit && self.rest.len() == 0 {
            self.holds_permit = false;
            self.releaser.release(self.stamp.weight);
        }
    }

    /// Returns all released permits. Call this before waiting for something else.
    pub(crate) fn flush(&mut self) {
        self.releaser.flush();
    }

    /// Takes the next item. Waits until there is one. Returns `None` if there are no more. The item before it
    /// is done.
    #[inline]
    pub(crate) fn next(&mut self, threads: &Threads) -> Result<Option<T>, Stopped> {
        if threads.is_stopped() {
            return Err(Stopped);
        }
        let item = self.ready();
        if item.is_some() {
            return Ok(item);
        }
        self.next_later(threads, &mut Unlimited).map_err(Stopped::from)
    }

    /// Takes the next item like [`next`](Input::next), but waits only until the limit is reached.
    #[inline]
    pub(crate) fn next_within(
        &mut self,
        threads: &Threads,
        limit: &mut impl Limit,
    ) -> Result<Option<T>, WaitError> {
        if threads.is_stopped() {
            return Err(WaitError::Stopped);
        }
        let item = self.ready();
        if item.is_some() {
            return Ok(item);
        }
        self.next_later(threads, limit)
    }

    /// Takes the next item if one is available. The item before it is done. If the next envelope is empty,
    /// this takes it and returns `None`. Its permit is not released yet. So the caller can check its limit
    /// after each empty envelope of a long sequence.
    ///
    /// The return type has no field next to the item, an item from another ordered point is never in an
    /// envelope, and each kind of channel has a function of its own. Otherwise the item would be copied in
    /// parts, and the processor would stall when it is then read as a whole: a pipeline of trivial stages
    /// took a quarter longer.
    #[inline]
    fn ready(&mut self) -> Option<T> {
        self.release();
        if self.rest.len() > 0 {
            self.has_item = true;
            return self.rest.next();
        }
        match &mut self.channel {
            Channel::Direct(_) => self.ready_in_direct(),
            Channel::Region(_) => self.ready_in_region(),
        }
    }

    #[inline]
    #[expect(clippy::question_mark, reason = "builds without optimisation would copy the item twice more")]
    fn ready_in_direct(&mut self) -> Option<T> {
        let Channel::Direct(port) = &mut self.channel else { return None };
        let Some(item) = port.try_iter().next() else { return None };
        self.note_arrival(self.received);
        self.received = self.received.wrapping_add(1);
        self.has_item = true;
        Some(item)
    }

    #[inline]
    fn ready_in_region(&mut self) -> Option<T> {
        let Channel::Region(end) = &mut self.channel else { return None };
        match end.ready() {
            None => None,
            Some(Envelope { tag, items: Group::One(item) }) => {
                self.note_arrival(tag);
                self.has_item = true;
                Some(item)
            }
            Some(Envelope { tag, items: Group::None }) => {
                self.note_arrival(tag);
                self.has_item = false;
                None
            }
            Some(Envelope { tag, items: Group::Many(items) }) => {
                self.note_arrival(tag);
                self.rest = items.into_iter();
                self.has_item = self.rest.len() > 0;
                self.rest.next()
            }
        }
    }

    /// Takes the next item when [`ready`](Self::ready) has returned `None`.
    #[cold]
    #[inline(never)]
    fn next_later(&mut self, threads: &Threads, limit: &mut dyn Limit) -> Result<Option<T>, WaitError> {
        loop {
            if limit.is_reached() {
                return Err(WaitError::LimitReached);
            }
            // After an empty envelope, whose permit is not released yet, more may be available.
            if !self.holds_permit {
                self.releaser.flush();
                let is_over = match &mut self.channel {
                    Channel::Direct(port) => wait_or_end(port, threads, limit)?,
                    Channel::Region(end) => wait_or_end(&mut end.port, threads, limit)?,
                };
                if is_over {
                    // A stage that fails reports it before its channel closes.
                    return if threads.is_stopped() { Err(WaitError::Stopped) } else { Ok(None) };
                }
            }
            let item = self.ready();
            if item.is_some() {
                return Ok(item);
            }
        }
    }

    /// Notes that an item or envelope with this tag has arrived.
    #[inline]
    fn note_arrival(&mut self, tag: usize) {
        self.holds_permit = true;
        if self.stamps.are_kept() {
            self.stamp = self.stamps.take(tag);
        }
    }
}

impl<T> RegionEnd<T> {
    /// Takes the next envelope if one is available.
    #[inline]
    fn ready(&mut self) -> Option<Envelope<T>> {
        if self.order.is_some() { self.ready_in_order() } else { self.port.try_iter().next() }
    }

    #[inline]
    fn ready_in_order(&mut self) -> Option<Envelope<T>> {
        let order = self.order.as_mut()?;
        loop {
            let next = order.next();
            if next.is_some() {
                return next;
            }
            let next = self.port.try_iter().next();
            match &next {
                Some(envelope) if !order.is_next(envelope) => order.insert(envelope.tag, next),
                _ => return next,
            }
        }
    }
}

impl<T> ReorderBuffer<T> {
    /// Takes the next envelope in order, if it is in the buffer.
    #[inline]
    fn next(&mut self) -> Option<Envelope<T>> {
        let next = self.early.front_mut()?.take();
        if next.is_some() {
            self.advance();
        }
        next
    }

    /// Returns `true` if this envelope is next in order, and advances past it.
    #[inline]
    fn is_next(&mut self, envelope: &Envelope<T>) -> bool {
        let is_next = envelope.tag == self.next;
        if is_next {
            self.advance();
        }
        is_next
    }

    #[inline]
    fn advance(&mut self) {
        self.next = self.next.wrapping_add(1);
        self.early.pop_front();
    }

    /// Keeps the envelope with this tag until it is next.
    fn insert(&mut self, tag: usize, envelope: Option<Envelope<T>>) {
        let ahead = tag.wrapping_sub(self.next);
        if self.early.len() <= ahead {
            self.early.resize_with(ahead + 1, || None);
        }
        self.early[ahead] = envelope;
    }
}
