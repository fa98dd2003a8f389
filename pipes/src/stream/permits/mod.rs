//! Permits, which limit how many messages of a stream with many senders are sent and not yet received.
//!
//! This is a semaphore with a queue, as in tokio's channels. A sender takes a permit before it sends, and the
//! receiver gives it back when it has received the message. Senders that find no permit wait in a queue, and
//! a permit goes directly to the first of them, so the senders do not race for it. A sender may ask for many
//! at once: the first in the queue gets permits until it has them all, so two such senders cannot each hold
//! what the other one lacks. The stream itself is unbounded, and knows nothing about its permits.
//!
//! # Costs
//!
//! A message costs its sender one more compare-and-exchange, and the receiver one more addition, each in a
//! word that the other side seldom touches. The lock of the queue is taken by a sender that finds no free
//! permit, once for all permits that have come back, and for each permit that goes to a waiting sender.
//!
//! # Access
//!
//! | what | who |
//! |---|---|
//! | `free`, `back` | any thread, by the steps in [`state`] |
//! | `queue` | the thread that has its lock; no user's code runs under it |
//! | `count` | any thread, to read it |

mod state;

use self::state::{Back, Free, MOST};
use crate::cache_padded::CachePadded;
use crate::sync::Lock;
use crate::wait::{AwaitedEnd, Caller, DeferredWakes, WakerList, spin_then_yield, wait_until};
use std::task::{Context, Poll};
use std::time::Instant;

/// The permits of a stream.
pub(super) struct Permits {
    free: CachePadded<Free>,
    back: CachePadded<Back>,
    queue: Lock<WaitQueue>,
    /// The number of all permits.
    pub(super) count: usize,
}

/// The senders that wait for permits.
struct WaitQueue {
    /// Each with the number of permits that it still lacks.
    wakers: WakerList<usize>,
    /// `true` once the port was dropped. No permit is needed any more, because no send succeeds.
    closed: bool,
}

impl Permits {
    /// Creates this number of permits, all of them free.
    pub(super) fn new(count: usize) -> Self {
        let count = count.min(MOST);
        Permits {
            count,
            free: CachePadded(Free::new(count)),
            back: CachePadded(Back::new()),
            queue: Lock::new(WaitQueue { wakers: WakerList::new(), closed: false }),
        }
    }

    /// Takes this many permits. Returns `None` if there are fewer, or if a sender waits for one.
    #[inline]
    pub(super) fn try_take(&self, count: usize) -> Option<Held<'_>> {
        if self.free.take(count) {
            Some(Held { permits: self, count })
        } else if self.back.is_waited_for() {
            None
        } else {
            // This takes the lock even if none seems to be back, because another sender may be collecting
            // them.
            self.try_collect(count)
        }
    }

    /// Returns `true` if [`try_take`](Self::try_take) may succeed. This look costs little.
    pub(super) fn seems_free(&self) -> bool {
        self.free.is_any() || self.back.is_any()
    }

    #[inline(never)]
    fn try_collect(&self, count: usize) -> Option<Held<'_>> {
        let mut wakes = DeferredWakes::default();
        let mut queue = self.queue.lock();
        let held = self.collect(&mut queue, &mut wakes, count);
        drop(queue);
        drop(wakes);
        held
    }

    /// Takes this many of the permits that are back or free, once the queue has got what it waits for.
    fn collect(&self, queue: &mut WaitQueue, wakes: &mut DeferredWakes, count: usize) -> Option<Held<'_>> {
        loop {
            let rest = self.serve(queue, wakes);
            if rest >= count {
                self.free.set_free(rest - count);
                return Some(Held { permits: self, count });
            }
            if rest > 0 {
                self.free.set_free(rest);
            }
            // Another sender may have set some free since the caller looked. None is free while the queue is
            // not empty.
            if self.free.take(count) {
                return Some(Held { permits: self, count });
            }
            // No other thread sets permits free while this one holds the lock, so one that came back after
            // the first look is still back. A processor may reorder the two looks. Then a permit that comes
            // back at this very moment may be overlooked, but a sender that waits looks again, by a step that
            // cannot be reordered.
            if self.back.is_empty() {
                return None;
            }
        }
    }

    /// Takes permits like [`collect`](Self::collect), or marks that the caller is about to join the queue.
    fn collect_or_wait(
        &self,
        queue: &mut WaitQueue,
        wakes: &mut DeferredWakes,
        count: usize,
    ) -> Option<Held<'_>> {
        let held = self.collect(queue, wakes, count);
        if held.is_some() || self.back.wait() {
            return held;
        }
        // A permit has come back in between.
        let held = self.collect(queue, wakes, count);
        if held.is_some() {
            self.back.clear_waited_for();
        }
        held
    }

    /// Collects the permits that are back, and grants them to the senders in the queue. Returns how many
    /// permits are left. If any are, the queue is empty.
    fn serve(&self, queue: &mut WaitQueue, wakes: &mut DeferredWakes) -> usize {
        let mut count = self.back.collect();
        while count > 0
            && let Some(lacking) = queue.wakers.first_owner_mut()
        {
            let granted = count.min(*lacking);
            count -= granted;
            *lacking -= granted;
            if *lacking == 0
                && let Some((_, waker, _)) = queue.wakers.pop()
            {
                wakes.push(waker);
            }
        }
        count
    }

    /// Takes a permit. Blocks the thread until there is one, or returns `None` if the deadline passed first.
    ///
    /// `awaited` and `caller` describe the wait to other threads.
    #[inline]
    pub(super) fn take(
        &self,
        deadline: impl FnOnce() -> Option<Instant>,
        awaited: AwaitedEnd,
        caller: Caller,
    ) -> Option<Held<'_>> {
        match self.try_take(1) {
            Some(held) => Some(held),
            None => self.wait(1, deadline(), awaited, caller),
        }
    }

    /// Takes this many permits. Blocks the thread until it has them.
    pub(super) fn take_many(&self, count: usize, awaited: AwaitedEnd, caller: Caller) -> Option<Held<'_>> {
        match self.try_take(count) {
            Some(held) => Some(held),
            None => self.wait(count, None, awaited, caller),
        }
    }

    #[cold]
    fn wait(
        &self,
        count: usize,
        deadline: Option<Instant>,
        awaited: AwaitedEnd,
        caller: Caller,
    ) -> Option<Held<'_>> {
        if self.queue.lock().closed {
            return Some(Held { permits: self, count });
        }
        if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
            return None;
        }
        let mut held = None;
        let mut arrived = || {
            held = if self.seems_free() { self.try_take(count) } else { None };
            held.is_some()
        };
        if spin_then_yield(1, &mut arrived, |_| false) {
            return held;
        }
        let mut request = Request::new(self, count);
        wait_until(caller, &awaited, || deadline, |cx| request.poll(cx)).or_else(|| request.end())
    }

    /// Gives permits back. They go to the senders that have waited longest. Returns the wakers of these
    /// senders.
    #[inline(always)]
    #[must_use]
    pub(super) fn release(&self, count: usize) -> DeferredWakes {
        if self.back.give(count) { self.grant() } else { DeferredWakes::default() }
    }

    /// Gives the permits that are back to the queue.
    #[cold]
    fn grant(&self) -> DeferredWakes {
        let mut wakes = DeferredWakes::default();
        let mut queue = self.queue.lock();
        let rest = self.serve(&mut queue, &mut wakes);
        if queue.wakers.is_empty() {
            self.free.set_free(rest);
            self.back.clear_waited_for();
        }
        wakes
    }

    /// Ends the need for permits, because the port was dropped. Returns the wakers of all senders that wait.
    pub(super) fn close(&self) -> DeferredWakes {
        let mut queue = self.queue.lock();
        queue.closed = true;
        DeferredWakes::of(queue.wakers.take())
    }
}

/// Permits that a sender holds, mostly one. They go back when this is dropped.
///
/// After the port was dropped, any number of these may exist, because no send succeeds, and so they permit
/// nothing.
pub(super) struct Held<'a> {
    permits: &'a Permits,
    count: usize,
}

impl<'a> Held<'a> {
    /// Passes the permits on to messages that are about to be sent.
    #[inline(always)]
    pub(super) fn forget(self) {
        std::mem::forget(self);
    }

    /// Takes one of them, if one is left.
    pub(super) fn take_one(&mut self) -> Option<Held<'a>> {
        self.count = self.count.checked_sub(1)?;
        Some(Held { permits: self.permits, count: 1 })
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        if self.count > 0 {
            drop(self.permits.release(self.count));
        }
    }
}

/// A sender's request for permits, mostly for one, for a thread or a task that waits. When this is dropped,
/// the request leaves the queue, and what it was granted in the meantime goes back.
pub(super) struct Request<'a> {
    permits: &'a Permits,
    count: usize,
    /// The ticket of its entry in the queue, or `None` if it has not joined the queue or has ended.
    ticket: Option<u64>,
}

impl<'a> Request<'a> {
    pub(super) fn new(permits: &'a Permits, count: usize) -> Self {
        Request { permits, count, ticket: None }
    }

    /// Continues a request for one permit that was suspended with this ticket, and that has not been
    /// continued since.
    pub(super) fn resume(permits: &'a Permits, ticket: Option<u64>) -> Self {
        Request { permits, count: 1, ticket }
    }

    /// Stops borrowing the permits. The request keeps its place in the queue. Returns its ticket, if it has
    /// joined the queue.
    pub(super) fn suspend(mut self) -> Option<u64> {
        self.ticket.take()
    }

    /// Returns `Ready` when there are permits, or the port was dropped. If it is polled again after that, it
    /// is a new request.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Held<'a>> {
        if self.ticket.is_none()
            && let Some(held) = self.permits.try_take(self.count)
        {
            return Poll::Ready(held);
        }
        // A waker is its executor's code: it is cloned before the lock is taken, and called or dropped after.
        let waker = cx.waker().clone();
        let mut wakes = DeferredWakes::default();
        let mut queue = self.permits.queue.lock();
        let (held, unneeded) = match self.ticket {
            Some(ticket) => match queue.wakers.replace(ticket, waker) {
                Ok(replaced) => (None, Some(replaced)),
                Err(waker) => (Some(self.granted()), Some(waker)),
            },
            None if queue.closed => (Some(self.granted()), Some(waker)),
            None => match self.permits.collect_or_wait(&mut queue, &mut wakes, self.count) {
                Some(held) => (Some(held), Some(waker)),
                None => {
                    // While it is in the queue, no permit may be free, so it takes those that are too few.
                    let taken = if self.count > 1 { self.permits.free.take_all() } else { 0 };
                    (None, queue.wakers.enter(&mut self.ticket, waker, self.count - taken))
                }
            },
        };
        if held.is_some() {
            self.ticket = None;
        }
        drop(queue);
        drop((wakes, unneeded));
        held.map_or(Poll::Pending, Poll::Ready)
    }

    /// Takes the permits, if there are enough now. Does not join the queue.
    pub(super) fn try_take(&mut self) -> Option<Held<'a>> {
        if self.ticket.is_none() {
            return self.permits.try_take(self.count);
        }
        self.seems_granted().then(|| {
            self.ticket = None;
            self.granted()
        })
    }

    /// Returns `true` if [`try_take`](Self::try_take) may succeed. If the request is in the queue, it will.
    pub(super) fn seems_granted(&self) -> bool {
        match self.ticket {
            None => self.permits.seems_free(),
            Some(ticket) => !self.permits.queue.lock().wakers.contains(ticket),
        }
    }

    /// Returns the permits that were granted.
    fn granted(&self) -> Held<'a> {
        Held { permits: self.permits, count: self.count }
    }

    /// Ends the request. Returns the permits if it was granted all of them; if only some, those go back.
    fn end(&mut self) -> Option<Held<'a>> {
        let ticket = self.ticket.take()?;
        let mut queue = self.permits.queue.lock();
        let left = queue.wakers.remove(ticket);
        if queue.wakers.is_empty() {
            self.permits.back.clear_waited_for();
        }
        drop(queue);
        let Some((waker, lacking)) = left else { return Some(self.granted()) };
        drop(Held { permits: self.permits, count: self.count - lacking });
        drop(waker);
        None
    }
}

impl Drop for Request<'_> {
    fn drop(&mut self) {
        drop(self.end());
    }
}
