//! The ring, which all ends share: places for messages, and the lock of the senders.
//!
//! # Access
//!
//! | what | who |
//! |---|---|
//! | `tail` | the thread that has its lock; no user's code runs under it |
//! | `places` | see [`state`](super::state) |
//! | `sent` | its own steps; only the thread with the lock of the tail adds to it |
//!
//! A message is put into its place before it is counted in `sent`, so a receiver that sees the count finds
//! it. A receiver is counted in `receivers` as long as it exists. So each message that is sent in this time
//! has a claim of its own for it.
//!
//! The senders that wait stand in a line. A sender sends only if it is the first, or if none waits. The first
//! marks the place that it waits for, and is woken when that is free; it stays in the line until it has sent,
//! and then wakes the next one if there is room for it.
//!
//! # Messages that are put aside
//!
//! A sender that does not wait for its receivers may find that one of them is cloning the message that it is
//! about to overwrite. The clone may take long, or wait for this very sender. So the new message is *put
//! aside*, in the tail, until it is received or overwritten in its turn. A receiver clones it without the
//! lock of the tail, and keeps its claim until then, because the clone may panic.

use super::place::Place;
use super::state::MOST;
use crate::slot::bounded::Sent;
use crate::sync::{Arc, Lock};
use crate::wait::{Count, DeferredWakes, Waiters, WakerList};
use std::alloc::Layout;
use std::task::Waker;

/// What all ends share. `P` is the kind of its places.
pub(crate) struct BroadcastRing<P: Place> {
    tail: Lock<Tail<P::Message>>,
    pub(super) places: Box<[P]>,
    /// Counts the messages that were sent.
    pub(super) sent: Waiters,
}

struct Tail<T> {
    /// The place of the next message.
    index: usize,
    receivers: usize,
    senders: usize,
    /// The senders that wait for room.
    line: WakerList,
    aside: Vec<Aside<T>>,
}

/// A message that was put aside.
struct Aside<T> {
    number: Count,
    /// The number of receivers that have not received it.
    left: usize,
    message: Arc<T>,
}

/// Where a receiver stands: the number of its next message, and the place.
#[derive(Clone, Copy)]
pub(super) struct Position {
    pub(super) number: Count,
    pub(super) index: usize,
}

impl<P: Place> BroadcastRing<P> {
    /// Returns the name of the channel.
    pub(crate) fn channel(&self) -> usize {
        self.sent.channel()
    }

    /// Returns `true` if the memory of this many places can be addressed.
    pub(crate) fn is_addressable(capacity: usize) -> bool {
        Layout::array::<P>(capacity).is_ok()
    }

    /// Creates a ring of this many places, with one sender and no receiver.
    pub(crate) fn new(capacity: usize) -> Arc<Self> {
        let tail = Tail { index: 0, receivers: 0, senders: 1, line: WakerList::new(), aside: Vec::new() };
        let places = (0..capacity).map(|_| P::new()).collect();
        Arc::new(BroadcastRing { tail: Lock::new(tail), places, sent: Waiters::new() })
    }

    /// Returns the number of places.
    pub(crate) fn capacity(&self) -> usize {
        self.places.len()
    }

    /// Returns the place behind this one.
    #[inline(always)]
    pub(super) fn after(&self, index: usize) -> usize {
        if index + 1 == self.places.len() { 0 } else { index + 1 }
    }

    /// Sends a message, unless there is no room or no receiver. A sender in the line has a ticket, and stays
    /// there unless it has sent. No code of the user's runs before the message is sent or returned.
    #[inline]
    pub(crate) fn send(&self, message: P::Message, ticket: &mut Option<u64>) -> Sent<P::Message> {
        let mut tail = self.tail.lock();
        if tail.receivers == 0 {
            return Sent::Gone(message);
        }
        let place = &self.places[tail.index];
        let is_first = tail.line.first().is_none_or(|first| Some(first) == *ticket);
        if !is_first || !place.is_free() {
            return Sent::Full(message);
        }
        let number = self.sent.count();
        let overwritten = tail.overwrite(number, self.places.len());
        // SAFETY: the caller has the lock of the tail, with which alone messages are put into places, and has
        // found the place to be free. There are at most `MOST` receivers (`add_receiver`).
        let before = match unsafe { place.put(number, message, tail.receivers) } {
            Ok(before) => before,
            Err(message) => {
                let left = tail.receivers;
                tail.aside.push(Aside { number, left, message: Arc::new(message) });
                None
            }
        };
        tail.index = self.after(tail.index);
        let waiting = self.sent.add();
        // A sender with a ticket is in the line.
        let has_line = !tail.line.is_empty();
        if has_line || !waiting.is_empty() {
            let mut senders = DeferredWakes::default();
            let left = if has_line { self.leave_line(&mut tail, ticket, &mut senders) } else { None };
            drop(tail);
            let receivers = self.sent.wake_all(waiting);
            // If a waker or a destructor panics, the others still run.
            drop((receivers, senders, left, before, overwritten));
        } else {
            drop(tail);
            drop((before, overwritten));
        }
        Sent::Done
    }

    /// Enters the line if the sender is not in it. Returns `true` if it is the first and there is room, which
    /// then stays, or if there is no receiver. The waker, if there is one, replaces the one before.
    pub(crate) fn request(&self, ticket: &mut Option<u64>, waker: Option<Waker>) -> bool {
        let mut tail = self.tail.lock();
        let is_new = ticket.is_none_or(|ticket| !tail.line.contains(ticket));
        let unneeded = match waker {
            Some(waker) => tail.line.enter(ticket, waker, ()),
            None if is_new => tail.line.enter(ticket, Waker::noop().clone(), ()),
            None => None,
        };
        let is_first = tail.line.first() == *ticket;
        let may_send = tail.receivers == 0 || (is_first && self.places[tail.index].mark());
        drop(tail);
        drop(unneeded);
        may_send
    }

    /// Returns `true` if a sender that waits may go on, and there is room for this many messages more.
    pub(crate) fn may_have_room(&self, ahead: usize) -> bool {
        let tail = self.tail.lock();
        let index = (tail.index + ahead.min(self.places.len() - 1)) % self.places.len();
        self.places[index].is_free() || tail.receivers == 0
    }

    /// Removes a sender from the line, and adds the waker of the one that is first now, if there is room for
    /// it. Returns the waker of the sender.
    fn leave_line(
        &self,
        tail: &mut Tail<P::Message>,
        ticket: &mut Option<u64>,
        wakes: &mut DeferredWakes,
    ) -> Option<Waker> {
        let entry = ticket.take().and_then(|ticket| tail.line.remove(ticket));
        self.serve(tail, wakes);
        entry.map(|(waker, ())| waker)
    }

    /// Adds the waker of the first sender in the line, if there is room for it; otherwise marks its place.
    fn serve(&self, tail: &mut Tail<P::Message>, wakes: &mut DeferredWakes) {
        if let Some(first) = tail.line.first()
            && self.places[tail.index].mark()
            && let Ok(waker) = tail.line.replace(first, Waker::noop().clone())
        {
            wakes.push(waker);
        }
    }

    /// Returns the waker of the sender for which a place has become free.
    #[cold]
    pub(super) fn wake_sender(&self) -> DeferredWakes {
        let mut wakes = DeferredWakes::default();
        self.serve(&mut self.tail.lock(), &mut wakes);
        wakes
    }

    /// A sender gives up its place in the line.
    #[inline(always)]
    pub(crate) fn give_up(&self, ticket: Option<u64>) {
        if ticket.is_some() {
            self.leave(ticket);
        }
    }

    #[cold]
    fn leave(&self, mut ticket: Option<u64>) {
        let mut wakes = DeferredWakes::default();
        let left = self.leave_line(&mut self.tail.lock(), &mut ticket, &mut wakes);
        drop(wakes);
        drop(left);
    }

    /// Returns `true` if there is no receiver.
    pub(crate) fn has_no_receiver(&self) -> bool {
        self.tail.lock().receivers == 0
    }

    /// Adds a sender.
    pub(crate) fn add_sender(&self) {
        self.tail.lock().senders += 1;
    }

    /// Removes a sender. The last one closes the ring.
    pub(crate) fn remove_sender(&self) {
        let mut tail = self.tail.lock();
        tail.senders -= 1;
        let is_last = tail.senders == 0;
        drop(tail);
        if is_last {
            drop(self.sent.close());
        }
    }

    /// Adds a receiver of the messages that are sent from now on.
    pub(super) fn add_receiver(&self) -> Position {
        let mut tail = self.tail.lock();
        tail.add_receiver();
        Position { number: self.sent.count(), index: tail.index }
    }

    /// Adds a receiver at the position of another one.
    ///
    /// # Safety
    ///
    /// A receiver is at this position, and stays there meanwhile.
    pub(super) unsafe fn add_receiver_at(&self, position: Position) {
        let mut tail = self.tail.lock();
        tail.add_receiver();
        let unread = self.sent.count().since(position.number);
        for it in &mut tail.aside {
            it.left += usize::from(it.is_unread(self.sent.count(), unread));
        }
        for (place, number) in self.unread(position, unread) {
            // SAFETY: the other receiver has not received this message (caller), so it has a claim to it.
            // There are at most `MOST` receivers (`add_receiver`).
            unsafe { place.join(number) };
        }
    }

    /// Removes a receiver at this position. Its messages are dropped if it was the last that had not received
    /// them.
    ///
    /// # Safety
    ///
    /// A receiver is at this position, and there is none any more after this.
    pub(super) unsafe fn remove_receiver(&self, position: Position) {
        let mut messages = Vec::new();
        // Declared later, so it is dropped earlier: the wakers are woken before the messages are dropped.
        let mut wakes = DeferredWakes::default();
        let mut tail = self.tail.lock();
        tail.receivers -= 1;
        let count = self.sent.count();
        let unread = count.since(position.number);
        tail.aside.iter_mut().filter(|it| it.is_unread(count, unread)).for_each(|it| it.left -= 1);
        let aside: Vec<_> = tail.aside.extract_if(.., |it| it.left == 0).collect();
        if tail.receivers == 0 {
            // No send succeeds any more.
            wakes = DeferredWakes::of(tail.line.take_wakers().into_iter().rev());
            messages.extend(self.places.iter().filter_map(P::clear));
        }
        drop(tail);
        let mut is_waited_for = false;
        for (place, number) in self.unread(position, unread) {
            // SAFETY: the receiver has not received this message (caller), so it has a claim to it, and gives
            // it up once. Messages that are sent later have no claim for it.
            let rest = unsafe { place.leave(number) };
            messages.extend(rest.message);
            is_waited_for |= rest.is_waited_for;
        }
        if is_waited_for {
            self.wake_sender().move_to(&mut wakes);
        }
        drop(wakes);
        drop((aside, messages));
    }

    /// Returns the places of the messages that a receiver has not received, and their numbers. Those that
    /// were overwritten are left out, or are no longer in their place.
    fn unread(&self, position: Position, unread: usize) -> impl Iterator<Item = (&P, Count)> {
        let missed = unread.saturating_sub(self.places.len());
        let begin = (position.index + missed % self.places.len()) % self.places.len();
        let places = self.places[begin..].iter().chain(&self.places[..begin]);
        places.zip(missed..unread).map(move |(place, ahead)| (place, position.number.plus(ahead)))
    }

    /// Finds the message of a receiver that is not in its place: it was put aside, or overwritten. Then the
    /// position becomes that of the oldest message that is there, and the error is the number of messages
    /// that were missed.
    ///
    /// A receiver that alone has not received the message gets the message itself. Any other one keeps its
    /// claim until it has cloned the message, and then [leaves](Self::leave_aside).
    #[cold]
    pub(super) fn find(&self, position: &mut Position) -> Result<Arc<P::Message>, u64> {
        let mut tail = self.tail.lock();
        let behind = self.sent.count().since(position.number);
        let missed = behind.saturating_sub(self.places.len());
        if missed > 0 {
            *position = Position { number: position.number.plus(missed), index: tail.index };
            return Err(missed as u64);
        }
        let at = tail.aside.iter().position(|it| it.number == position.number);
        let at = at.expect("a message that was neither overwritten nor put aside is in its place");
        let it = &tail.aside[at];
        Ok(if it.left == 1 { tail.aside.swap_remove(at).message } else { it.message.clone() })
    }

    /// A receiver has cloned a message that was put aside, and gives up its claim. It no longer has the
    /// message that it has found, so that the last one has it alone.
    #[cold]
    pub(super) fn leave_aside(&self, number: Count) {
        let mut tail = self.tail.lock();
        // Otherwise it was overwritten.
        if let Some(at) = tail.aside.iter().position(|it| it.number == number) {
            tail.aside[at].left -= 1;
            let left = (tail.aside[at].left == 0).then(|| tail.aside.swap_remove(at));
            drop(tail);
            drop(left);
        }
    }
}

impl<T> Tail<T> {
    /// Counts one more receiver. Only a program that forgets receivers again and again can have too many.
    fn add_receiver(&mut self) {
        assert!(self.receivers < MOST, "there are too many receivers");
        self.receivers += 1;
    }

    /// Removes the message that was put aside and is overwritten by the message of this number, if there is
    /// one.
    fn overwrite(&mut self, number: Count, capacity: usize) -> Option<Aside<T>> {
        let at = self.aside.iter().position(|it| number.since(it.number) == capacity)?;
        Some(self.aside.swap_remove(at))
    }
}

impl<T> Aside<T> {
    /// Returns `true` if it is among the last `unread` of `count` messages.
    fn is_unread(&self, count: Count, unread: usize) -> bool {
        count.since(self.number) <= unread
    }
}
