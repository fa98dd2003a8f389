//! Blocks of slots, linked while they are needed and handed back to whoever sends.
//!
//! The sender of the last slot of a block links the next one before it publishes; the receiver of that slot
//! finds the link beside the message, moves on, and hands the empty block back through [`Spare`], a list that
//! is pushed to and taken as a whole. What was taken and is not needed yet waits in the taker's stash. At
//! most [`MOST_SPARE`] blocks wait in the list: a stream that was long once gives its memory back.
//!
//! The first block lies inside the pipe and is short, because most pipes carry little. A block is known by
//! what lies *behind* its slots, and slots are counted from there: a short block is one that lacks its first
//! slots, and a side that begins in it begins at a higher index. It is not handed back.

use super::kind::{ChainKind, Kind};
use super::slot::{prepare_slots, retire_slots};
use crate::sync::{Access, AtomicBool, AtomicPtr, Ordering, allocate, release};
use std::cell::Cell;
use std::ptr::{NonNull, null_mut};

/// Blocks are aligned to this, so that the list's count fits into the low bits of an address.
pub(super) const ALIGN: usize = 16;
/// How many empty blocks may wait for a sender: as many as the low bits can count.
const MOST_SPARE: usize = if cfg!(pipes_loom) { 1 } else { ALIGN - 1 };

/// The foot of a block; its slots lie before it.
#[repr(C)]
pub(super) struct ChainBlock {
    /// # Access
    ///
    /// The sender of the block's last slot, until it has published that slot; then the receiver of that slot;
    /// in a list or a stash, the list or the stash.
    pub(super) next: Link,
}

/// From a block to another one, or to none.
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
    /// The foot of a block in which no block is linked.
    pub(super) fn new() -> Self {
        ChainBlock { next: Link::none() }
    }

    /// A block with empty slots.
    fn fresh(kind: &Kind, chain: &ChainKind) -> NonNull<ChainBlock> {
        // SAFETY: the allocation holds at least the foot.
        let slots = unsafe { allocate(chain.allocation) };
        // SAFETY: there is room for them.
        unsafe { prepare_slots(slots, kind, kind.count) };
        // SAFETY: the foot lies inside the allocation,
        let block = unsafe { slots.add(chain.block) }.cast::<ChainBlock>();
        // SAFETY: with room for it.
        unsafe { block.write(ChainBlock::new()) };
        block
    }

    /// Frees the block.
    ///
    /// # Safety
    ///
    /// It was made by `fresh` with this kind, its slots are empty, and nobody will touch it again.
    unsafe fn free(block: NonNull<ChainBlock>, kind: &Kind, chain: &ChainKind) {
        // SAFETY: the allocation begins before the foot.
        let slots = unsafe { block.cast::<u8>().sub(chain.block) };
        // SAFETY: nobody else has the slots any more.
        unsafe { retire_slots(slots, kind, kind.count) };
        // SAFETY: it came from `allocate` with this layout.
        unsafe { release(slots, chain.allocation) };
    }
}

/// What a pipe with blocks has beside its seats; what every message needs comes last, next to the slots.
#[repr(C)]
pub(super) struct Links {
    /// Empty blocks that were taken and not needed yet.
    ///
    /// # Access
    ///
    /// The side whose turn it is to send. Turns are passed on by a message, so that a side finds the stash as
    /// the other one left it; that both share one stash keeps a side that sends little from sitting on what
    /// the other one needs.
    stash: Link,
    /// Empty blocks on their way to whoever sends next.
    spare: Spare,
    /// The receiver is leaving: a sender that runs ahead stops at the end of its block.
    gone: AtomicBool,
    /// The block that each side's current slot lies in.
    ///
    /// # Access
    ///
    /// The holder of that side's endpoint; when both have left, whoever frees the pipe.
    pub(super) blocks: [Cell<NonNull<ChainBlock>>; 2],
}

impl Links {
    pub(super) fn new(first: NonNull<ChainBlock>) -> Self {
        Links {
            blocks: [Cell::new(first), Cell::new(first)],
            stash: Link::none(),
            spare: Spare(AtomicPtr::new(null_mut())),
            gone: AtomicBool::new(false),
        }
    }

    /// The receiver is leaving while messages may still be coming.
    pub(super) fn go(&self) {
        // ORDERING: Relaxed: a hint. What is certain is said by the slot at which the receiver leaves.
        self.gone.store(true, Ordering::Relaxed);
    }

    /// Is the receiver leaving?
    pub(super) fn is_gone(&self) -> bool {
        // ORDERING: Relaxed, as in `go`.
        self.gone.load(Ordering::Relaxed)
    }

    /// An empty block for the side that sends: from the stash, from the list, or fresh.
    pub(super) fn obtain(&self, kind: &Kind, chain: &ChainKind) -> NonNull<ChainBlock> {
        let Some(block) = self.stash.take().or_else(|| self.spare.take_all()) else {
            return ChainBlock::fresh(kind, chain);
        };
        // SAFETY: a block in the stash is the sender's own, and so is the list since it was taken.
        self.stash.set(unsafe { block.as_ref() }.next.take());
        block
    }

    /// Hands an empty block on to whoever sends next, or frees it if there are enough.
    ///
    /// # Safety
    ///
    /// The caller has taken the message of the block's last slot and has moved on, or has just obtained the
    /// block. `own` is the block inside the pipe.
    pub(super) unsafe fn recycle(
        &self,
        block: NonNull<ChainBlock>,
        own: NonNull<ChainBlock>,
        kind: &Kind,
        chain: &ChainKind,
    ) {
        // SAFETY: the block is the caller's: if it was used, its last message says that all others were
        // taken.
        if block == own || unsafe { self.spare.push(block) } {
            return;
        }
        // SAFETY: it is not the pipe's own, so it is one from `fresh`; nobody else has it.
        unsafe { ChainBlock::free(block, kind, chain) };
    }

    /// Frees every block but the pipe's own.
    ///
    /// # Safety
    ///
    /// Both sides have left, and `last` is the block of the slot that they left at.
    pub(super) unsafe fn free(
        &self,
        last: NonNull<ChainBlock>,
        own: NonNull<ChainBlock>,
        kind: &Kind,
        chain: &ChainKind,
    ) {
        // SAFETY: nobody else has the block any more.
        unsafe { last.as_ref() }.next.set(None);
        for mut list in [self.stash.take(), self.spare.take_all(), Some(last)] {
            while let Some(block) = list {
                // SAFETY: every block in a list is whole.
                list = unsafe { block.as_ref() }.next.take();
                if block != own {
                    // SAFETY: both sides have left; a block is in one list only.
                    unsafe { ChainBlock::free(block, kind, chain) };
                }
            }
        }
    }
}

/// A list of empty blocks: the address of the first, with the list's length in the low bits.
struct Spare(AtomicPtr<ChainBlock>);

impl Spare {
    /// Adds a block. False: there are enough.
    ///
    /// # Safety
    ///
    /// The block is empty and the caller's.
    unsafe fn push(&self, block: NonNull<ChainBlock>) -> bool {
        // ORDERING: Relaxed: only an address and a count are read, nothing behind them.
        let mut head = self.0.load(Ordering::Relaxed);
        loop {
            let length = head.addr() & (ALIGN - 1);
            if length == MOST_SPARE {
                return false;
            }
            // The block that was seen is the one that the exchange finds, if it finds its address: to free it
            // and to get its memory back for another block, the list has to be full first; and then those
            // that wait in it have to be taken, and handed back again, by a session that goes on. It does
            // not: the one who would have to receive next is here.
            // SAFETY: the block is the caller's until it is in the list.
            unsafe { block.as_ref() }.next.set(NonNull::new(head.map_addr(|it| it & !(ALIGN - 1))));
            let with = block.as_ptr().map_addr(|it| it | (length + 1));
            // ORDERING: Release pairs with `take_all`: the slots are seen empty, and the links behind the
            // first block (those were released by earlier pushes, whose release sequences this one
            // continues).
            match self.0.compare_exchange_weak(head, with, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return true,
                Err(now) => head = now,
            }
        }
    }

    /// Takes the whole list.
    fn take_all(&self) -> Option<NonNull<ChainBlock>> {
        // ORDERING: Relaxed: an empty list needs no swap.
        if self.0.load(Ordering::Relaxed).is_null() {
            return None;
        }
        // ORDERING: Acquire pairs with `push`: the blocks are seen as they were handed back.
        let head = self.0.swap(null_mut(), Ordering::Acquire);
        NonNull::new(head.map_addr(|it| it & !(ALIGN - 1)))
    }
}
