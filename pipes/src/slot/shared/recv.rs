//! The receiving end: takes messages in the order in which their slots were claimed.

#[cfg(all(test, not(pipes_loom)))]
mod tests;

use super::block::Block;
use super::queue::Queue;
use super::state::{Field, GroupWord, SlotState};
use super::tail::At;
use crate::slot::impossible::impossible;
use crate::slot::ready::{Token, register_token};
use crate::slot::received::Received;
use crate::slot::record::Record;
use crate::slot::seat::Seat;
use crate::slot::wait::{Taken, Waitable, poll, wait};
use crate::slot::waiter::Waiter;
use crate::sync::{Arc, stand_back};
use std::hint::spin_loop;
use std::mem::{forget, replace, take};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::ptr::NonNull;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

/// How often to look again for a message whose sender is at it, before going on without.
const GRACE: u32 = if cfg!(pipes_loom) { 0 } else { 8 };
/// So many messages in a row are a run: more will come.
const RUN: usize = 32;

/// The receiving end of a shared stream.
pub(crate) struct SharedReceiver<T> {
    queue: Arc<Queue<T>>,
    /// Where the next message is taken: in this block,
    block: NonNull<Block<T>>,
    /// in this slot; if there is no such slot, in the next block.
    index: usize,
    /// How many slots of the block, or links, were passed.
    passed: usize,
    /// The slot at which the receiver last had to wait, counted from the beginning of this block.
    waited: usize,
    record: Record,
    /// All senders were seen to have left.
    is_over: bool,
    /// The seat that was lent last, if the receiver has registered where it stands.
    seat: Option<*const Seat>,
}

// SAFETY: all that travels from the senders is `T`s. What else they share is handed over as the tables of
// states say.
unsafe impl<T: Send> Send for SharedReceiver<T> {}
// SAFETY: through a shared reference it can only be asked what its slot's word says.
unsafe impl<T: Send> Sync for SharedReceiver<T> {}
impl<T> UnwindSafe for SharedReceiver<T> {}
impl<T> RefUnwindSafe for SharedReceiver<T> {}

impl<T> SharedReceiver<T> {
    /// Of a queue that begins in this block at this slot.
    pub(super) fn new(queue: Arc<Queue<T>>, block: NonNull<Block<T>>, begin: usize) -> Self {
        SharedReceiver {
            queue,
            block,
            index: begin,
            passed: 0,
            waited: begin,
            record: Record::new(),
            is_over: false,
            seat: None,
        }
    }

    /// The next value, if it is there.
    #[inline]
    pub(crate) fn take(&mut self) -> Received<T, ()> {
        match self.take_here() {
            Some(value) => Received::Message(value),
            None => self.take_further(Waiter::wake),
        }
    }

    /// The same without waking anybody: here is who was registered and is to be woken, for a caller that
    /// holds a lock.
    pub(crate) fn take_quietly(&mut self) -> (Received<T, ()>, Option<Waker>) {
        if let Some(value) = self.take_here() {
            return (Received::Message(value), None);
        }
        let mut registered = None;
        let received = self.take_further(|waiter| registered = Some(waiter.into_waker()));
        (received, registered)
    }

    /// Blocks until [`take`](Self::take) gives something; false if the deadline passed first.
    #[inline]
    pub(crate) fn block(&mut self, deadline: Option<Instant>) -> bool {
        loop {
            if self.is_ready() || self.fall_back() {
                return true;
            }
            // If it was woken for nothing, nobody wakes it again: it has to register once more.
            if !wait(self, deadline) {
                return self.is_ready();
            }
        }
    }

    /// Ready when [`take`](Self::take) gives something.
    #[inline]
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.is_ready() { Poll::Ready(()) } else { poll(self, cx) }
    }

    /// Leaves a set's token with the senders. `Err`: [`take`](Self::take) gives something.
    #[inline]
    pub(crate) fn register_token(&mut self, token: Token) -> Result<(), Token> {
        if self.is_ready() { Err(token) } else { register_token(self, token) }
    }

    /// Takes the token back, unless it is on its way to its list; from a sender that is still to wake it,
    /// too.
    pub(crate) fn unregister_token(&mut self) -> Option<Token> {
        Token::from_waiter(self.unregister().ok().flatten().or_else(|| self.queue.call.take())?)
    }

    /// Were all senders seen to have left?
    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Is a value there (`Some(true)`), or have all senders left (`Some(false)`)?
    pub(crate) fn peek(&self) -> Option<bool> {
        match self.look() {
            // In a block that is linked there is a message.
            SlotState::Full => Some(true),
            SlotState::Closed => Some(false),
            _ => self.is_behind().then_some(true),
        }
    }

    /// If the receiver has registered: is its seat still where the senders look for it?
    fn is_called(&self) -> bool {
        self.seat.is_none_or(|seat| self.queue.call.holds(seat))
    }

    /// Would [`take`](Self::take) give something?
    fn is_ready(&self) -> bool {
        self.peek().is_some()
    }

    /// Where the state is of the slot at which the receiver stands, or of the link to the next block.
    #[inline(always)]
    fn here(&self) -> (&GroupWord, Field) {
        if self.index == Block::<T>::SLOTS {
            // SAFETY: a block lives until the receiver has left it.
            let link = unsafe { self.block.as_ref() }.link();
            (link.word, link.field)
        } else {
            // SAFETY: as above.
            let slot = unsafe { Block::slot(self.block, self.index) };
            (slot.word, slot.field)
        }
    }

    /// What is there?
    #[inline(always)]
    fn look(&self) -> SlotState {
        let (word, field) = self.here();
        word.look(field)
    }

    /// Takes the message of this slot, if it is there.
    #[inline(always)]
    fn take_here(&mut self) -> Option<T> {
        if self.index == Block::<T>::SLOTS {
            return None;
        }
        // SAFETY: a block lives until the receiver has left it.
        let slot = unsafe { Block::slot(self.block, self.index) };
        let SlotState::Full = slot.word.look(slot.field) else { return None };
        self.seat = None;
        self.index += 1;
        // SAFETY: the slot is full, so that the payload is the receiver's, which does not come back.
        Some(unsafe { slot.payload.read() })
    }

    /// There was no message in this slot: finds out why, and goes on if it can.
    #[cold]
    fn take_further(&mut self, mut wake: impl FnMut(Waiter)) -> Received<T, ()> {
        loop {
            match self.look() {
                SlotState::Full => self.follow_link(),
                SlotState::Closed => {
                    self.is_over = true;
                    return Received::Closed;
                }
                SlotState::Empty | SlotState::Waiting if !self.is_behind() => return Received::Nothing(()),
                SlotState::Empty | SlotState::Waiting => self.overtake(&mut wake),
                found @ SlotState::Passed => impossible(found),
            }
            if let Some(value) = self.take_here() {
                return Received::Message(value);
            }
        }
    }

    /// Nothing is here yet; is there a message further on, whose sender was faster than the one of this slot?
    fn is_behind(&self) -> bool {
        let end = self.queue.tail.follow();
        // A block is installed with a message in it.
        end.block() != self.block
            || (self.index + 1..end.claimed()).any(|index| {
                // SAFETY: a block lives until the receiver has left it.
                let slot = unsafe { Block::slot(self.block, index) };
                matches!(slot.word.look(slot.field), SlotState::Full)
            })
    }

    /// There is a message further on: goes on without that of this slot, unless it comes at this moment.
    fn overtake(&mut self, wake: &mut impl FnMut(Waiter)) {
        let comes = |_| {
            spin_loop();
            matches!(self.look(), SlotState::Full)
        };
        if (0..GRACE).any(comes) {
            return;
        }
        // The sender will find nobody to wake; so whoever is registered here is told now.
        let Ok(waiter) = self.unregister() else { return };
        self.pass();
        if let Some(waiter) = waiter {
            wake(waiter);
        }
    }

    /// Goes on to the next slot without the message of this one, or to the next block without the link,
    /// unless that is there.
    fn pass(&mut self) {
        let (word, field) = self.here();
        if !word.pass(field) {
            return;
        }
        self.passed += 1;
        if self.index < Block::<T>::SLOTS {
            self.index += 1;
        } else {
            self.go_to(self.next_block());
        }
    }

    /// The block that stands behind the receiver's, found from the last block backwards, without the link.
    fn next_block(&self) -> NonNull<Block<T>> {
        let mut next = self.queue.tail.follow().block();
        loop {
            // SAFETY: all blocks from the receiver's on live, and `next` is one of them.
            let prev = unsafe { next.as_ref() }.prev();
            match NonNull::new(prev) {
                Some(prev) if prev != self.block => next = prev,
                _ => return next,
            }
        }
    }

    /// Goes on to the next block if it is linked.
    fn follow_link(&mut self) {
        if self.index == Block::<T>::SLOTS {
            self.seat = None;
            // SAFETY: a block lives until the receiver has left it.
            let link = unsafe { self.block.as_ref() }.link();
            // SAFETY: the link is full, so that the payload is the receiver's, which does not come back.
            let next = unsafe { link.payload.read() };
            self.go_to(next);
        }
    }

    /// Leaves this block for the next one.
    fn go_to(&mut self, next: NonNull<Block<T>>) {
        let left = replace(&mut self.block, next);
        self.index = 0;
        self.waited = self.waited.wrapping_sub(Block::<T>::SLOTS);
        // SAFETY: a block lives until the receiver has left it.
        if unsafe { Block::leave(left, take(&mut self.passed)) } {
            // SAFETY: the block is the receiver's.
            unsafe { self.queue.recycle(left) };
        }
    }

    /// At the end of a run, lets the senders get ahead, rather than fight with them for every message's line
    /// of memory. True: they have.
    #[cold]
    fn fall_back(&mut self) -> bool {
        let run = self.index.wrapping_sub(replace(&mut self.waited, self.index));
        run >= RUN && {
            stand_back();
            self.is_ready()
        }
    }

    /// The next message that was not received, when no more slots are claimed; passes those that are not
    /// there yet.
    fn take_rest(&mut self, end: At<T>) -> Option<T> {
        loop {
            if self.block == end.block() && self.index == end.claimed() {
                return None;
            }
            if let Some(value) = self.take_here() {
                return Some(value);
            }
            match self.look() {
                SlotState::Closed => return None,
                SlotState::Full => self.follow_link(),
                SlotState::Empty => self.pass(),
                found @ (SlotState::Waiting | SlotState::Passed) => impossible(found),
            }
        }
    }

    /// Drops what was not received, one message after the other. A destructor may panic; the others run all
    /// the same.
    fn drop_rest(&mut self, end: At<T>) {
        struct Unwinding<'a, T>(&'a mut SharedReceiver<T>, At<T>);
        impl<T> Drop for Unwinding<'_, T> {
            fn drop(&mut self) {
                self.0.drop_rest(self.1);
            }
        }
        while let Some(value) = self.take_rest(end) {
            let unwinding = Unwinding(self, end);
            drop(value);
            forget(unwinding);
        }
    }
}

impl<T> Drop for SharedReceiver<T> {
    fn drop(&mut self) {
        // Dropped last: a waker is its executor's code, and may panic.
        let _waiter = self.unregister();
        let end = self.queue.tail.close();
        self.drop_rest(end);
    }
}

impl<T> Waitable for SharedReceiver<T> {
    fn runs_ahead(&self) -> bool {
        true
    }

    // Only here: to look further again and again would take the tail from the senders.
    #[inline(always)]
    fn has_come(&self) -> bool {
        matches!(self.look(), SlotState::Full | SlotState::Closed) || !self.is_called()
    }

    fn is_waiting_as(&self, waker: &Waker) -> bool {
        // SAFETY: the seat was lent, and nobody has taken it.
        matches!(self.look(), SlotState::Waiting) && self.is_called() && unsafe { self.record.is(waker) }
    }

    fn register(&mut self, waiter: Waiter) -> Result<(), Waiter> {
        if self.is_behind() {
            return Err(waiter);
        }
        // A sender may have found the receiver registered at an earlier slot, and not have come to wake it:
        // this is done here, unless it is the same who waits again.
        if let Some(earlier) = self.queue.call.take()
            && !earlier.is(&waiter)
        {
            earlier.wake();
        }
        let seat = self.record.lend(waiter);
        // SAFETY: it was just lent, and nothing is there.
        unsafe { self.queue.call.put(seat) };
        let (word, field) = self.here();
        if !word.register(field) {
            // If that sender has come now, it wakes the waiter: which is as good as to have registered.
            if let Some(waiter) = self.queue.call.take() {
                return Err(waiter);
            }
        }
        self.seat = Some(seat);
        Ok(())
    }

    fn unregister(&mut self) -> Result<Option<Waiter>, Taken> {
        if self.seat.take().is_none() {
            return Ok(None);
        }
        let (word, field) = self.here();
        if word.unregister(field) { Ok(self.queue.call.take()) } else { Err(Taken) }
    }
}
