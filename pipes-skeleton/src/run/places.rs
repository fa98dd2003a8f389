//! The places of a window, or of a queue between two stages. One place is taken for an item before the item
//! is made, and given back when the item is done.
//!
//! Places are given back in groups of a quarter of all, so that a stage that ran out of places is not woken
//! for each. But a stage that gives places back never keeps any while it waits, for an item or for a place
//! further on.
//!
//! In a region whose end needs no order, an item that becomes nothing is not sent on: the replica that drops
//! it gives its place back by itself. All of them together keep less than a quarter of the places.

use super::crew::{Crew, Ended};
use super::recv::recv_paying;
use pipes::{Port, SharedChan, shared_stream};
use std::time::Instant;

/// The side that takes places.
pub(crate) struct Places {
    free: usize,
    back: Port<usize>,
}

/// The side that gives them back.
pub(crate) struct Debts {
    owed: usize,
    group: usize,
    back: SharedChan<usize>,
}

/// The way back for the places of items that become nothing within a region.
pub(crate) struct Refund {
    /// The number of places that replicas may keep together.
    spare: usize,
    back: SharedChan<usize>,
}

/// Creates `count` places, all of them free.
pub(crate) fn places(count: usize) -> (Debts, Places) {
    let (chan, port) = shared_stream();
    (Debts { owed: 0, group: (count / 4).max(1), back: chan }, Places { free: count, back: port })
}

impl Refund {
    /// Splits the debts among the replicas of a stage. The stage takes half of what the stages behind it have
    /// left.
    pub(crate) fn split(&mut self, replicas: usize) -> Vec<Debts> {
        let part = self.spare.div_ceil(2);
        self.spare -= part;
        let debts = || Debts { owed: 0, group: (part / replicas).max(1), back: self.back.clone() };
        (0..replicas).map(|_| debts()).collect()
    }
}

impl Places {
    /// Takes a place, as soon as one is free. Before it waits it calls `pay`, which gives back places
    /// elsewhere.
    #[inline]
    pub(crate) fn take(
        &mut self,
        crew: &Crew,
        deadline: Option<Instant>,
        mut pay: impl FnMut(),
    ) -> Result<(), Ended> {
        if self.free == 0 {
            self.refill(crew, deadline, &mut pay)?;
        }
        self.free -= 1;
        Ok(())
    }

    #[inline(never)]
    fn refill(
        &mut self,
        crew: &Crew,
        mut deadline: Option<Instant>,
        pay: &mut dyn FnMut(),
    ) -> Result<(), Ended> {
        let first = recv_paying(&mut self.back, crew, &mut deadline, pay)?;
        self.free = first.ok_or(Ended::Halted)? + self.back.try_iter().sum::<usize>();
        Ok(())
    }
}

impl Debts {
    /// Creates the debts of items that come from outside and have no places.
    pub(crate) fn none() -> Self {
        places(usize::MAX).0
    }

    /// Creates a way back for the replicas of the region.
    pub(crate) fn refund(&self) -> Refund {
        Refund { spare: self.group, back: self.back.clone() }
    }

    /// Notes that an item is done.
    #[inline]
    pub(crate) fn settle(&mut self) {
        self.owed += 1;
        if self.owed >= self.group {
            self.give_back();
        }
    }

    /// Gives all places back, because the other side may need them now.
    pub(crate) fn give_back(&mut self) {
        if self.owed > 0 {
            // If the other side has ended, they are not needed.
            let _ = self.back.send(std::mem::take(&mut self.owed));
        }
    }
}
