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

/// The memory that the pipe was made with, whichever that is. Only the pipe itself knows it.
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

/// The layout of one kind of pipe. Offsets and distances are in bytes.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    /// The size and the alignment of the largest payload.
    pub(super) largest: Layout,
    /// The layout of the pipe's one allocation.
    pub(super) layout: Layout,
    /// The offset of the first slot from the pipe.
    pub(super) first: usize,
    /// The distance from a slot to the next one.
    pub(super) stride: usize,
    /// The offset of the payload from its slot.
    pub(super) payload: usize,
    /// The number of slots in the ring, or in each block but the first.
    pub(super) count: u32,
    /// The number of slots that come with the pipe: the ring, or a chain's first block.
    pub(super) own: u32,
    /// What a chain has in addition; `None` for a ring.
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

/// What the kind of a chain says in addition.
#[derive(Clone, Copy)]
pub(super) struct ChainKind {
    /// The offset of the pipe's `Links` from the pipe.
    pub(super) links: usize,
    /// The offset of the block that came with the pipe, from the pipe.
    pub(super) own_block: usize,
    /// The layout of every other block's allocation: its slots, then the `ChainBlock`.
    pub(super) allocation: Layout,
    /// The offset of the `ChainBlock` from the start of that allocation.
    pub(super) block: usize,
}
