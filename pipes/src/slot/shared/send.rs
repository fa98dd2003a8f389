//! The sending ends, which claim a slot and publish a message there.

use super::block::{Block, Slot};
use super::queue::Queue;
use super::state::SlotState;
use super::tail::At;
use crate::slot::impossible::impossible;
use crate::sync::Arc;
use crate::wait::{Party, back_off, steps, uses};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::ptr::NonNull;

/// One of the sending ends of a shared stream.
pub(crate) struct SharedSender<T>(Arc<Queue<T>>);

impl<T> UnwindSafe for SharedSender<T> {}
impl<T> RefUnwindSafe for SharedSender<T> {}

impl<T> SharedSender<T> {
    /// Returns the name of the channel.
    pub(crate) fn channel(&self) -> usize {
        self.0.channel()
    }

    /// Creates the sender of a queue that has counted it already.
    pub(super) fn new(queue: Arc<Queue<T>>) -> Self {
        SharedSender(queue)
    }

    pub(super) fn queue(&self) -> &Arc<Queue<T>> {
        &self.0
    }

    /// Sends a value, and returns it in `Err` if the receiver has left. Never blocks.
    #[inline]
    pub(crate) fn send(&self, mut value: T) -> Result<(), T> {
        loop {
            let seen = self.0.tail.look();
            let at = self.0.claim(seen);
            let sent = if at.has_room() {
                // SAFETY: this sender has just claimed the slot, and uses it once.
                unsafe { self.fill(at, value) }
            } else if at.is_closed() {
                return Err(value);
            } else {
                self.extend(value)
            };
            match sent {
                Ok(()) => {
                    uses::sent::<T>(self.channel(), Party::Sender as usize, 1);
                    if at != seen {
                        back_off();
                    }
                    return Ok(());
                }
                Err(back) => value = back,
            }
        }
    }

    /// Returns the number of senders.
    pub(crate) fn senders(&self) -> usize {
        self.0.senders()
    }

    /// Returns `true` if the receiver has left.
    pub(crate) fn receiver_has_left(&self) -> bool {
        self.0.tail.look().is_closed()
    }

    /// Sends in a slot that was claimed. Returns the value in `Err` if the receiver has skipped the slot.
    ///
    /// # Safety
    ///
    /// The caller must have claimed this slot, and must use it only once.
    #[inline(always)]
    unsafe fn fill(&self, at: At<T>, value: T) -> Result<(), T> {
        let block = at.block();
        // SAFETY: the block has this slot. It lives until all of its claimed slots are published, and if this
        // sender is skipped, until it has acknowledged.
        let slot = unsafe { Block::slot(block, at.count()) };
        // SAFETY: the caller has claimed the slot (caller), so it is empty and its payload is the caller's to
        // write.
        unsafe { slot.payload.write(value) };
        steps::sends::<T>(self.channel(), Party::Sender as usize, || Block::place(block, at.count()));
        match slot.word.publish(slot.field) {
            SlotState::Empty => Ok(()),
            // SAFETY: the caller has claimed the slot and has just published it, and this is what it found.
            found => unsafe { self.fill_rare(block, &slot, found) },
        }
    }

    /// Finishes a send that found more than an empty slot.
    ///
    /// # Safety
    ///
    /// The caller must have claimed and published this slot of this block, and `found` must be what it found.
    #[cold]
    unsafe fn fill_rare(
        &self,
        block: NonNull<Block<T>>,
        slot: &Slot<'_, T>,
        found: SlotState,
    ) -> Result<(), T> {
        match found {
            SlotState::Waiting => {
                self.wake();
                Ok(())
            }
            SlotState::Skipped => {
                steps::take_back(1);
                // SAFETY: the caller has written the payload, and a receiver that has skipped the slot does
                // not come back, so the payload is the caller's again.
                let value = unsafe { slot.payload.read() };
                // SAFETY: the caller was skipped in this block, acknowledges once, and does not use the block
                // after this.
                unsafe { self.0.acknowledge(block) };
                Err(value)
            }
            SlotState::Empty | SlotState::Full | SlotState::Closed => impossible(found),
        }
    }

    /// Sends in the first slot of a new block. Returns the value in `Err` if another sender was faster, or if
    /// the receiver has left.
    #[cold]
    fn extend(&self, value: T) -> Result<(), T> {
        let fresh = self.0.obtain();
        // SAFETY: the fresh block is this sender's until it is installed, and it is not short, so it has a
        // first slot.
        let slot = unsafe { Block::slot(fresh, 0) };
        // SAFETY: the fresh block is this sender's until it is installed, and its first slot is empty.
        unsafe { slot.payload.write(value) };
        slot.word.fill(slot.field);
        steps::sends::<T>(self.channel(), Party::Sender as usize, || Block::place(fresh, 0));
        // SAFETY: no other thread knows the fresh block, which is not short, and its first slot alone is
        // full.
        let last = match unsafe { self.0.install(fresh) } {
            Ok(last) => last,
            Err(fresh) => {
                steps::take_back(1);
                // SAFETY: the payload was just written, and no other thread knows the block, because it was
                // not installed.
                let value = unsafe { slot.payload.read() };
                // SAFETY: the block is still this sender's, contains no message, and never came to the tail.
                // Its first slot still says `FULL`, which is right: the sender that takes the block from the
                // block cache fills that slot.
                unsafe { self.0.put_aside(fresh) };
                return Err(value);
            }
        };
        // SAFETY: the block lives until its link is published, and only this sender may publish it.
        let link = unsafe { last.as_ref() }.link();
        // SAFETY: the link is this sender's, which has installed the next block, and it is empty.
        unsafe { link.payload.write(fresh) };
        // SAFETY: the link was this sender's, which has just published it, and this is what it found.
        unsafe { self.settle(last, link.word.publish(link.field)) };
        Ok(())
    }

    /// Closes the stream for all senders.
    #[cold]
    fn close(&self) {
        steps::closes(self.channel(), Party::Sender as usize);
        // There is no other sender: if no slot is left now, none will be.
        let seen = self.0.tail.look();
        let at = self.0.claim(seen);
        if at.is_closed() {
            return;
        }
        let block = at.block();
        let found = if at.has_room() {
            // SAFETY: the block lives until all of its claimed slots are published or closed, and this sender
            // has claimed this slot.
            let slot = unsafe { Block::slot(block, at.count()) };
            slot.word.close(slot.field)
        } else {
            // SAFETY: a block that is used up lives until its link is published or closed, and only this
            // sender may do so, because there is no other one.
            let link = unsafe { block.as_ref() }.link();
            link.word.close(link.field)
        };
        // SAFETY: the slot or link was this sender's, which has just closed it, and this is what it found.
        unsafe { self.settle(block, found) };
    }

    /// Finishes publishing a link, or closing.
    ///
    /// # Safety
    ///
    /// The caller must have published or closed a slot or link of this block that was its own, and `found`
    /// must be what it found.
    unsafe fn settle(&self, block: NonNull<Block<T>>, found: SlotState) {
        match found {
            SlotState::Empty => {}
            SlotState::Waiting => self.wake(),
            // SAFETY: the caller was skipped in this block, acknowledges once, and does not use the block
            // after this.
            SlotState::Skipped => unsafe { self.0.acknowledge(block) },
            SlotState::Full | SlotState::Closed => impossible(found),
        }
    }

    /// Wakes the receiver, which was registered, unless another sender has taken its waiter.
    #[cold]
    fn wake(&self) {
        if let Some(waiter) = self.0.receiver_waiter.take() {
            waiter.wake();
        }
    }
}

impl<T> Clone for SharedSender<T> {
    fn clone(&self) -> Self {
        // The reference count of the queue comes first, because it aborts the process before either count can
        // overflow.
        let queue = self.0.clone();
        queue.join();
        SharedSender(queue)
    }
}

impl<T> Drop for SharedSender<T> {
    fn drop(&mut self) {
        if self.0.leave() {
            self.close();
        }
    }
}
