//! The places of a window, or of a queue between two stages: one is taken for an item before there is one,
//! and given back when it is done.
//!
//! They come back in groups, of a quarter of all, so that a stage that ran out of places is not woken for
//! each; but a stage that gives places back never waits while it keeps any, neither for an item nor for a
//! place further on.

use super::crew::{Crew, Ended};
use super::recv::recv_paying;
use crate::stream::{Chan, Port, stream};
use std::time::Instant;

/// The side that takes places.
pub(in crate::skeleton) struct Places {
    free: usize,
    back: Port<usize>,
}

/// The side that gives them back.
pub(in crate::skeleton) struct Debts {
    owed: usize,
    group: usize,
    back: Chan<usize>,
}

/// This number of places, all of them free.
pub(in crate::skeleton) fn places(count: usize) -> (Debts, Places) {
    let (chan, port) = stream();
    (Debts { owed: 0, group: (count / 4).max(1), back: chan }, Places { free: count, back: port })
}

impl Places {
    /// Takes a place, as soon as one is free. Pays what is owed elsewhere before it waits.
    #[inline]
    pub(in crate::skeleton) fn take(
        &mut self,
        crew: &Crew,
        deadline: Option<Instant>,
        pay: impl FnOnce(),
    ) -> Result<(), Ended> {
        if self.free == 0 {
            self.refill(crew, deadline, pay)?;
        }
        self.free -= 1;
        Ok(())
    }

    #[inline(never)]
    fn refill(&mut self, crew: &Crew, deadline: Option<Instant>, pay: impl FnOnce()) -> Result<(), Ended> {
        let first = recv_paying(&mut self.back, crew, &mut || deadline, pay)?;
        self.free = first.ok_or(Ended::Halted)? + self.back.try_iter().sum::<usize>();
        Ok(())
    }
}

impl Debts {
    /// For items that come from outside, and have no places.
    pub(in crate::skeleton) fn none() -> Self {
        places(usize::MAX).0
    }

    /// An item is done.
    #[inline]
    pub(in crate::skeleton) fn settle(&mut self) {
        self.owed += 1;
        if self.owed >= self.group {
            self.give_back();
        }
    }

    /// Gives all back: the other side may be needed now.
    pub(in crate::skeleton) fn give_back(&mut self) {
        if self.owed > 0 {
            // If the other side has gone, they are not needed.
            let _ = self.back.send(std::mem::take(&mut self.owed));
        }
    }
}
