//! The receiving end: takes messages in the order in which their slots were claimed.

mod leave;
#[cfg(all(test, not(pipes_loom)))]
mod tests;

use super::block::{Block, Slot};
use super::queue::Queue;
use super::state::{Field, GroupWord, SlotState};
use crate::slot::impossible::impossible;
use crate::slot::received::Received;
use crate::sync::Arc;
use crate::wait::{Party, SharedWaiter, Taken, Waitable, Waiter, WaiterCell, back_off, steps, uses};
use std::hint::spin_loop;
use std::mem::{replace, take};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::ptr::NonNull;
use std::task::Waker;

/// The number of looks for a message whose sender has claimed its slot, before the receiver goes on without
/// it.
const GRACE: u32 = if cfg!(pipes_loom) { 0 } else { 8 };
/// After this number of messages without a wait, the receiver pauses once before it sleeps.
const RUN: usize = 32;

/// The receiving end of a shared stream.
pub(crate) struct SharedReceiver<T> {
    queue: Arc<Queue<T>>,
    /// The block of the next message.
    block: NonNull<Block<T>>,
    /// The slot of the next message in that block. If the block has no such slot, the next message is in the
    /// next block.
    index: usize,
    /// The number of slots of this block, with its link, that were skipped.
    skipped: usize,
    /// The slot at which the receiver last had to wait, counted from the beginning of this block (it may wrap
    /// around).
    waited: usize,
    shared_waiter: SharedWaiter,
    /// `true` once the receiver has found that all senders have left.
    is_over: bool,
    /// The cell that was lent last, if the receiver has registered at its slot.
    cell: Option<*const WaiterCell>,
}

// SAFETY: the receiver gives its thread values of type `T` that another thread has sent, and `T: Send`.
// Blocks are shared as the tables of states say; a waiter may be used in any thread.
unsafe impl<T: Send> Send for SharedReceiver<T> {}
// SAFETY: a shared reference only loads words, which are atomic, and reads the cell while it is lent.
unsafe impl<T: Send> Sync for SharedReceiver<T> {}
impl<T> UnwindSafe for SharedReceiver<T> {}
impl<T> RefUnwindSafe for SharedReceiver<T> {}

impl<T> SharedReceiver<T> {
    /// Creates the receiver of a queue that begins in this block at this slot.
    pub(super) fn new(queue: Arc<Queue<T>>, block: NonNull<Block<T>>, begin: usize) -> Self {
        SharedReceiver {
            queue,
            block,
            index: begin,
            skipped: 0,
            waited: begin,
            shared_waiter: SharedWaiter::new(),
            is_over: false,
            cell: None,
        }
    }

    /// Takes the next value, if there is one.
    #[inline]
    pub(crate) fn take(&mut self) -> Received<T, ()> {
        match self.take_here() {
            Some(value) => Received::Message(value),
            None => self.take_further(),
        }
    }

    #[cold]
    fn take_further(&mut self) -> Received<T, ()> {
        match self.find(Waiter::wake) {
            // SAFETY: the receiver has just found a message in this slot.
            Received::Message(slot) => Received::Message(unsafe { self.take_from(slot) }),
            Received::Nothing(()) => Received::Nothing(()),
            Received::Closed => Received::Closed,
        }
    }

    /// Takes as [`take`](Self::take) does, but puts the value into a place, and passes a waker that was
    /// registered and is to be woken to `wakes` instead of waking it.
    pub(crate) fn take_deferred(
        &mut self,
        into: &mut Option<T>,
        mut wakes: impl FnMut(Waker),
    ) -> Received<(), ()> {
        match self.find(|waiter| wakes(waiter.into_waker())) {
            Received::Message(slot) => {
                // SAFETY: the receiver has just found a message in this slot.
                *into = Some(unsafe { self.take_from(slot) });
                Received::Message(())
            }
            Received::Nothing(()) => Received::Nothing(()),
            Received::Closed => Received::Closed,
        }
    }

    /// Returns `true` if the receiver has found that all senders have left.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Returns `Some(true)` if a value is there, and `Some(false)` if all senders have left.
    pub(crate) fn peek(&self) -> Option<bool> {
        match self.look() {
            // This may be the link: the next block has a message.
            SlotState::Full => Some(true),
            SlotState::Closed => Some(false),
            _ => self.is_behind().then_some(true),
        }
    }

    /// Returns `true` if the cell of a receiver that has registered is still where the senders look for it.
    fn is_in_place(&self) -> bool {
        self.cell.is_none_or(|cell| self.queue.receiver_waiter.holds(cell))
    }

    /// Returns the word and the field of the slot at which the receiver stands, or of the link to the next
    /// block.
    #[inline(always)]
    fn here(&self) -> (&GroupWord, Field) {
        uses::used(self.queue.channel(), Party::Receiver as usize);
        if self.index == Block::<T>::SLOTS {
            // SAFETY: the block lives, because the receiver has not left it.
            let link = unsafe { self.block.as_ref() }.link();
            (link.word, link.field)
        } else {
            // SAFETY: the block lives, because the receiver has not left it, and it has a slot with this
            // index.
            let slot = unsafe { Block::slot(self.block, self.index) };
            (slot.word, slot.field)
        }
    }

    /// Returns the name of the slot at which the receiver stands.
    fn place(&self) -> usize {
        Block::place(self.block, self.index)
    }

    /// Loads the state of the slot at which the receiver stands, or of the link.
    #[inline(always)]
    fn look(&self) -> SlotState {
        let (word, field) = self.here();
        word.look(field)
    }

    /// Takes the message of this slot, if there is one.
    #[inline(always)]
    pub(crate) fn take_here(&mut self) -> Option<T> {
        uses::used(self.queue.channel(), Party::Receiver as usize);
        if self.index == Block::<T>::SLOTS {
            return None;
        }
        // SAFETY: the block lives, because the receiver has not left it, and the index is below the number of
        // its slots.
        let slot = unsafe { Block::slot(self.block, self.index) };
        let SlotState::Full = slot.word.look(slot.field) else { return None };
        // SAFETY: the receiver has just seen a message in this slot.
        Some(unsafe { self.take_from(slot) })
    }

    /// Returns the slot with this index in the receiver's block, if there is a message.
    #[inline(always)]
    fn full_slot<'a>(&self, index: usize) -> Option<Slot<'a, T>> {
        if index >= Block::<T>::SLOTS {
            return None;
        }
        // SAFETY: the block lives, because the receiver has not left it, and the index is below the number of
        // its slots.
        let slot = unsafe { Block::slot(self.block, index) };
        matches!(slot.word.look(slot.field), SlotState::Full).then_some(slot)
    }

    /// Takes the message of this slot, and goes on to the next one.
    ///
    /// # Safety
    ///
    /// The receiver must stand at this slot, and must have seen a message there.
    #[inline(always)]
    unsafe fn take_from(&mut self, slot: Slot<'_, T>) -> T {
        steps::receives::<T>(self.channel(), Party::Receiver as usize, || self.place());
        self.cell = None;
        self.index += 1;
        uses::received(self.queue.channel(), Party::Receiver as usize, 1);
        // SAFETY: the slot is full (caller), so the payload is the receiver's, which goes on and reads it
        // once.
        unsafe { slot.payload.read() }
    }

    /// Goes on to the slot of the next message, if there is one.
    fn find<'a>(&mut self, mut wake: impl FnMut(Waiter)) -> Received<Slot<'a, T>, ()> {
        loop {
            if let Some(slot) = self.full_slot(self.index) {
                return Received::Message(slot);
            }
            match self.look() {
                SlotState::Full => self.follow_link(),
                SlotState::Closed => {
                    self.is_over = true;
                    return Received::Closed;
                }
                SlotState::Empty | SlotState::Waiting if !self.is_behind() => return Received::Nothing(()),
                SlotState::Empty | SlotState::Waiting => self.skip_ahead(&mut wake),
                found @ SlotState::Skipped => impossible(found),
            }
        }
    }

    /// Returns `true` if there is a message in a later slot, whose sender was faster than the one of this
    /// slot.
    fn is_behind(&self) -> bool {
        let end = self.queue.tail.follow();
        // A block is installed with a message in its first slot.
        end.block() != self.block
            || (self.index + 1..end.claimed()).any(|index| {
                // SAFETY: the block lives, because the receiver has not left it, and the index is below that
                // of a claimed slot.
                let slot = unsafe { Block::slot(self.block, index) };
                matches!(slot.word.look(slot.field), SlotState::Full)
            })
    }

    /// Goes on without the message of this slot, because there is one in a later slot; unless it comes at
    /// this moment.
    fn skip_ahead(&mut self, wake: &mut impl FnMut(Waiter)) {
        let comes = |_| {
            spin_loop();
            matches!(self.look(), SlotState::Full)
        };
        if (0..GRACE).any(comes) {
            return;
        }
        // The sender of this slot will find `SKIPPED` and will not wake the waiter, so it is woken now.
        let Ok(waiter) = self.unregister() else { return };
        self.skip();
        if let Some(waiter) = waiter {
            wake(waiter);
        }
    }

    /// Skips this slot, or the link, unless it was published: goes on to the next slot or block without it.
    fn skip(&mut self) {
        let (word, field) = self.here();
        if !word.skip(field) {
            return;
        }
        self.skipped += 1;
        if self.index < Block::<T>::SLOTS {
            self.index += 1;
        } else {
            self.go_to(self.next_block());
        }
    }

    /// Returns the block behind the receiver's, found backwards from the last block instead of by the link.
    fn next_block(&self) -> NonNull<Block<T>> {
        let mut next = self.queue.tail.follow().block();
        loop {
            // SAFETY: all blocks from the receiver's on live until the receiver has left them, and `next` is
            // one of them.
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
            self.cell = None;
            // SAFETY: the block lives, because the receiver has not left it.
            let link = unsafe { self.block.as_ref() }.link();
            // SAFETY: the link is full, so the payload is the receiver's, which goes on and reads it once.
            let next = unsafe { link.payload.read() };
            self.go_to(next);
        }
    }

    /// Leaves this block for the next one.
    fn go_to(&mut self, next: NonNull<Block<T>>) {
        let left = replace(&mut self.block, next);
        self.index = 0;
        self.waited = self.waited.wrapping_sub(Block::<T>::SLOTS);
        // SAFETY: the block lives, because the receiver leaves it only here, and `skipped` counts the senders
        // that it has skipped there.
        if unsafe { Block::leave(left, take(&mut self.skipped)) } {
            // SAFETY: all senders that were skipped in the block have acknowledged, so the block is the
            // receiver's.
            unsafe { self.queue.recycle(left) };
        }
    }
}

impl<T> Waitable for SharedReceiver<T> {
    fn channel(&self) -> usize {
        self.queue.channel()
    }

    fn most_in_a_row(&self) -> usize {
        usize::MAX
    }

    /// Looks no further than the end of the block.
    fn have_come(&self, messages: usize) -> bool {
        self.full_slot(self.index + messages).is_some()
    }

    // This looks only at the receiver's own slot: to look at later slots again and again would take the
    // tail's cache line from the senders.
    #[inline(always)]
    fn has_come(&self) -> bool {
        matches!(self.look(), SlotState::Full | SlotState::Closed) || !self.is_in_place()
    }

    fn is_ready(&self) -> bool {
        self.peek().is_some()
    }

    /// At the end of a run, lets the senders get ahead, instead of competing with them for the cache line of
    /// each message.
    #[cold]
    fn before_wait(&mut self) -> bool {
        let run = self.index.wrapping_sub(replace(&mut self.waited, self.index));
        run >= RUN && {
            back_off();
            self.is_ready()
        }
    }

    fn is_waiting_as(&self, waker: &Waker) -> bool {
        // SAFETY: the receiver is registered and its cell was still in its place, so it is lent and was not
        // recovered. A sender that takes it right now only reads it, and the shared waiter keeps the cell
        // alive.
        matches!(self.look(), SlotState::Waiting)
            && self.is_in_place()
            && unsafe { self.shared_waiter.is(waker) }
    }

    fn register(&mut self, waiter: Waiter) -> Result<(), Waiter> {
        if self.is_behind() {
            return Err(waiter);
        }
        // A sender may have found the receiver registered at an earlier slot, and may not have woken it yet.
        // This wakes that waiter, unless it is the same one that waits again.
        if let Some(earlier) = self.queue.receiver_waiter.take()
            && !earlier.is(&waiter)
        {
            earlier.wake();
        }
        let cell = self.shared_waiter.lend(waiter);
        // SAFETY: the cell was just lent, and the receiver has just taken an earlier one out of there.
        unsafe { self.queue.receiver_waiter.put(cell) };
        let (word, field) = self.here();
        if !word.register(field) {
            // If the place is empty, a slow sender has taken the new waiter and will wake it.
            if let Some(waiter) = self.queue.receiver_waiter.take() {
                return Err(waiter);
            }
        }
        self.cell = Some(cell);
        Ok(())
    }

    fn unregister(&mut self) -> Result<Option<Waiter>, Taken> {
        if self.cell.take().is_none() {
            return Ok(None);
        }
        let (word, field) = self.here();
        if word.unregister(field) { Ok(self.queue.receiver_waiter.take()) } else { Err(Taken) }
    }

    /// A sender that has found the registration may not have taken the waiter yet.
    fn take_back(&mut self) -> Option<Waiter> {
        self.unregister().ok().flatten().or_else(|| self.queue.receiver_waiter.take())
    }
}
