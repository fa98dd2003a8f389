//! A count of events, and the receivers that wait for the next one: all of them are woken.
//!
//! Each receiver knows the number of events that it has seen. So it is ready as soon as that number differs
//! from the count, and it does not matter which event has woken it, or whether one has.
//!
//! # Access
//!
//! | what | who |
//! |---|---|
//! | `word` | any thread, by the steps below |
//! | `list` | the thread that has its lock; no user's code runs under it |
//!
//! # Steps of the word
//!
//! It has the count, and two marks: `CLOSED`, and `WAITED_FOR` if a receiver is in the list or is about to
//! enter it.
//!
//! | step | by | with the lock of the list |
//! |---|---|---|
//! | **add**: one more event; says whether the list is waited for | the source, one thread at a time | no |
//! | **close**: sets `CLOSED`; says the same | the source, once | no |
//! | **mark**: sets `WAITED_FOR`; says what the word was | a receiver that is about to enter the list | yes |
//! | **clear**: removes `WAITED_FOR` | the source that takes the list | yes |
//!
//! *Mark* and *add* change the same word. So either the receiver finds the event and does not enter the list,
//! or the source finds the mark, waits for the lock, and finds the receiver in the list.
//!
//! A source may be slow to take the list. In the meantime a receiver may see the event, and enter the list
//! for the next one; it is then woken for nothing. So a receiver that was woken looks whether it is still in
//! the list ([`Waiting::has_come`]). If it is not, it enters again: no source would wake it otherwise.

use super::waitable::{Taken, Waitable};
use super::waiter::Waiter;
use super::wakers::{DeferredWakes, WakerList};
use crate::cache_padded::CachePadded;
use crate::sync::{AtomicUsize, Lock, Ordering};
use std::task::Waker;

const CLOSED: usize = 1;
const WAITED_FOR: usize = 2;
/// The unit of the count: one event.
const ONE: usize = 4;

/// A number of events. It wraps, on 32 bits after 2³⁰ events: a receiver that misses exactly that many sees
/// nothing until the next one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Count(usize);

impl Count {
    /// No number of events.
    pub(crate) const NEVER: Count = Count(CLOSED);

    #[inline(always)]
    fn of(word: usize) -> Count {
        Count(word & !(CLOSED | WAITED_FOR))
    }

    /// Returns the count this many events later.
    #[inline(always)]
    pub(crate) fn plus(self, events: usize) -> Count {
        Count(self.0.wrapping_add(events.wrapping_mul(ONE)))
    }

    /// Returns the number of events since an earlier count.
    #[inline(always)]
    pub(crate) fn since(self, earlier: Count) -> usize {
        self.0.wrapping_sub(earlier.0) / ONE
    }
}

/// What a look finds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    /// There was no event since the count that was seen.
    Nothing,
    /// There was an event.
    Event,
    /// There was none, and there will be none.
    Closed,
}

impl Look {
    /// Compares a word with the count that was seen.
    #[inline(always)]
    fn of(word: usize, seen: Count) -> Look {
        if Count::of(word) != seen {
            Look::Event
        } else if word & CLOSED != 0 {
            Look::Closed
        } else {
            Look::Nothing
        }
    }
}

/// The number of events so far, and those that wait for the next one.
pub(crate) struct Waiters {
    word: CachePadded<AtomicUsize>,
    list: Lock<WakerList>,
}

impl Waiters {
    pub(crate) fn new() -> Self {
        Waiters { word: CachePadded(AtomicUsize::new(0)), list: Lock::new(WakerList::new()) }
    }

    /// Returns the name of the channel that counts its events here.
    pub(crate) fn channel(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    /// Returns the number of events so far, for a caller that keeps the source from adding one, by a lock
    /// that the source holds when it adds.
    pub(crate) fn count(&self) -> Count {
        // ORDERING: Relaxed: the lock orders it.
        Count::of(self.word.load(Ordering::Relaxed))
    }

    /// Looks whether there was an event since this count.
    #[inline(always)]
    pub(crate) fn look(&self, seen: Count) -> Look {
        self.look_and_count(seen).0
    }

    /// Looks whether there was an event since this count. Returns the number of events up to the last one
    /// that it has found as well.
    #[inline(always)]
    pub(crate) fn look_and_count(&self, seen: Count) -> (Look, Count) {
        // ORDERING: Acquire pairs with `add` and `close`: what the source did before is seen.
        let word = self.word.load(Ordering::Acquire);
        (Look::of(word, seen), Count::of(word))
    }

    /// Returns what a receiver waits at that has seen this number of events. The ticket is that of its entry
    /// in the list, if it has one; the entry may have been taken out. At most `most` events come in a row
    /// before the source waits for this receiver.
    pub(crate) fn waiting<'a>(
        &'a self,
        seen: Count,
        ticket: &'a mut Option<u64>,
        most: usize,
    ) -> Waiting<'a> {
        Waiting { waiters: self, seen, ticket, most }
    }

    /// Adds an event. Returns `true` if the caller has to [wake](Waiters::wake_all) those that wait, which it
    /// does without a lock.
    #[inline(always)]
    #[must_use]
    pub(crate) fn add(&self) -> bool {
        // ORDERING: Release pairs with `look` and `mark`. What the receivers did before they marked the word
        // is seen under the lock of the list.
        self.word.fetch_add(ONE, Ordering::Release) & WAITED_FOR != 0
    }

    /// Announces that there will be no further event. Returns the wakers of all that wait.
    pub(crate) fn close(&self) -> DeferredWakes {
        // ORDERING: Release, as in `add`.
        if self.word.fetch_or(CLOSED, Ordering::Release) & WAITED_FOR != 0 {
            self.wake_all()
        } else {
            DeferredWakes::default()
        }
    }

    /// Returns the wakers of all that wait, in their order.
    #[cold]
    pub(crate) fn wake_all(&self) -> DeferredWakes {
        let mut list = self.list.lock();
        // ORDERING: Relaxed: it is read by the step that found the mark, and the lock orders the marks.
        self.word.fetch_and(!WAITED_FOR, Ordering::Relaxed);
        let wakers = list.take();
        drop(list);
        DeferredWakes::of(wakers.rev())
    }

    /// Enters a waiter for the event after `seen`: in the entry of the ticket if that is still there,
    /// otherwise at the end. Returns the waiter in `Err` if there was an event since.
    fn enter(&self, seen: Count, ticket: &mut Option<u64>, waiter: Waiter) -> Result<(), Waiter> {
        let mut list = self.list.lock();
        // ORDERING: Acquire pairs with `add` and `close`, if their event has come. Otherwise they find the
        // mark, and the lock orders the rest.
        let word = self.word.fetch_or(WAITED_FOR, Ordering::Acquire);
        if Look::of(word, seen) != Look::Nothing {
            return Err(waiter);
        }
        let earlier = list.enter(ticket, waiter.into_waker(), ());
        drop(list);
        // The destructor of a waker is its executor's code.
        drop(earlier);
        Ok(())
    }
}

/// A receiver that may wait: what it has seen, and its place in the list.
pub(crate) struct Waiting<'a> {
    waiters: &'a Waiters,
    seen: Count,
    ticket: &'a mut Option<u64>,
    most: usize,
}

impl Waiting<'_> {
    fn look(&self) -> Look {
        self.waiters.look(self.seen)
    }
}

impl Waitable for Waiting<'_> {
    fn channel(&self) -> usize {
        self.waiters.channel()
    }

    fn most_in_a_row(&self) -> usize {
        self.most
    }

    fn have_come(&self, messages: usize) -> bool {
        self.waiters.look_and_count(self.seen).1.since(self.seen) > messages
    }

    /// Returns `true` as well if this receiver was taken out of the list.
    fn has_come(&self) -> bool {
        self.look() != Look::Nothing
            || self.ticket.is_some_and(|ticket| !self.waiters.list.lock().contains(ticket))
    }

    fn is_ready(&self) -> bool {
        self.look() != Look::Nothing
    }

    fn is_waiting_as(&self, waker: &Waker) -> bool {
        self.ticket.is_some_and(|ticket| self.waiters.list.lock().is_of(ticket, waker))
    }

    fn register(&mut self, waiter: Waiter) -> Result<(), Waiter> {
        self.waiters.enter(self.seen, self.ticket, waiter)
    }

    /// It keeps its entry if it has one. So it is refused only if there was an event, and not because it was
    /// woken for an event that it has seen already.
    fn replace(&mut self, waiter: Waiter) -> Result<(), Waiter> {
        self.register(waiter)
    }

    fn unregister(&mut self) -> Result<Option<Waiter>, Taken> {
        let Some(ticket) = self.ticket.take() else { return Ok(None) };
        let entry = self.waiters.list.lock().remove(ticket);
        entry.map(|(waker, ())| Some(Waiter::new(waker))).ok_or(Taken)
    }
}
