//! A count of events, and the receivers that wait for the next one: all of them are woken.
//!
//! Each receiver knows the number of events that it has seen. So it is ready as soon as that number differs
//! from the count, and it does not matter which event has woken it, or whether one has.
//!
//! The receivers wait in several *shards*, each with a list and a lock of its own. A receiver enters the
//! shard of its thread. So receivers on different threads seldom wait for each other's lock.
//!
//! # Access
//!
//! | what | who |
//! |---|---|
//! | `word` | any thread, by the steps below |
//! | a list in `shards` | the thread that has its lock; no user's code runs under it |
//!
//! # Steps of the word
//!
//! It has the count, `CLOSED`, and a mark for each shard: a receiver is in its list or is about to enter it.
//!
//! | step | by | with the lock of the shard |
//! |---|---|---|
//! | **add**: one more event; returns the marks | the source, one thread at a time | no |
//! | **close**: sets `CLOSED`; returns the marks | the source, once | no |
//! | **mark**: sets the mark of a shard; says what the word was | a receiver that is about to enter | yes |
//! | **clear**: removes the mark of a shard | the source that takes the list | yes |
//!
//! *Mark* and *add* change the same word. So either the receiver finds the event and does not enter the list,
//! or the source finds the mark, waits for the lock, and finds the receiver in the list. If the mark is set,
//! a receiver need not set it: it is cleared only with the lock.
//!
//! A source may be slow to take the list. In the meantime a receiver may see the event, and enter the list
//! for the next one; it is then woken for nothing. So a receiver that was woken looks whether it is still in
//! the list ([`Waiting::has_come`]). If it is not, it enters again: no source would wake it otherwise.
//!
//! The entry of a receiver that has seen an event since is left to the source of that event, which takes it
//! out.

use super::waitable::{Taken, Waitable};
use super::waiter::Waiter;
use super::wakers::{DeferredWakes, WakerList};
use crate::cache_padded::CachePadded;
use crate::sync::{AtomicUsize, Lock, Ordering, thread_number};
use std::task::Waker;

const SHARDS: usize = 4;

const CLOSED: usize = 1;
/// The mark of the first shard; those of the others follow.
const WAITED_FOR: usize = 2;
const MARKS: usize = WAITED_FOR * ((1 << SHARDS) - 1);
/// The unit of the count: one event.
const ONE: usize = WAITED_FOR << SHARDS;

/// A number of events. It wraps, on 32 bits after 2²⁷ events: a receiver that misses exactly that many sees
/// nothing until the next one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Count(usize);

impl Count {
    /// No number of events.
    pub(crate) const NEVER: Count = Count(CLOSED);

    #[inline(always)]
    fn of(word: usize) -> Count {
        Count(word & !(CLOSED | MARKS))
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
    shards: [Shard; SHARDS],
}

type Shard = CachePadded<Lock<WakerList>>;

/// The shards in which receivers wait for an event that has come.
#[derive(Clone, Copy)]
#[must_use = "those that wait are to be woken"]
pub(crate) struct Marks(usize);

/// The entry of a receiver, which waits for the event after `seen`.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    seen: Count,
    shard: usize,
    ticket: u64,
}

impl Marks {
    /// Returns `true` if no receiver waits.
    #[inline(always)]
    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    fn has(self, shard: usize) -> bool {
        self.0 & WAITED_FOR << shard != 0
    }
}

impl Waiters {
    pub(crate) fn new() -> Self {
        let shards = std::array::from_fn(|_| CachePadded(Lock::new(WakerList::new())));
        Waiters { word: CachePadded(AtomicUsize::new(0)), shards }
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

    /// Returns what a receiver waits at that has seen this number of events. The entry is its own in the
    /// list, if it has one; it may have been taken out. At most `most` events come in a row before the source
    /// waits for this receiver.
    pub(crate) fn waiting<'a>(
        &'a self,
        seen: Count,
        entry: &'a mut Option<Entry>,
        most: usize,
    ) -> Waiting<'a> {
        Waiting { waiters: self, seen, entry, most }
    }

    /// Adds an event. Returns the marks of those that wait, whom the caller has to
    /// [wake](Waiters::wake_all), which it does without a lock.
    #[inline(always)]
    pub(crate) fn add(&self) -> Marks {
        // ORDERING: Release pairs with `look` and `enter`. What the receivers did before they marked the word
        // is seen under the lock of their shard.
        Marks(self.word.fetch_add(ONE, Ordering::Release) & MARKS)
    }

    /// Announces that there will be no further event. Returns the wakers of all that wait.
    pub(crate) fn close(&self) -> DeferredWakes {
        // ORDERING: Release, as in `add`.
        let marks = Marks(self.word.fetch_or(CLOSED, Ordering::Release) & MARKS);
        if marks.is_empty() { DeferredWakes::default() } else { self.wake_all(marks) }
    }

    /// Returns the wakers of all that wait, those of each shard in their order.
    #[cold]
    pub(crate) fn wake_all(&self, marks: Marks) -> DeferredWakes {
        let mut wakes = DeferredWakes::default();
        for (shard, list) in self.shards.iter().enumerate().filter(|it| marks.has(it.0)) {
            let mut list = list.lock();
            // ORDERING: Relaxed: it is read by the step that found the mark, and the lock orders the marks.
            self.word.fetch_and(!(WAITED_FOR << shard), Ordering::Relaxed);
            wakes.extend(list.take().rev());
        }
        wakes
    }

    /// Enters a waiter for the event after `seen`: in its entry if that is still there, otherwise at the end
    /// of the list. Returns the waiter in `Err` if there was an event since.
    fn enter(&self, seen: Count, entry: &mut Option<Entry>, waiter: Waiter) -> Result<(), Waiter> {
        let earlier = entry.filter(|it| it.seen == seen);
        let shard = earlier.map_or_else(|| thread_number() % SHARDS, |it| it.shard);
        let mark = WAITED_FOR << shard;
        let mut list = self.shards[shard].lock();
        // ORDERING: Acquire pairs with `add` and `close`, if their event has come. Otherwise they find the
        // mark, and the lock orders the rest.
        let mut word = self.word.load(Ordering::Acquire);
        if word & mark == 0 {
            // ORDERING: the same.
            word = self.word.fetch_or(mark, Ordering::Acquire);
        }
        if Look::of(word, seen) != Look::Nothing {
            return Err(waiter);
        }
        let mut ticket = earlier.map(|it| it.ticket);
        let replaced = list.enter(&mut ticket, waiter.into_waker(), ());
        *entry = ticket.map(|ticket| Entry { seen, shard, ticket });
        drop(list);
        // The destructor of a waker is its executor's code.
        drop(replaced);
        Ok(())
    }
}

/// A receiver that may wait: what it has seen, and its entry in a list.
pub(crate) struct Waiting<'a> {
    waiters: &'a Waiters,
    seen: Count,
    entry: &'a mut Option<Entry>,
    most: usize,
}

impl Waiting<'_> {
    fn look(&self) -> Look {
        self.waiters.look(self.seen)
    }

    /// Looks at the entry in its list. Returns `None` if there is none for the next event.
    fn find(&self, find: impl FnOnce(&WakerList, u64) -> bool) -> Option<bool> {
        let Entry { shard, ticket, .. } = self.entry.filter(|it| it.seen == self.seen)?;
        Some(find(&self.waiters.shards[shard].lock(), ticket))
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
        self.look() != Look::Nothing || self.find(|list, ticket| !list.contains(ticket)) == Some(true)
    }

    fn is_ready(&self) -> bool {
        self.look() != Look::Nothing
    }

    fn is_waiting_as(&self, waker: &Waker) -> bool {
        self.find(|list, ticket| list.is_of(ticket, waker)) == Some(true)
    }

    fn register(&mut self, waiter: Waiter) -> Result<(), Waiter> {
        self.waiters.enter(self.seen, self.entry, waiter)
    }

    /// It keeps its entry if it has one. So it is refused only if there was an event, and not because it was
    /// woken for an event that it has seen already.
    fn replace(&mut self, waiter: Waiter) -> Result<(), Waiter> {
        self.register(waiter)
    }

    fn unregister(&mut self) -> Result<Option<Waiter>, Taken> {
        let Some(Entry { shard, ticket, .. }) = self.entry.take() else { return Ok(None) };
        let removed = self.waiters.shards[shard].lock().remove(ticket);
        removed.map(|(waker, ())| Some(Waiter::new(waker))).ok_or(Taken)
    }
}
