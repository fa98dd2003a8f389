//! The sending ends: claim a slot, publish a message there.

use super::block::{Block, Slot};
use super::queue::Queue;
use super::state::SlotState;
use super::tail::At;
use crate::slot::impossible::impossible;
use crate::sync::{Arc, stand_back};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::ptr::NonNull;

/// One of the sending ends of a shared stream.
pub(crate) struct SharedSender<T>(Arc<Queue<T>>);

impl<T> UnwindSafe for SharedSender<T> {}
impl<T> RefUnwindSafe for SharedSender<T> {}

impl<T> SharedSender<T> {
    /// Of a queue that counts this sender.
    pub(super) fn new(queue: Arc<Queue<T>>) -> Self {
        SharedSender(queue)
    }

    /// Sends; the value comes back if the receiver has left. Never blocks.
    #[inline]
    pub(crate) fn send(&self, mut value: T) -> Result<(), T> {
        loop {
            let seen = self.0.tail.look();
            let at = self.0.claim(seen);
            let sent = if at.has_room() {
                // SAFETY: the slot was just claimed.
                unsafe { self.fill(at, value) }
            } else if at.is_closed() {
                return Err(value);
            } else {
                self.extend(value)
            };
            match sent {
                Ok(()) => {
                    if at != seen {
                        stand_back();
                    }
                    return Ok(());
                }
                Err(back) => value = back,
            }
        }
    }

    /// Has the receiver left?
    pub(crate) fn receiver_has_left(&self) -> bool {
        self.0.tail.look().is_closed()
    }

    /// Sends in a slot that was claimed. `Err`: the receiver has passed it.
    ///
    /// # Safety
    ///
    /// The caller has claimed this slot, and uses it once.
    #[inline(always)]
    unsafe fn fill(&self, at: At<T>, value: T) -> Result<(), T> {
        let block = at.block();
        // SAFETY: a block lives until all of its claimed slots are published.
        let slot = unsafe { Block::slot(block, at.count()) };
        // SAFETY: the slot is empty, and the caller's.
        unsafe { slot.payload.write(value) };
        match slot.word.publish(slot.field) {
            SlotState::Empty => Ok(()),
            // SAFETY: this is what was found.
            found => unsafe { self.fill_rare(block, &slot, found) },
        }
    }

    /// What remains to be done if the slot was not just empty.
    ///
    /// # Safety
    ///
    /// The caller has published this slot of this block, and has found this there.
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
            SlotState::Passed => {
                // SAFETY: the caller has put it, and the receiver does not come back.
                let value = unsafe { slot.payload.read() };
                // SAFETY: the caller was passed, and is done with the block.
                unsafe { self.0.pay(block) };
                Err(value)
            }
            SlotState::Empty | SlotState::Full | SlotState::Closed => impossible(found),
        }
    }

    /// Sends in the first slot of one more block. `Err`: another sender was faster, or the receiver has left.
    #[cold]
    fn extend(&self, value: T) -> Result<(), T> {
        let fresh = self.0.obtain();
        // SAFETY: the fresh block is this sender's until it is installed, and so is its first slot.
        let slot = unsafe { Block::slot(fresh, 0) };
        // SAFETY: as above.
        unsafe { slot.payload.write(value) };
        slot.word.fill(slot.field);
        let last = match self.0.install(fresh) {
            Ok(last) => last,
            Err(fresh) => {
                // SAFETY: it was put, and no other thread knows the block.
                let value = unsafe { slot.payload.read() };
                // SAFETY: the block is still this sender's. Its first slot's state stays as it is: the sender
                // that takes the block from the shelf fills that slot.
                unsafe { self.0.put_aside(fresh) };
                return Err(value);
            }
        };
        // SAFETY: a block lives until its link is published, which is for this sender to do.
        let link = unsafe { last.as_ref() }.link();
        // SAFETY: the link is empty, and this sender's.
        unsafe { link.payload.write(fresh) };
        // SAFETY: the link was this sender's, and this is what was found.
        unsafe { self.settle(last, link.word.publish(link.field)) };
        Ok(())
    }

    /// Leaves, for all senders.
    #[cold]
    fn close(&self) {
        // There is no other sender: where no slot is left, none will be.
        let seen = self.0.tail.look();
        let at = self.0.claim(seen);
        if at.is_closed() {
            return;
        }
        let block = at.block();
        let found = if at.has_room() {
            // SAFETY: a block lives until all of its claimed slots are published; and if it is used up until
            // its link is, which is for this sender to do, for there is no other one.
            let slot = unsafe { Block::slot(block, at.count()) };
            slot.word.close(slot.field)
        } else {
            // SAFETY: as above.
            let link = unsafe { block.as_ref() }.link();
            link.word.close(link.field)
        };
        // SAFETY: the slot or link was this sender's, and this is what was found.
        unsafe { self.settle(block, found) };
    }

    /// What remains to be done at a link, or at the close.
    ///
    /// # Safety
    ///
    /// The caller has published or closed a slot or a link of this block that was its own, and has found this
    /// there.
    unsafe fn settle(&self, block: NonNull<Block<T>>, found: SlotState) {
        match found {
            SlotState::Empty => {}
            SlotState::Waiting => self.wake(),
            // SAFETY: the caller was passed, and is done with the block.
            SlotState::Passed => unsafe { self.0.pay(block) },
            SlotState::Full | SlotState::Closed => impossible(found),
        }
    }

    /// The receiver was registered: wakes it, unless somebody else just does.
    #[cold]
    fn wake(&self) {
        if let Some(waiter) = self.0.call.take() {
            waiter.wake();
        }
    }
}

impl<T> Clone for SharedSender<T> {
    fn clone(&self) -> Self {
        // Counts the owners of the memory first, which ends the process before either count can run over.
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
