//! The memory that both sides of a pipe share, and which side frees it.
//!
//! # Who frees
//!
//! Each side leaves once: by its last message, by dropping its endpoint, or by finding that the other side
//! has left. Both do so at the same slot, the last one of the session. The side that comes second finds the
//! mark of the first there, and frees the pipe. Neither side waits for the other.
//!
//! One case needs more. A side that leaves and finds the other side waiting must still fetch the waiter from
//! the pipe. If the waiting side wakes spuriously, it may see the mark before the waiter is fetched, and
//! would free the pipe while the first side is still reading it. In this case, and only in this one, both
//! sides call [`Pipe::leave`], which has a flag that says which of them is second. One side knows that it
//! waited, and the other that it found a waiter, so both know that they must ask.
//!
//! The case has two forms: a sender that leaves finds the receiver waiting for a message, or a receiver that
//! leaves finds the sender watching for just that. Both happen at the end of a session, so each session meets
//! at most one of them. A side that leaves has unregistered itself before, so it never has both roles.

use super::chain::{ChainBlock, Links};
use super::kind::Kind;
use super::slot::{prepare_slots, slots_before_free};
use crate::slot::cache::{allocate_cached, release_cached};
use crate::sync::{AtomicBool, Ordering};
use crate::wait::WaiterCell;
use std::ptr::NonNull;

/// The head of a pipe's allocation. The slots of a ring, or the links and the first block of a chain, lie
/// behind it.
///
/// Everything that messages touch lies together. The cells come last, next to the slots, with those of the
/// server at the very end, because in streams it is the server that receives.
#[repr(C)]
pub(super) struct Pipe {
    /// Says how the rest is laid out.
    pub(super) kind: &'static Kind,
    /// `true` once one side has left, while the other may still be reading a waiter.
    left: AtomicBool,
    /// Two cells for each side, which the side uses when it receives, and when it sends and watches.
    pub(super) cells: [[WaiterCell; 2]; 2],
}

impl Pipe {
    /// Creates a fresh pipe, with one allocation unless the thread has kept memory of this size.
    #[inline(always)]
    pub(super) fn fresh(kind: &'static Kind) -> NonNull<Pipe> {
        // SAFETY: `kind.layout` is not empty, because it holds at least the head.
        let memory = unsafe { allocate_cached(kind.layout) };
        let pipe = memory.cast::<Pipe>();
        // This goes field by field, because the cells have nothing to write in an ordinary build.
        let at = pipe.as_ptr();
        // SAFETY: `at` points to fresh memory with a pipe's layout, in which the field `kind` lies.
        let to_kind = unsafe { &raw mut (*at).kind };
        // SAFETY: `to_kind` points to the field in memory that only this function knows.
        unsafe { to_kind.write(kind) };
        // SAFETY: `at` points to fresh memory with a pipe's layout, in which the field `left` lies.
        let to_left = unsafe { &raw mut (*at).left };
        // SAFETY: `to_left` points to the field in memory that only this function knows.
        unsafe { to_left.write(AtomicBool::new(false)) };
        // SAFETY: `at` points to fresh memory with a pipe's layout, in which the field `cells` lies.
        let cells = unsafe { &raw mut (*at).cells }.cast::<WaiterCell>();
        for index in 0..4 {
            // SAFETY: `cells` is an array of two by two cells, so the index is in bounds.
            let cell = unsafe { cells.add(index) };
            // SAFETY: `cell` is in fresh memory that only this function knows.
            unsafe { WaiterCell::prepare(cell) };
        }
        // SAFETY: `kind.layout` is the layout of this memory, and its first slot lies at `kind.first`.
        let slots = unsafe { memory.add(kind.first) };
        // SAFETY: `slots` points to fresh memory that has room for `kind.own` slots of this kind.
        unsafe { prepare_slots(slots, kind, kind.own) };
        if let Some(chain) = &kind.chain {
            // SAFETY: the memory has the layout of a chain, in which the own block lies at `own_block`.
            let block = unsafe { memory.add(chain.own_block) }.cast::<ChainBlock>();
            // SAFETY: `block` points to fresh memory that has room for a block's head.
            unsafe { block.write(ChainBlock::new()) };
            // SAFETY: the memory has the layout of a chain, in which the links lie at `links`.
            let links = unsafe { memory.add(chain.links) }.cast::<Links>();
            // SAFETY: `links` points to fresh memory that has room for them.
            unsafe { links.write(Links::new(block)) };
        }
        pipe
    }

    /// Leaves for one side, while the other may still hold on to a cell. Returns `true` if the caller is the
    /// second side, which frees the pipe.
    ///
    /// # Safety
    ///
    /// The caller's side must not have called this yet, and the pipe must live until it does. Once this has
    /// returned `false`, the pipe may be freed at any moment, so this function holds no reference to it.
    #[must_use]
    pub(super) unsafe fn leave(pipe: NonNull<Pipe>) -> bool {
        // SAFETY: the pipe lives, because the caller's side has not called this before (caller).
        let left = unsafe { &raw const (*pipe.as_ptr()).left };
        // SAFETY: the flag lives at least until this swap, after which the reference is not used. The other
        // side may free an atomic as soon as the swap is done.
        let left = unsafe { &*left };
        // ORDERING: Release pairs with the other side's Acquire in the same swap: the first to leave is done
        // with the pipe before the second frees it.
        left.swap(true, Ordering::AcqRel)
    }

    /// Returns the links of a pipe, if it is one with blocks.
    ///
    /// # Safety
    ///
    /// The pipe must be live, and must be of this kind.
    #[inline(always)]
    pub(super) unsafe fn links<'a>(pipe: NonNull<Pipe>, kind: &Kind) -> Option<&'a Links> {
        let chain = kind.chain.as_ref()?;
        // SAFETY: `kind` is the pipe's own kind (caller), and its layout has the links at this distance.
        let links = unsafe { pipe.cast::<u8>().add(chain.links) }.cast::<Links>();
        // SAFETY: the pipe lives (caller), and `fresh` has written its links. They change only through cells.
        Some(unsafe { links.as_ref() })
    }

    /// Returns the block that came with the pipe.
    ///
    /// # Safety
    ///
    /// The pipe must be live and have blocks, and `own_block` must be from its kind.
    pub(super) unsafe fn own_block(pipe: NonNull<Pipe>, own_block: usize) -> NonNull<ChainBlock> {
        // SAFETY: the pipe lives and has blocks (caller), and its layout has its own block at this distance.
        unsafe { pipe.cast::<u8>().add(own_block) }.cast()
    }

    /// Frees the pipe.
    ///
    /// # Safety
    ///
    /// Both sides must have left, the caller second, and every message must have been taken or dropped.
    /// `kind` must be the pipe's, and `side` the caller's.
    #[inline(always)]
    pub(super) unsafe fn free(pipe: NonNull<Pipe>, kind: &'static Kind, side: usize) {
        let memory = pipe.cast::<u8>();
        if kind.chain.is_some() {
            // SAFETY: `free_blocks` asks for what the caller has promised to `free`.
            unsafe { Pipe::free_blocks(pipe, kind, side) };
        }
        // SAFETY: the pipe lives until this function releases it, and the other side has left (caller).
        unsafe { pipe.as_ref() }.cells.iter().flatten().for_each(WaiterCell::before_free);
        // SAFETY: `kind` is the pipe's own kind (caller), and its layout has the first slot at this distance.
        let first = unsafe { memory.add(kind.first) };
        // SAFETY: both sides have left, and every message was taken or dropped (caller): the slots are
        // unused.
        unsafe { slots_before_free(first, kind, kind.own) };
        // SAFETY: `fresh` allocated the memory with the layout of this kind, and no side uses it any more.
        unsafe { release_cached(memory, kind.layout) };
    }

    /// Frees every block except the one that came with the pipe.
    ///
    /// # Safety
    ///
    /// See [`Pipe::free`].
    #[cold]
    unsafe fn free_blocks(pipe: NonNull<Pipe>, kind: &'static Kind, side: usize) {
        // SAFETY: the pipe lives, and `kind` is its own kind (caller).
        if let (Some(links), Some(chain)) = (unsafe { Pipe::links(pipe, kind) }, &kind.chain) {
            // SAFETY: the pipe lives (caller), `kind.chain` is there, so it has blocks, and the distance is
            // from its kind.
            let own = unsafe { Pipe::own_block(pipe, chain.own_block) };
            // SAFETY: both sides have left (caller), at a slot of the block that the caller's side stands in.
            unsafe { links.free(links.blocks[side].get(), own, kind, chain) };
        }
    }
}
