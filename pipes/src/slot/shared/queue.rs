//! The state that all ends of a shared stream share.

#[cfg(all(test, not(pipes_loom)))]
mod tests;

use super::block::Block;
use super::block_cache::BlockCache;
use super::pins::Pins;
use super::receiver_waiter::ReceiverWaiter;
use super::tail::{At, Tail};
use crate::cache_padded::CachePadded;
use crate::slot::shared::adders::may_add;
use crate::sync::{AtomicUsize, Ordering};
use crate::wait::{Party, uses};
use std::marker::PhantomData;
use std::ptr::NonNull;

/// The state that all ends of a shared stream share. It lives as long as any of them, or a weak sender.
pub(super) struct Queue<T> {
    /// Each send changes it.
    pub(super) tail: CachePadded<Tail<T>>,
    cache: BlockCache<T>,
    pins: Pins<T>,
    /// The receiver's waiter.
    pub(super) receiver_waiter: ReceiverWaiter,
    /// The number of senders.
    senders: AtomicUsize,
    /// Makes `T` invariant: a queue of messages with one lifetime is not a queue of messages with another.
    payload: PhantomData<fn(T) -> T>,
}

// SAFETY: the queue moves values of type `T` between threads, and `T: Send`. Blocks are shared as the tables
// of the slots and of the tail say.
unsafe impl<T: Send> Send for Queue<T> {}
// SAFETY: the fields are atomic, or are shared as the tables of the slots and of the tail say; values of type
// `T` are only moved, and `T: Send`.
unsafe impl<T: Send> Sync for Queue<T> {}

impl<T> Queue<T> {
    /// Returns the name of the channel.
    pub(super) fn channel(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    /// Creates an empty queue with one sender. Returns it together with its first block and the index of the
    /// first slot.
    pub(super) fn new() -> (Self, NonNull<Block<T>>, usize) {
        let (block, begin) = Block::first();
        let queue = Queue {
            tail: CachePadded(Tail::new(block, begin)),
            cache: BlockCache::new(),
            pins: Pins::new(),
            receiver_waiter: ReceiverWaiter::new(),
            senders: AtomicUsize::new(1),
            payload: PhantomData,
        };
        (queue, block, begin)
    }

    /// Returns the number of senders.
    pub(super) fn senders(&self) -> usize {
        // ORDERING: Relaxed: the number may be stale, and nothing depends on it.
        self.senders.load(Ordering::Relaxed)
    }

    /// Counts one more sender.
    pub(super) fn join(&self) {
        uses::joined(self.channel(), Party::Sender as usize);
        // ORDERING: Relaxed: the sender that is cloned does not leave before this is done.
        self.senders.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts one more sender, unless the last one has left. Returns `true` if it was counted.
    #[must_use]
    pub(super) fn join_if_open(&self) -> bool {
        // ORDERING: Relaxed: a guess, which the exchange below checks.
        let mut count = self.senders.load(Ordering::Relaxed);
        while count > 0 {
            // ORDERING: Relaxed: the new sender continues the release sequence of those that have left, so
            // the last one acquires what all of them did, see `leave`. After a refusal, the number is again a
            // guess.
            match self.senders.compare_exchange_weak(count, count + 1, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => {
                    uses::joined(self.channel(), Party::Sender as usize);
                    return true;
                }
                Err(now) => count = now,
            }
        }
        false
    }

    /// Counts one sender less. Returns `true` if it was the last one.
    #[must_use]
    pub(super) fn leave(&self) -> bool {
        uses::left(self.channel(), Party::Sender as usize);
        // ORDERING: Release and Acquire pair with each other: the last sender closes for all senders, after
        // what they did.
        self.senders.fetch_sub(1, Ordering::AcqRel) == 1
    }

    /// Claims a slot, where `seen` is what the tail was seen to say. Returns the slot, or where the tail is
    /// if no slot is left.
    #[inline(always)]
    pub(super) fn claim(&self, seen: At<T>) -> At<T> {
        uses::used(self.channel(), Party::Sender as usize);
        if !seen.has_room() {
            seen
        } else if may_add() {
            self.tail.claim()
        } else {
            self.claim_pinned()
        }
    }

    #[cold]
    #[inline(never)]
    fn claim_pinned(&self) -> At<T> {
        let pin = self.pins.pin();
        self.tail.claim_as_seen(&pin, self.tail.look_pinned(&pin))
    }

    /// Installs a block behind the last one, if that one is used up, and claims its first slot. Returns the
    /// old last block, whose link now belongs to the caller. Gives the block back in `Err` if a slot is left
    /// or the receiver has left.
    ///
    /// # Safety
    ///
    /// Only the caller may know the block, which must not be short and must have a message in its first slot
    /// alone.
    pub(super) unsafe fn install(
        &self,
        fresh: NonNull<Block<T>>,
    ) -> Result<NonNull<Block<T>>, NonNull<Block<T>>> {
        let pin = self.pins.pin();
        let mut seen = self.tail.look_pinned(&pin);
        while !seen.has_room() && !seen.is_closed() {
            // SAFETY: only the caller knows the block (caller), so it lives.
            let block = unsafe { fresh.as_ref() };
            // SAFETY: the block is the caller's until it is installed.
            unsafe { block.stand_behind(seen.block().as_ptr()) };
            match self.tail.install(&pin, seen, fresh) {
                Ok(()) => return Ok(seen.block()),
                // Other senders have raised the count, or one of them has installed a block.
                Err(now) => seen = now,
            }
        }
        Err(fresh)
    }

    /// Returns a block for a sender, which fills the first slot. All other slots are empty.
    pub(super) fn obtain(&self) -> NonNull<Block<T>> {
        self.cache.take().unwrap_or_else(Block::fresh)
    }

    /// Reuses or frees a block that is no longer used.
    ///
    /// # Safety
    ///
    /// The caller must own the block; see [`Block::leave`] and [`Block::acknowledge`].
    pub(super) unsafe fn recycle(&self, block: NonNull<Block<T>>) {
        // SAFETY: the block is the caller's, and all payloads were taken: otherwise the receiver or a skipped
        // sender would still use it (caller).
        if unsafe { Block::renew(block) } {
            // SAFETY: the block is the caller's and empty, it is not short because it was renewed, and the
            // tail has left a block that is no longer used.
            unsafe { self.put_aside(block) };
        } else {
            // SAFETY: the block is the caller's, it contains no message, and the tail has left a block that
            // is no longer used.
            unsafe { self.pins.free(block) };
        }
    }

    /// Puts a block into the block cache, or frees it if the block cache is full.
    ///
    /// # Safety
    ///
    /// See [`BlockCache::put`]. In addition, the tail must have left the block, or never have come to it.
    pub(super) unsafe fn put_aside(&self, block: NonNull<Block<T>>) {
        // SAFETY: the caller promises what `BlockCache::put` needs.
        if let Err(surplus) = unsafe { self.cache.put(block) } {
            // SAFETY: the block is the caller's, it contains no message that has to be dropped, and the tail
            // has left it or has never come to it (caller).
            unsafe { self.pins.free(surplus) };
        }
    }

    /// Acknowledges that a sender was skipped.
    ///
    /// # Safety
    ///
    /// The caller must have been skipped in this block. It must acknowledge only once for it, and must not
    /// touch the block any more.
    #[cold]
    pub(super) unsafe fn acknowledge(&self, block: NonNull<Block<T>>) {
        // SAFETY: the block lives until all senders that were skipped there have acknowledged, and the caller
        // has not acknowledged yet.
        if unsafe { Block::acknowledge(block) } {
            // SAFETY: the caller was the last one to acknowledge, so the block is its own.
            unsafe { self.recycle(block) };
        }
    }
}

impl<T> Drop for Queue<T> {
    fn drop(&mut self) {
        uses::freed(self.channel());
        // SAFETY: all ends have left. The receiver has left all blocks except the last, and took or dropped
        // all messages; and no sender has still to acknowledge.
        unsafe { Block::free(self.tail.0.take()) };
        while let Some(block) = self.cache.take() {
            // SAFETY: the block was in the block cache, so it contains no message, and no other thread knows
            // it.
            unsafe { Block::free(block) };
        }
        self.cache.before_free();
        self.pins.before_free();
        self.receiver_waiter.before_free();
    }
}
