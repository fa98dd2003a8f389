//! The outlet of an ordered point: of a source, or of a stage that processes one item after the other.

use super::crew::{Crew, Ended, Halted};
use super::lane::Lane;
use super::places::Places;
use crate::envelope::{Envelope, Group};
use crate::measure::probe::{QueueDepth, move_items};
use crate::measure::stamps::Stamps;
use pipes::{Chan, SharedChan};
use std::time::Instant;

/// The way from an ordered point to the next stage, with a place for each item that may be on it.
pub(crate) struct Outlet<T> {
    way: Way<T>,
    places: Places,
    /// A place was already taken for the next item.
    has_place: bool,
    /// The number of items in front of the next stage, if it is counted.
    queue: Option<QueueDepth>,
    stamps: Stamps,
    /// The time at which the next item left the source, and the number of items before it, which may wrap
    /// around.
    born: u64,
    gone: usize,
}

enum Way<T> {
    /// To a stage that also processes one item after the other.
    Direct(Chan<T>),
    /// Into a region.
    Region(Lane<T>),
    /// To a merge, with the number of this pipeline.
    Merge(SharedChan<(usize, T)>, usize),
}

/// An item that was not handed over.
pub(crate) struct Refused<T>(pub(crate) T, pub(crate) Ended);

impl<T> Outlet<T> {
    pub(crate) fn direct(chan: Chan<T>, places: Places, stamps: Stamps) -> Self {
        Outlet::new(Way::Direct(chan), places, stamps)
    }

    pub(crate) fn region(lane: Lane<T>, places: Places, stamps: Stamps) -> Self {
        Outlet::new(Way::Region(lane), places, stamps)
    }

    pub(crate) fn merge(chan: SharedChan<(usize, T)>, number: usize, places: Places, stamps: Stamps) -> Self {
        Outlet::new(Way::Merge(chan, number), places, stamps)
    }

    fn new(way: Way<T>, places: Places, stamps: Stamps) -> Self {
        Outlet { way, places, has_place: false, queue: None, stamps, born: 0, gone: 0 }
    }

    /// Counts the items in front of the next stage.
    pub(crate) fn counted(mut self, queue: Option<QueueDepth>) -> Self {
        self.queue = queue;
        self
    }

    /// Notes that items that are emitted from now on leave the source now.
    #[inline]
    pub(crate) fn leaves_source(&mut self) {
        self.born = self.stamps.now();
    }

    /// Notes that items that are emitted from now on left the source at this time.
    #[inline]
    pub(crate) fn left_source(&mut self, born: u64) {
        self.born = born;
    }

    /// Waits until there is a place for one more item, before that item is taken. Before it waits it calls
    /// `pay`, which gives back places elsewhere.
    #[inline]
    pub(crate) fn reserve(
        &mut self,
        crew: &Crew,
        deadline: Option<Instant>,
        pay: impl FnMut(),
    ) -> Result<(), Ended> {
        if !self.has_place {
            self.places.take(crew, deadline, pay)?;
            self.has_place = true;
        }
        Ok(())
    }

    /// Hands an item over, as soon as there is a place for it. Before it waits it calls `pay`, which gives
    /// back places elsewhere.
    #[inline]
    pub(crate) fn emit(&mut self, crew: &Crew, item: T, pay: impl FnMut()) -> Result<(), Halted> {
        self.reserve(crew, None, pay)?;
        self.hand_over(item).map_err(|_| Halted)
    }

    /// Hands an item over if there is a place for it, now or until the deadline. The item leaves the source
    /// when it has its place.
    #[inline]
    pub(crate) fn offer(
        &mut self,
        crew: &Crew,
        item: T,
        deadline: Option<Instant>,
    ) -> Result<(), Refused<T>> {
        if let Err(ended) = self.reserve(crew, deadline, || ()) {
            return Err(Refused(item, ended));
        }
        self.leaves_source();
        self.hand_over(item).map_err(|item| Refused(item, Ended::Halted))
    }

    /// Hands an item over, in the place that was reserved. Returns it if the next stage has ended.
    #[inline]
    fn hand_over(&mut self, item: T) -> Result<(), T> {
        self.has_place = false;
        let tag = self.gone;
        self.gone = tag.wrapping_add(1);
        self.stamps.set(tag, self.born);
        move_items(self.queue.as_ref(), 1);
        match &mut self.way {
            Way::Direct(chan) => chan.send(item).map_err(|closed| closed.into_payload()),
            Way::Merge(chan, number) => hand_to_merge(chan, *number, item),
            Way::Region(lane) => hand_to_lane(lane, tag, item),
        }
    }
}

#[inline]
fn hand_to_merge<T>(chan: &SharedChan<(usize, T)>, number: usize, item: T) -> Result<(), T> {
    chan.send((number, item)).map_err(|closed| closed.into_payload().1)
}

#[inline]
fn hand_to_lane<T>(lane: &mut Lane<T>, tag: usize, item: T) -> Result<(), T> {
    lane.send(Envelope { tag, items: Group::One(item) }).map_err(|back| match back.items {
        Group::One(item) => item,
        Group::None | Group::Many(_) => unreachable!("a lane gives back the envelope that it was given"),
    })
}
