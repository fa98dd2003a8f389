//! The supply of a stage that processes one item after the other, or of a sink.

use super::crew::{Crew, Ended, Halted};
use super::places::Debts;
use super::recv::{Limit, Unlimited, recv_paying};
use crate::skeleton::envelope::{Envelope, Group};
use crate::skeleton::measure::metrics::Metrics;
use crate::skeleton::measure::stamps::Stamps;
use crate::stream::Port;
use std::collections::VecDeque;
use std::vec;

/// The items, one after the other. Each item gives its place back when it is done, that is, when the next one
/// is requested.
pub(in crate::skeleton) struct Supply<T> {
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
    /// direct way (which may wrap around).
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
    pub(in crate::skeleton) fn direct(port: Port<T>, debts: Debts, stamps: Stamps) -> Self {
        Supply::new(Way::Direct(port), debts, stamps)
    }

    fn new(way: Way<T>, debts: Debts, stamps: Stamps) -> Self {
        let rest = Vec::new().into_iter();
        Supply { way, rest, debts, has_item: false, owes_place: false, stamps, born: 0, came: 0, sink: None }
    }

    pub(in crate::skeleton) fn region(
        port: Port<Envelope<T>>,
        debts: Debts,
        stamps: Stamps,
        in_order: bool,
    ) -> Self {
        let order = in_order.then(|| Order { next: 0, early: VecDeque::new() });
        Supply::new(Way::Region(Exit { port, order }), debts, stamps)
    }

    /// Marks this as the end of the pipeline, at which items are counted.
    pub(in crate::skeleton) fn ends(mut self, metrics: Option<&Metrics>) -> Self {
        self.sink = metrics.cloned();
        self
    }

    /// The time at which the item that was taken last left the source.
    #[inline]
    pub(in crate::skeleton) fn born(&self) -> u64 {
        self.born
    }

    /// Counts the item that was taken last, at the end of the pipeline.
    #[inline]
    pub(in crate::skeleton) fn came_out(&mut self) {
        if std::mem::take(&mut self.has_item)
            && let Some(metrics) = &self.sink
        {
            metrics.came_out(self.born);
        }
    }

    /// Gives back the place of the item that was taken last, which is done.
    #[inline]
    pub(in crate::skeleton) fn settle(&mut self) {
        self.came_out();
        if self.owes_place && self.rest.len() == 0 {
            self.owes_place = false;
            self.debts.settle();
        }
    }

    /// Gives back all places whose items are done, for a caller that is about to wait for something else.
    pub(in crate::skeleton) fn give_back(&mut self) {
        self.debts.give_back();
    }

    /// Takes the next item, as soon as there is one; the item before is done. None: there are no more.
    #[inline]
    pub(in crate::skeleton) fn next(&mut self, crew: &Crew) -> Result<Option<T>, Halted> {
        Ok(self.next_within(crew, &mut Unlimited)?)
    }

    /// The same, within a limit.
    #[inline]
    pub(in crate::skeleton) fn next_within(
        &mut self,
        crew: &Crew,
        limit: &mut impl Limit,
    ) -> Result<Option<T>, Ended> {
        if crew.is_stopped() {
            return Err(Ended::Halted);
        }
        loop {
            self.settle();
            if let Some(item) = self.rest.next() {
                self.has_item = true;
                return Ok(Some(item));
            }
            let debts = &mut self.debts;
            let received = match &mut self.way {
                // An item that came alone is returned as it is: to put it into an envelope and to take it out
                // again would copy it in parts, and a processor waits when it reads them as a whole.
                Way::Direct(port) => match recv_paying(port, crew, limit, || debts.give_back())? {
                    None => None,
                    item => {
                        self.arrived(self.came);
                        self.came = self.came.wrapping_add(1);
                        self.has_item = true;
                        return Ok(item);
                    }
                },
                Way::Region(exit) => exit.next(crew, limit, debts)?,
            };
            let Some(Envelope { tag, items }) = received else {
                // A stage that fails reports it before its channel closes.
                return if crew.is_stopped() { Err(Ended::Halted) } else { Ok(None) };
            };
            self.arrived(tag);
            match items {
                Group::One(item) => {
                    self.has_item = true;
                    return Ok(Some(item));
                }
                // If many items in a row become nothing there is no wait, which would check the limit.
                Group::None if limit.has_happened() => return Err(Ended::Late),
                Group::None => {}
                Group::Many(items) => self.rest = items.into_iter(),
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
    /// Takes the next envelope, as soon as there is one. None: there are no more.
    #[inline]
    fn next(
        &mut self,
        crew: &Crew,
        limit: &mut impl Limit,
        debts: &mut Debts,
    ) -> Result<Option<Envelope<T>>, Ended> {
        match &mut self.order {
            None => recv_paying(&mut self.port, crew, limit, || debts.give_back()),
            Some(order) => order.next(|is_early| {
                // While items come early there is no wait, which would check the limit.
                if is_early && limit.has_happened() {
                    return Err(Ended::Late);
                }
                recv_paying(&mut self.port, crew, limit, || debts.give_back())
            }),
        }
    }
}

impl<T> Order<T> {
    /// Returns the envelope whose turn it is. `recv` receives one; its argument is true if the one before
    /// came early.
    #[inline]
    fn next<E>(
        &mut self,
        mut recv: impl FnMut(bool) -> Result<Option<Envelope<T>>, E>,
    ) -> Result<Option<Envelope<T>>, E> {
        let mut is_early = false;
        loop {
            if let Some(Some(_)) = self.early.front() {
                self.next = self.next.wrapping_add(1);
                return Ok(self.early.pop_front().flatten());
            }
            let Some(envelope) = recv(is_early)? else { return Ok(None) };
            let ahead = envelope.tag.wrapping_sub(self.next);
            if ahead == 0 {
                self.next = self.next.wrapping_add(1);
                self.early.pop_front();
                return Ok(Some(envelope));
            }
            if self.early.len() <= ahead {
                self.early.resize_with(ahead + 1, || None);
            }
            self.early[ahead] = Some(envelope);
            is_early = true;
        }
    }
}
