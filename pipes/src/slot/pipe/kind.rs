//! The memory layout of one kind of pipe, as a value and as a type.

use std::alloc::Layout;

/// A policy for the memory of a pipe: [`Ring`](super::Ring), [`Chain`](super::Chain), or [`Inherited`].
pub trait Memory: sealed::Memory {}

/// A policy that says where the slots are: [`Ring`](super::Ring) or [`Chain`](super::Chain).
pub trait Fixed: Memory + sealed::Fixed {}

pub(super) mod sealed {
    pub trait Memory {
        /// The kind of all pipes with this memory, if there is only one.
        #[doc(hidden)]
        #[expect(private_interfaces, reason = "sealed: only the slot reads it")]
        const KNOWN: Option<&'static crate::slot::pipe::kind::Kind>;
    }

    pub trait Fixed {
        #[doc(hidden)]
        #[expect(private_interfaces, reason = "sealed: only the slot reads it")]
        const KIND: crate::slot::pipe::kind::Kind;
    }
}

/// The memory that the pipe was made with, whichever that is; the pipe says it.
///
/// This is for protocols in which some state knows fewer parameters than the one that the pipe began in, and
/// so cannot name the type of the slots. Finding a slot then takes a load, where it is otherwise a constant.
#[derive(Debug)]
pub enum Inherited {}

impl Memory for Inherited {}

#[expect(private_interfaces, reason = "sealed: only the slot reads it")]
impl sealed::Memory for Inherited {
    const KNOWN: Option<&'static Kind> = None;
}

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

impl Kind {
    /// Returns `true` if a `P` fits a slot.
    #[inline(always)]
    pub(super) const fn has_room_for<P>(&self) -> bool {
        let payload = Layout::new::<P>();
        payload.size() <= self.largest.size() && payload.align() <= self.largest.align()
    }
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
