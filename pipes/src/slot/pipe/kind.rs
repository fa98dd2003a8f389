//! The memory layout of one kind of pipe.

use std::alloc::Layout;

/// The layout of one kind of pipe.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    /// The largest payload, in bytes and alignment.
    pub(super) largest: Layout,
    /// The pipe's one allocation.
    pub(super) layout: Layout,
    /// From the pipe to its first slot.
    pub(super) first: usize,
    /// From a slot to the next.
    pub(super) stride: usize,
    /// From a slot to its payload.
    pub(super) payload: usize,
    /// Slots in the ring, or in each block but the first.
    pub(super) count: u32,
    /// Slots that come with the pipe: the ring, or a chain's first block.
    pub(super) own: u32,
    /// Only for chains.
    pub(super) chain: Option<ChainKind>,
}

/// What a chain has in addition.
#[derive(Clone, Copy)]
pub(super) struct ChainKind {
    /// From the pipe to its `Links`.
    pub(super) links: usize,
    /// From the pipe to the block that came with it.
    pub(super) own_block: usize,
    /// Every other block's allocation: its slots, then the `ChainBlock`.
    pub(super) allocation: Layout,
    /// From the start of that allocation to the block.
    pub(super) block: usize,
}
