//! Several wakers at once: a list of waiting wakers, and waking all of them.

use crate::discard::discard;
use crate::sync::panicking;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::task::Waker;

/// A list of wakers, each with data of its owner (an `E`), the longest wait first.
///
/// The owner of an entry keeps its *ticket*, a number, to find the entry again. Tickets rise along the list.
/// So an entry is found in O(log n) steps; to remove it takes O(n) moves.
pub(crate) struct WakerList<E = ()> {
    entries: VecDeque<(u64, Waker, E)>,
    next: u64,
}

impl<E> WakerList<E> {
    pub(crate) const fn new() -> Self {
        WakerList { entries: VecDeque::new(), next: 0 }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Enters a waker: in the entry of the ticket if that is still there, otherwise at the end, with a new
    /// ticket. Returns the waker that it replaces. Dropping it may run the user's code, so the caller does
    /// that when it holds no lock.
    pub(crate) fn enter(&mut self, ticket: &mut Option<u64>, waker: Waker, owner: E) -> Option<Waker> {
        if let Some(entry) = ticket.and_then(|ticket| self.find(ticket)).map(|at| &mut self.entries[at]) {
            entry.2 = owner;
            return Some(std::mem::replace(&mut entry.1, waker));
        }
        self.entries.push_back((self.next, waker, owner));
        *ticket = Some(self.next);
        self.next += 1;
        None
    }

    /// Returns `true` if the ticket's entry is still there.
    pub(crate) fn contains(&self, ticket: u64) -> bool {
        self.find(ticket).is_some()
    }

    /// Returns `true` if the ticket's entry is still there, and wakes the task of this waker.
    pub(crate) fn is_of(&self, ticket: u64, waker: &Waker) -> bool {
        self.find(ticket).is_some_and(|at| self.entries[at].1.will_wake(waker))
    }

    /// Returns the ticket of the entry with the longest wait.
    pub(crate) fn first(&self) -> Option<u64> {
        self.entries.front().map(|(ticket, ..)| *ticket)
    }

    /// Replaces the waker of the ticket's entry, if that is still there. Returns the one that is not needed.
    pub(crate) fn replace(&mut self, ticket: u64, waker: Waker) -> Result<Waker, Waker> {
        match self.find(ticket) {
            Some(at) => Ok(std::mem::replace(&mut self.entries[at].1, waker)),
            None => Err(waker),
        }
    }

    /// Returns the data of the entry with the longest wait.
    pub(crate) fn first_owner_mut(&mut self) -> Option<&mut E> {
        self.entries.front_mut().map(|(.., owner)| owner)
    }

    /// Returns the data of the ticket's entry, if it is still there.
    pub(crate) fn owner_mut(&mut self, ticket: u64) -> Option<&mut E> {
        self.find(ticket).map(|at| &mut self.entries[at].2)
    }

    /// Removes the entries for which the function returns `true`.
    pub(crate) fn remove_all(&mut self, mut is_removed: impl FnMut(&E) -> bool) -> VecDeque<(u64, Waker, E)> {
        let (removed, left) = std::mem::take(&mut self.entries).into_iter().partition(|it| is_removed(&it.2));
        self.entries = left;
        removed
    }

    /// Removes the ticket's entry, if it is still there.
    pub(crate) fn remove(&mut self, ticket: u64) -> Option<(Waker, E)> {
        let at = self.find(ticket)?;
        let (_, waker, owner) = self.entries.remove(at)?;
        Some((waker, owner))
    }

    /// Takes the waker out of each entry; the entries stay.
    pub(crate) fn take_wakers(&mut self) -> Vec<Waker> {
        let taken = |(_, waker, _): &mut (u64, Waker, E)| std::mem::replace(waker, Waker::noop().clone());
        self.entries.iter_mut().map(taken).collect()
    }

    /// Removes the entry with the longest wait.
    pub(crate) fn pop(&mut self) -> Option<(u64, Waker, E)> {
        self.entries.pop_front()
    }

    /// Removes all entries. Their memory is kept for the next ones.
    pub(crate) fn take(&mut self) -> impl DoubleEndedIterator<Item = Waker> + '_ {
        self.entries.drain(..).map(|(_, waker, _)| waker)
    }

    fn find(&self, ticket: u64) -> Option<usize> {
        self.entries.binary_search_by_key(&ticket, |(number, ..)| *number).ok()
    }
}

/// Wakers to wake when a lock is no longer held, which is when this is dropped, even by a panic. The one that
/// was added last is woken first.
#[derive(Default)]
pub(crate) struct DeferredWakes {
    first: Option<Waker>,
    /// Seldom used: mostly there is at most one waker, and so no memory for more.
    more: Vec<Waker>,
}

impl DeferredWakes {
    pub(crate) fn of(wakers: impl IntoIterator<Item = Waker>) -> Self {
        let mut wakes = DeferredWakes::default();
        wakes.extend(wakers);
        wakes
    }

    pub(crate) fn extend(&mut self, wakers: impl IntoIterator<Item = Waker>) {
        let wakers = wakers.into_iter();
        // One of them, if it is alone, needs no memory.
        self.more.reserve(wakers.size_hint().0.saturating_sub(1));
        wakers.for_each(|waker| self.push(waker));
    }

    pub(crate) fn push(&mut self, waker: Waker) {
        match self.first {
            None => self.first = Some(waker),
            Some(_) => self.more.push(waker),
        }
    }

    /// Returns the same wakers, to be woken in the opposite order.
    pub(crate) fn reversed(mut self) -> DeferredWakes {
        if let Some(last) = self.more.pop() {
            self.more.reverse();
            self.more.extend(self.first.replace(last));
        }
        self
    }

    /// Moves these wakers to `other`.
    pub(crate) fn move_to(mut self, other: &mut DeferredWakes) {
        self.first.take().into_iter().chain(self.more.drain(..)).for_each(|waker| other.push(waker));
    }
}

impl Drop for DeferredWakes {
    #[inline]
    fn drop(&mut self) {
        if self.first.is_some() {
            wake_all(self.more.drain(..).rev().chain(self.first.take()));
        }
    }
}

/// Wakes all of them. If one panics, the others are still woken, and then the panic continues. Further
/// panics, and all panics in a thread that is already panicking, are forgotten, because two at once would
/// abort the process.
fn wake_all(wakers: impl IntoIterator<Item = Waker>) {
    let mut first = None;
    for waker in wakers {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| waker.wake())) {
            discard(first.replace(panic));
        }
    }
    if let Some(panic) = first {
        if panicking() {
            return discard(panic);
        }
        resume_unwind(panic);
    }
}
