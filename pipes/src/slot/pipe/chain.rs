//! Blocks of slots, which are linked as they are needed and handed back to the side that sends.
//!
//! The sender of the last slot of a block links the next block before it publishes. The receiver of that slot
//! finds the link beside the message, moves on, and hands the empty block back through [`FreeList`], a list
//! to which blocks are pushed one by one, and which is taken as a whole. Blocks that were taken and are not
//! needed yet wait in the sender's local free list. At most [`MAX_FREE`] blocks wait in the list, so a stream
//! that was long once gives its memory back.
//!
//! The first block lies inside the pipe and is short, because most pipes carry little. It is never handed
//! back. A block is identified by its foot, which lies *behind* its slots, and slots are counted backwards
//! from there. A short block lacks its first slots, and a side that begins in it begins at a higher index.

use super::kind::{ChainKind, Kind};
use super::slot::{prepare_slots, slots_before_free};
use crate::sync::{Access, AtomicBool, AtomicPtr, Ordering, allocate, release};
use std::cell::Cell;
use std::ptr::{NonNull, null_mut};

/// The alignment of blocks, so that small slots do not cross cache lines.
pub(super) const ALIGN: usize = 16;
/// The number of empty blocks that may wait in the list. A sender of runs gets further ahead than a sender of
/// single messages: with fifteen blocks, a run of 64 numbers cost a third more.
const MAX_FREE: u8 = if cfg!(pipes_loom) { 1 } else { 31 };

/// The foot of a block. The slots lie before it.
#[repr(C)]
pub(super) struct ChainBlock {
    /// # Access
    ///
    /// It belongs to the sender of the block's last slot, until it has published that slot, and then to the
    /// receiver of that slot. While the block is in one of the two lists, the link belongs to that list.
    pub(super) next: Link,
}

/// The link from a block to another one, or to none.
pub(super) struct Link(Cell<Option<NonNull<ChainBlock>>>, Access);

impl Link {
    fn none() -> Self {
        Link(Cell::new(None), Access::new())
    }

    pub(super) fn set(&self, next: Option<NonNull<ChainBlock>>) {
        self.1.exclusive();
        self.0.set(next);
    }

    pub(super) fn take(&self) -> Option<NonNull<ChainBlock>> {
        self.1.exclusive();
        self.0.take()
    }
}

impl ChainBlock {
    /// Creates the foot of a block without a link.
    pub(super) fn new() -> Self {
        ChainBlock { next: Link::none() }
    }

    /// Allocates a block with empty slots.
    fn fresh(kind: &Kind, chain: &ChainKind) -> NonNull<ChainBlock> {
        // SAFETY: the layout's size is not zero, because it holds at least the foot.
        let slots = unsafe { allocate(chain.allocation) };
        // SAFETY: the fresh allocation has room for `kind.count` slots before the foot.
        unsafe { prepare_slots(slots, kind, kind.count) };
        // SAFETY: `chain.block` is the offset of the foot inside the allocation.
        let block = unsafe { slots.add(chain.block) }.cast::<ChainBlock>();
        // SAFETY: the fresh allocation has room for a `ChainBlock` here.
        unsafe { block.write(ChainBlock::new()) };
        block
    }

    /// Frees the block.
    ///
    /// # Safety
    ///
    /// The block must have been made by `fresh` with this kind, its slots must be empty, and no side may
    /// touch it again.
    unsafe fn free(block: NonNull<ChainBlock>, kind: &Kind, chain: &ChainKind) {
        // SAFETY: `fresh` put the foot `chain.block` bytes behind the beginning of the allocation.
        let slots = unsafe { block.cast::<u8>().sub(chain.block) };
        // SAFETY: `fresh` made `kind.count` slots there, and no side will touch them again (caller).
        unsafe { slots_before_free(slots, kind, kind.count) };
        // SAFETY: `fresh` got the memory from `allocate` with this layout, and no side will touch it again
        // (caller).
        unsafe { release(slots, chain.allocation) };
    }
}

/// The fields that only a pipe with blocks has. Those that every message needs come last, next to the slots.
#[repr(C)]
pub(super) struct Links {
    /// Empty blocks that were taken from the list and are not needed yet.
    ///
    /// # Access
    ///
    /// It belongs to the side whose turn it is to send. A message passes the turn on, so the next side sees
    /// the list as the other side left it. Both sides share one local list, so that a side that sends little
    /// does not keep blocks that the other side needs.
    local_free: Link,
    /// Empty blocks on their way to the side that sends next.
    free_list: FreeList,
    /// The number of blocks in that list, if it has not been taken since the last push.
    ///
    /// # Access
    ///
    /// It belongs to the side that pushes a block. No two pushes happen at the same time: messages order
    /// those of the two sides of a session, and a sender gives a block back only after it has found its
    /// receiver waiting or gone, and before its next message.
    length: Cell<u8>,
    pushes: Access,
    /// Set when the receiver is leaving. A sender that runs ahead then stops at the end of its block.
    gone: AtomicBool,
    /// The block in which each side's current slot lies.
    ///
    /// # Access
    ///
    /// It belongs to the holder of that side's endpoint, or, after both sides have left, to the side that
    /// frees the pipe.
    pub(super) blocks: [Cell<NonNull<ChainBlock>>; 2],
}

impl Links {
    pub(super) fn new(first: NonNull<ChainBlock>) -> Self {
        Links {
            blocks: [Cell::new(first), Cell::new(first)],
            local_free: Link::none(),
            free_list: FreeList(AtomicPtr::new(null_mut())),
            length: Cell::new(0),
            pushes: Access::new(),
            gone: AtomicBool::new(false),
        }
    }

    /// Announces that the receiver is leaving while messages may still come.
    pub(super) fn go(&self) {
        // ORDERING: Relaxed: this is only a hint. The slot at which the receiver leaves says for certain that
        // it has left.
        self.gone.store(true, Ordering::Relaxed);
    }

    /// Returns `true` if the receiver is leaving.
    pub(super) fn is_gone(&self) -> bool {
        // ORDERING: Relaxed: a hint, as in `go`.
        self.gone.load(Ordering::Relaxed)
    }

    /// Returns an empty block, from the local list, from the shared one, or fresh.
    ///
    /// # Safety
    ///
    /// It must be the caller's turn to send, and `kind` and `chain` must be the pipe's.
    pub(super) unsafe fn obtain(&self, kind: &Kind, chain: &ChainKind) -> NonNull<ChainBlock> {
        let Some(block) = self.local_free.take().or_else(|| self.free_list.take_all()) else {
            return ChainBlock::fresh(kind, chain);
        };
        // SAFETY: the block was in the local list, which is the sender's, or in the shared list that the
        // sender has just taken. Blocks there live until they are freed from there.
        self.local_free.set(unsafe { block.as_ref() }.next.take());
        block
    }

    /// Hands an empty block to the side that sends next, or frees it if enough blocks wait.
    ///
    /// # Safety
    ///
    /// The caller must have taken the message of the block's last slot, and must not use the block again
    /// except to leave it; or it must just have obtained the block. It must be the side that
    /// [pushes](Self::length). `own` must be the block inside the pipe, and `kind` and `chain` must be the
    /// pipe's.
    pub(super) unsafe fn recycle(
        &self,
        block: NonNull<ChainBlock>,
        own: NonNull<ChainBlock>,
        kind: &Kind,
        chain: &ChainKind,
    ) {
        // SAFETY: the block is the caller's and empty: the caller has just obtained it, or has taken its last
        // message and therefore all others. The caller is the side that pushes.
        if block == own || unsafe { self.push(block) } {
            return;
        }
        // SAFETY: it is not the pipe's own block, so `fresh` made it; it is empty and the caller's, and is
        // not used again.
        unsafe { ChainBlock::free(block, kind, chain) };
    }

    /// Adds a block to the list. Returns `false` if the list is full.
    ///
    /// # Safety
    ///
    /// The block must be empty and the caller's own, and the caller must be the side that pushes.
    unsafe fn push(&self, block: NonNull<ChainBlock>) -> bool {
        self.pushes.exclusive();
        // ORDERING: Relaxed: only an address is read, nothing behind it.
        let mut head = self.free_list.0.load(Ordering::Relaxed);
        loop {
            let length = if head.is_null() { 0 } else { self.length.get() };
            if length == MAX_FREE {
                return false;
            }
            // If the exchange finds the address that was seen, it is that of the same block: only the side
            // that pushes frees blocks, so no other block can have got this address.
            // SAFETY: the block lives, and its link is the caller's until the block is in the list (caller).
            unsafe { block.as_ref() }.next.set(NonNull::new(head));
            // ORDERING: Release pairs with `take_all`: the taker sees the slots empty, and the links behind
            // the first block. Earlier pushes released those; this one continues their release sequences.
            match self.free_list.0.compare_exchange_weak(
                head,
                block.as_ptr(),
                Ordering::Release,
                Ordering::Relaxed,
            ) {
                Ok(_) => {
                    self.length.set(length + 1);
                    return true;
                }
                Err(now) => head = now,
            }
        }
    }

    /// Frees every block except the pipe's own.
    ///
    /// # Safety
    ///
    /// Both sides must have left. `last` must be the block of the slot at which they left, `own` the block
    /// inside the pipe, and `kind` and `chain` the pipe's.
    pub(super) unsafe fn free(
        &self,
        last: NonNull<ChainBlock>,
        own: NonNull<ChainBlock>,
        kind: &Kind,
        chain: &ChainKind,
    ) {
        // SAFETY: the block lives until it is freed below, and both sides have left.
        unsafe { last.as_ref() }.next.set(None);
        for mut list in [self.local_free.take(), self.free_list.take_all(), Some(last)] {
            while let Some(block) = list {
                // SAFETY: a block in a list lives until it is freed, which only this loop does now.
                list = unsafe { block.as_ref() }.next.take();
                if block != own {
                    // SAFETY: it is not the pipe's own block, so `fresh` made it. Both sides have left, and a
                    // block is in one list only, so it is freed once.
                    unsafe { ChainBlock::free(block, kind, chain) };
                }
            }
        }
    }
}

/// A list of empty blocks: the address of the first one.
struct FreeList(AtomicPtr<ChainBlock>);

impl FreeList {
    /// Takes the whole list, and returns its first block.
    fn take_all(&self) -> Option<NonNull<ChainBlock>> {
        // ORDERING: Relaxed: an empty list needs no swap.
        if self.0.load(Ordering::Relaxed).is_null() {
            return None;
        }
        // ORDERING: Acquire pairs with `push`: the blocks are seen as they were handed back.
        let head = self.0.swap(null_mut(), Ordering::Acquire);
        NonNull::new(head)
    }
}
