//! The supply of a stage that processes one item after the other, or of a sink.

use super::crew::{Crew, Ended, Halted};
use super::places::Debts;
use super::recv::{Limit, Unlimited, wait_or_end};
use crate::envelope::{Envelope, Group};
use crate::measure::metrics::Metrics;
use crate::measure::stamps::Stamps;
use pipes::Port;
use std::collections::VecDeque;
use std::vec;

/// The items, one after the other. Each item gives its place back when it is done, that is, when the next one
/// is requested.
pub(crate) struct Supply<T> {
    way: Way<T>,
    /// The rest of an item that has become several.
    rest: vec::IntoIter<T>,
    debts: Debts,
    /// An item was taken and is not counted as done yet. It has a place, or shares one with others that came
    /// from the same item.
    has_item: bool,
    owes_place: bool,
    stamps: Stamps,
    /// The time at which the item that was taken last left the source; and the number of items before it on a
    /// direct way, which may wrap around.
    born: u64,
    came: usize,
    /// The metrics, if this is the end of a measured pipeline.
    sink: Option<Metrics>,
}

enum Way<T> {
    /// From another stage that processes one item after the other.
    Direct(Port<T>),
    /// From a region.
    Region(Exit<T>),
}

/// The end of a region.
struct Exit<T> {
    port: Port<Envelope<T>>,
    order: Option<Order<T>>,
}

/// Envelopes that came before their turn. There are never more than the window has places.
struct Order<T> {
    next: usize,
    early: VecDeque<Option<Envelope<T>>>,
}

impl<T> Supply<T> {
    pub(crate) fn direct(port: Port<T>, debts: Debts, stamps: Stamps) -> Self {
        Supply::new(Way::Direct(port), debts, stamps)
    }

    fn new(way: Way<T>, debts: Debts, stamps: Stamps) -> Self {
        let rest = Vec::new().into_iter();
        Supply { way, rest, debts, has_item: false, owes_place: false, stamps, born: 0, came: 0, sink: None }
    }

    pub(crate) fn region(port: Port<Envelope<T>>, debts: Debts, stamps: Stamps, in_order: bool) -> Self {
        let order = in_order.then(|| Order { next: 0, early: VecDeque::new() });
        Supply::new(Way::Region(Exit { port, order }), debts, stamps)
    }

    /// Marks this as the end of the pipeline, at which items are counted.
    pub(crate) fn ends(mut self, metrics: Option<&Metrics>) -> Self {
        self.sink = metrics.cloned();
        self
    }

    /// Returns the time at which the item that was taken last left the source.
    #[inline]
    pub(crate) fn born(&self) -> u64 {
        self.born
    }

    /// Counts the item that was taken last, at the end of the pipeline.
    #[inline]
    pub(crate) fn came_out(&mut self) {
        if std::mem::take(&mut self.has_item)
            && let Some(metrics) = &self.sink
        {
            metrics.came_out(self.born);
        }
    }

    /// Gives back the place of the item that was taken last, which is done.
    #[inline]
    pub(crate) fn settle(&mut self) {
        self.came_out();
        if self.owes_place && self.rest.len() == 0 {
            self.owes_place = false;
            self.debts.settle();
        }
    }

    /// Gives back all places whose items are done, for a caller that is about to wait for something else.
    pub(crate) fn give_back(&mut self) {
        self.debts.give_back();
    }

    /// Takes the next item, as soon as there is one; the item before is done. Returns `None` if there are no
    /// more.
    #[inline]
    pub(crate) fn next(&mut self, crew: &Crew) -> Result<Option<T>, Halted> {
        if crew.is_stopped() {
            return Err(Halted);
        }
        let item = self.ready();
        if item.is_some() {
            return Ok(item);
        }
        self.next_later(crew, &mut Unlimited).map_err(Halted::from)
    }

    /// Takes the next item, within a limit.
    #[inline]
    pub(crate) fn next_within(&mut self, crew: &Crew, limit: &mut impl Limit) -> Result<Option<T>, Ended> {
        if crew.is_stopped() {
            return Err(Ended::Halted);
        }
        let item = self.ready();
        if item.is_some() {
            return Ok(item);
        }
        self.next_later(crew, limit)
    }

    /// Takes the next item, if it is here; the item before is done. If it is an empty envelope that is here,
    /// this takes it and returns `None`, and its place is owed: if many items in a row become nothing, the
    /// caller checks its limit after each.
    ///
    /// An item is returned in a form that has no field beside it, and on a direct way it is never in an
    /// envelope. With more around it, it would be copied in parts, and a processor waits when it then reads
    /// them as a whole: a pipeline of trivial stages took a quarter longer.
    #[inline]
    fn ready(&mut self) -> Option<T> {
        self.settle();
        if self.rest.len() > 0 {
            self.has_item = true;
            return self.rest.next();
        }
        match &mut self.way {
            Way::Direct(port) => {
                let item = port.try_iter().next();
                if item.is_some() {
                    self.arrived(self.came);
                    self.came = self.came.wrapping_add(1);
                    self.has_item = true;
                }
                item
            }
            Way::Region(_) => self.ready_in_region(),
        }
    }

    #[inline]
    fn ready_in_region(&mut self) -> Option<T> {
        let Way::Region(exit) = &mut self.way else { return None };
        match exit.ready() {
            None => None,
            Some(Envelope { tag, items: Group::One(item) }) => {
                self.arrived(tag);
                self.has_item = true;
                Some(item)
            }
            Some(Envelope { tag, items: Group::None }) => {
                self.arrived(tag);
                self.has_item = false;
                None
            }
            Some(Envelope { tag, items: Group::Many(items) }) => {
                self.arrived(tag);
                self.rest = items.into_iter();
                self.has_item = self.rest.len() > 0;
                self.rest.next()
            }
        }
    }

    /// Takes the next item when [`ready`](Self::ready) has returned `None`.
    #[cold]
    #[inline(never)]
    fn next_later(&mut self, crew: &Crew, limit: &mut dyn Limit) -> Result<Option<T>, Ended> {
        loop {
            if limit.has_happened() {
                return Err(Ended::Late);
            }
            // After an empty envelope, whose place is still owed, there may be more.
            if !self.owes_place {
                self.debts.give_back();
                let is_over = match &mut self.way {
                    Way::Direct(port) => wait_or_end(port, crew, limit)?,
                    Way::Region(exit) => wait_or_end(&mut exit.port, crew, limit)?,
                };
                if is_over {
                    // A stage that fails reports it before its channel closes.
                    return if crew.is_stopped() { Err(Ended::Halted) } else { Ok(None) };
                }
            }
            let item = self.ready();
            if item.is_some() {
                return Ok(item);
            }
        }
    }

    /// Notes that the item of this number, or what it has become, has arrived.
    #[inline]
    fn arrived(&mut self, tag: usize) {
        self.owes_place = true;
        self.born = self.stamps.take(tag);
    }
}

impl<T> Exit<T> {
    /// Takes the next envelope, if it is here.
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
                Some(envelope) if !order.is_next(envelope) => order.put_aside(envelope.tag, next),
                _ => return next,
            }
        }
    }
}

impl<T> Order<T> {
    /// Takes the envelope whose turn it is, if it came early.
    #[inline]
    fn next(&mut self) -> Option<Envelope<T>> {
        let next = self.early.front_mut()?.take();
        if next.is_some() {
            self.advance();
        }
        next
    }

    /// Returns `true` if it is this envelope's turn. Then that of the next one comes.
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

    /// Keeps the envelope with this tag, which came early.
    fn put_aside(&mut self, tag: usize, envelope: Option<Envelope<T>>) {
        let ahead = tag.wrapping_sub(self.next);
        if self.early.len() <= ahead {
            self.early.resize_with(ahead + 1, || None);
        }
        self.early[ahead] = envelope;
    }
}
