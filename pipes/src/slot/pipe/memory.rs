//! The memory that both sides of a pipe share, and who frees it.
//!
//! # Who frees
//!
//! Each side leaves once: by its last message, by dropping its endpoint, or by finding that the other side
//! has left. Both do so at the same slot, the last one of the session. Whoever comes second finds what the
//! first one left there and frees the pipe. Nobody waits for the other side.
//!
//! One case needs a second look. A side that leaves and finds the other one waiting still has to fetch the
//! waiter from the pipe; that one, woken for no reason, may see before that what has happened, and would free
//! the pipe under the hands of the first. Then, and only then, both go through [`Pipe::leave`], a flag that
//! says who is second. The one knows that it was waiting, the other one knows that it found somebody, so both
//! know to ask.
//!
//! It comes in two forms, of which a session meets one at most, since both are about its very end: a sender
//! that leaves finds the receiver waiting for a message, or a receiver that leaves finds the sender watching
//! for just that. Whoever leaves has unregistered itself before, and so is never both.

use super::chain::{ChainBlock, Links};
use super::kind::Kind;
use super::slot::{prepare_slots, retire_slots};
use crate::slot::seat::Seat;
use crate::sync::{AtomicBool, Ordering, allocate, release};
use std::ptr::NonNull;

/// The head of a pipe's allocation; a ring's slots, or a chain's links and first block, lie behind it.
///
/// What messages touch lies together: the seats come last, next to the slots, those of the server at the very
/// end, because in streams it is the server that receives.
#[repr(C)]
pub(super) struct Pipe {
    /// How the rest is laid out.
    pub(super) kind: &'static Kind,
    /// One side has left, and the other may still be reading a waiter.
    left: AtomicBool,
    /// Two seats for each side, used when that side receives, and when it sends and watches.
    pub(super) seats: [[Seat; 2]; 2],
}

impl Pipe {
    /// A fresh pipe: one allocation.
    #[inline]
    pub(super) fn fresh(kind: &'static Kind) -> NonNull<Pipe> {
        // SAFETY: the layout holds at least the head.
        let memory = unsafe { allocate(kind.layout) };
        let pipe = memory.cast::<Pipe>();
        // Field by field: the seats have nothing to write in an ordinary build.
        let at = pipe.as_ptr();
        // SAFETY: fresh memory of a pipe's layout, as in the next lines.
        let to_kind = unsafe { &raw mut (*at).kind };
        // SAFETY: as above.
        unsafe { to_kind.write(kind) };
        // SAFETY: as above.
        let to_left = unsafe { &raw mut (*at).left };
        // SAFETY: as above.
        unsafe { to_left.write(AtomicBool::new(false)) };
        // SAFETY: as above.
        let seats = unsafe { &raw mut (*at).seats }.cast::<Seat>();
        for index in 0..4 {
            // SAFETY: there are two seats for each of two sides.
            let seat = unsafe { seats.add(index) };
            // SAFETY: as above.
            unsafe { Seat::prepare(seat) };
        }
        // SAFETY: the slots lie inside the allocation,
        let slots = unsafe { memory.add(kind.first) };
        // SAFETY: with room for all of them.
        unsafe { prepare_slots(slots, kind, kind.own) };
        if let Some(chain) = &kind.chain {
            // SAFETY: the pipe's own block lies inside the allocation,
            let block = unsafe { memory.add(chain.own_block) }.cast::<ChainBlock>();
            // SAFETY: with room for it.
            unsafe { block.write(ChainBlock::new()) };
            // SAFETY: the links lie inside the allocation,
            let links = unsafe { memory.add(chain.links) }.cast::<Links>();
            // SAFETY: with room for them.
            unsafe { links.write(Links::new(block)) };
        }
        pipe
    }

    /// One side leaves while the other may still hold on to a seat. True: it is the second one, and frees.
    ///
    /// # Safety
    ///
    /// The caller has not left yet. After `false` the pipe may be gone: which is why no reference to it is
    /// held here.
    #[must_use]
    pub(super) unsafe fn leave(pipe: NonNull<Pipe>) -> bool {
        // SAFETY: the pipe lives until both sides have left.
        let left = unsafe { &raw const (*pipe.as_ptr()).left };
        // SAFETY: as above; an atomic may be freed by another side as soon as the swap is done.
        let left = unsafe { &*left };
        // ORDERING: Release pairs with the other side's Acquire in the same swap: the first to leave is done
        // with the pipe before the second frees it.
        left.swap(true, Ordering::AcqRel)
    }

    /// The links of a pipe with blocks.
    ///
    /// # Safety
    ///
    /// The pipe lives, and is of this kind.
    #[inline(always)]
    pub(super) unsafe fn links<'a>(pipe: NonNull<Pipe>, kind: &Kind) -> Option<&'a Links> {
        let chain = kind.chain.as_ref()?;
        // SAFETY: they lie inside the allocation,
        let links = unsafe { pipe.cast::<u8>().add(chain.links) }.cast::<Links>();
        // SAFETY: and were written when the pipe was made.
        Some(unsafe { links.as_ref() })
    }

    /// The block that came with the pipe.
    ///
    /// # Safety
    ///
    /// The pipe is one with blocks.
    pub(super) unsafe fn own_block(pipe: NonNull<Pipe>, own_block: usize) -> NonNull<ChainBlock> {
        // SAFETY: it lies inside the allocation.
        unsafe { pipe.cast::<u8>().add(own_block) }.cast()
    }

    /// Frees the pipe.
    ///
    /// # Safety
    ///
    /// Both sides have left, the caller second; every message was taken or dropped. `kind` is the pipe's and
    /// `side` is the caller's.
    #[inline(always)]
    pub(super) unsafe fn free(pipe: NonNull<Pipe>, kind: &'static Kind, side: usize) {
        let memory = pipe.cast::<u8>();
        if kind.chain.is_some() {
            // SAFETY: the caller's promises.
            unsafe { Pipe::free_blocks(pipe, kind, side) };
        }
        // SAFETY: the pipe still lives.
        unsafe { pipe.as_ref() }.seats.iter().flatten().for_each(Seat::retire);
        // SAFETY: the first slot lies inside the allocation,
        let first = unsafe { memory.add(kind.first) };
        // SAFETY: and nobody uses the slots any more.
        unsafe { retire_slots(first, kind, kind.own) };
        // SAFETY: the memory came from `allocate` with this layout.
        unsafe { release(memory, kind.layout) };
    }

    /// Frees every block but the one that came with the pipe.
    ///
    /// # Safety
    ///
    /// As for [`Pipe::free`].
    #[cold]
    unsafe fn free_blocks(pipe: NonNull<Pipe>, kind: &'static Kind, side: usize) {
        // SAFETY: the kind is the pipe's own.
        if let (Some(links), Some(chain)) = (unsafe { Pipe::links(pipe, kind) }, &kind.chain) {
            // SAFETY: this is a pipe with blocks.
            let own = unsafe { Pipe::own_block(pipe, chain.own_block) };
            // SAFETY: both sides have left at a slot of the block that the caller stands in.
            unsafe { links.free(links.blocks[side].get(), own, kind, chain) };
        }
    }
}
