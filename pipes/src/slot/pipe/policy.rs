//! The policies for the memory of a pipe: where its slots are.
//!
//! *Message `k` of a session lives in slot `k`*, whichever way it travels. A policy says where slot `k` is:
//!
//! - [`Ring`]: a block of `N` slots that are used again, inside the one allocation of the pipe. For bounded
//!   protocols: if neither side ever sends more than `N - 1` messages in a row, then a slot comes round only
//!   after its last message was taken, and the side that uses it next has heard so.
//! - [`Chain`]: blocks of slots that are linked as the sender needs them and go back to it when they are
//!   empty. For protocols in which one side may run ahead without bound, and for streams.
//!
//! Both are one value, [`Kind`], that is known at compile time where types are known and read from the pipe
//! where they are not: in destructors, and in protocols whose states do not all know the type of the slots
//! ([`Inherited`]).

use super::chain::{ALIGN, ChainBlock, Links};
use super::half::Half;
use super::kind::{ChainKind, Kind};
use super::memory::Pipe;
use super::slot::SlotHead;
use std::alloc::Layout;
use std::marker::PhantomData;

/// A policy for the memory of a pipe: [`Ring`], [`Chain`], or [`Inherited`].
pub trait Memory: sealed::Memory {}

/// A policy that says where the slots are: [`Ring`] or [`Chain`].
pub trait Fixed: Memory + sealed::Fixed {}

pub(super) mod sealed {
    pub trait Memory {
        /// The kind of all pipes that a state with this memory is a state of, if that is one.
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

/// `N` slots, each with room for a `P`, used again and again; one allocation a pipe.
///
/// `N` is one more than the longest run of messages that one side may send without hearing from the other, or
/// the number of messages of the whole session if that is smaller.
#[derive(Debug)]
pub struct Ring<P, const N: u32>(PhantomData<fn(P) -> P>);

/// Blocks of slots, each slot with room for a `P`, handed back to the sender when they are empty.
#[derive(Debug)]
pub struct Chain<P>(PhantomData<fn(P) -> P>);

/// Whatever the pipe was made with: it says so itself.
///
/// For protocols in which some state knows fewer parameters than the one that the pipe began in, and so
/// cannot name the type of the slots. Where the slots are is then a load away instead of a constant.
#[derive(Debug)]
pub enum Inherited {}

impl<P, const N: u32> Memory for Ring<P, N> {}
impl<P, const N: u32> Fixed for Ring<P, N> {}
impl<P> Memory for Chain<P> {}
impl<P> Fixed for Chain<P> {}
impl Memory for Inherited {}

#[expect(private_interfaces, reason = "sealed: only the slot reads it")]
impl<P, const N: u32> sealed::Memory for Ring<P, N> {
    const KNOWN: Option<&'static Kind> = Some(&<Self as sealed::Fixed>::KIND);
}

#[expect(private_interfaces, reason = "sealed: only the slot reads it")]
impl<P> sealed::Memory for Chain<P> {
    const KNOWN: Option<&'static Kind> = Some(&<Self as sealed::Fixed>::KIND);
}

#[expect(private_interfaces, reason = "sealed: only the slot reads it")]
impl sealed::Memory for Inherited {
    const KNOWN: Option<&'static Kind> = None;
}

impl<P, const N: u32> sealed::Fixed for Ring<P, N> {
    #[expect(private_interfaces, reason = "sealed: only the slot reads it")]
    const KIND: Kind = {
        assert!(N > 0, "a pipe has at least one slot");
        assert!(N < 1 << 26, "a half keeps its slot's index beside six marks in one word");
        let largest = Layout::new::<P>();
        let slot = SlotLayout::of(largest);
        let (layout, first) = after(Layout::new::<Pipe>(), slot.times(N));
        Kind {
            largest,
            layout,
            first,
            stride: slot.stride,
            payload: slot.payload,
            count: N,
            own: N,
            chain: None,
        }
    };
}

/// At most how large a block is, in bytes, if that is enough for [`FEWEST`] slots. Allocators keep lists for
/// sizes below 1 KiB (1,000 bytes and their header, in that of glibc, which merges all small memory that was
/// freed before it looks for more).
const BLOCK_BYTES: usize = 1000;
/// The same for larger slots, of which a block takes longer to allocate in any case, unless that is not
/// enough for [`FEWEST`] of them.
const LARGE_BLOCK_BYTES: usize = 4096;
/// A block holds at most this many slots,
const MOST: usize = if cfg!(pipes_loom) { 2 } else { 62 };
/// at least this many, and always a multiple of it.
const FEWEST: usize = 2;
/// The block that comes with a pipe holds at most this many: many pipes never carry more.
const MOST_OWN: usize = 2 * FEWEST;

impl<P> sealed::Fixed for Chain<P> {
    #[expect(private_interfaces, reason = "sealed: only the slot reads it")]
    const KIND: Kind = {
        let largest = Layout::new::<P>();
        let slot = SlotLayout::of(largest).for_blocks();
        let foot = size_of::<ChainBlock>().next_multiple_of(ALIGN);
        let is_large = slot.stride > (BLOCK_BYTES - foot) / FEWEST;
        let bytes = if is_large { LARGE_BLOCK_BYTES } else { BLOCK_BYTES };
        let count = clamp((bytes - foot) / slot.stride, FEWEST, MOST) / FEWEST * FEWEST;
        let own = clamp(MOST_OWN, FEWEST, count);
        let (allocation, block) = after(slot.times(count as u32), Layout::new::<ChainBlock>());
        let (with_links, links) = after(Layout::new::<Pipe>(), Layout::new::<Links>());
        let (with_slots, first) = after(with_links, slot.times(own as u32));
        let (layout, own_block) = after(with_slots, Layout::new::<ChainBlock>());
        assert!(own_block == first + own * slot.stride, "slots end where their block begins");
        assert!(block == count * slot.stride, "slots end where their block begins");
        let chain = Some(ChainKind { links, own_block, allocation, block });
        Kind {
            largest,
            layout,
            first,
            stride: slot.stride,
            payload: slot.payload,
            count: count as u32,
            own: own as u32,
            chain,
        }
    };
}

/// The kind of a policy, as a constant that lives for ever.
#[inline(always)]
pub(super) const fn kind<M: Fixed>() -> &'static Kind {
    const { &<M as sealed::Fixed>::KIND }
}

/// The kind of a pipe: a constant if the policy knows it, or what the pipe says.
///
/// # Safety
///
/// The half is live, and one of a pipe with this policy.
#[inline(always)]
pub(super) unsafe fn kind_of<M: Memory>(half: &Half) -> &'static Kind {
    match const { <M as sealed::Memory>::KNOWN } {
        Some(kind) => kind,
        // SAFETY: the caller's promise.
        None => unsafe { half.kind() },
    }
}

/// Stops the compilation if a `P` does not fit the slots of `M`, and the program if only the pipe knows that.
#[inline(always)]
pub(super) fn fits<P, M: Memory>(kind: &'static Kind) {
    const {
        if let Some(known) = <M as sealed::Memory>::KNOWN {
            assert!(has_room_for::<P>(known), "this payload is larger than the slots of its pipe");
        }
    }
    if const { <M as sealed::Memory>::KNOWN.is_none() } {
        assert!(has_room_for::<P>(kind), "this payload is larger than the slots of its pipe");
    }
}

/// Does a `P` fit a slot?
#[inline(always)]
const fn has_room_for<P>(kind: &Kind) -> bool {
    let payload = Layout::new::<P>();
    payload.size() <= kind.largest.size() && payload.align() <= kind.largest.align()
}

/// One slot: the word, then the payload.
struct SlotLayout {
    payload: usize,
    stride: usize,
    align: usize,
}

impl SlotLayout {
    const fn of(largest: Layout) -> Self {
        match Layout::new::<SlotHead>().extend(largest) {
            Ok((slot, payload)) => {
                SlotLayout { payload, stride: slot.pad_to_align().size(), align: slot.align() }
            }
            Err(_) => panic!("{}", TOO_LARGE),
        }
    }

    /// Such that what lies behind any multiple of [`FEWEST`] of them may be a block.
    const fn for_blocks(self) -> Self {
        let row = self.stride.checked_mul(FEWEST);
        match (row, self.stride.checked_next_multiple_of(ALIGN)) {
            (Some(row), _) if row.is_multiple_of(ALIGN) => self,
            (Some(_), Some(stride)) => SlotLayout { stride, ..self },
            _ => panic!("{}", TOO_LARGE),
        }
    }

    const fn times(&self, count: u32) -> Layout {
        let size = self.stride.checked_mul(count as usize);
        match size {
            Some(size) => match Layout::from_size_align(size, self.align) {
                Ok(layout) => layout,
                Err(_) => panic!("{}", TOO_LARGE),
            },
            None => panic!("{}", TOO_LARGE),
        }
    }
}

const TOO_LARGE: &str = "the slots of a pipe are larger than memory";

/// `second` laid out behind `first`, and where it begins. What lies behind both may be a block.
const fn after(first: Layout, second: Layout) -> (Layout, usize) {
    match first.extend(second) {
        Ok((layout, offset)) => match layout.align_to(ALIGN) {
            Ok(layout) => (layout.pad_to_align(), offset),
            Err(_) => panic!("{}", TOO_LARGE),
        },
        Err(_) => panic!("{}", TOO_LARGE),
    }
}

const fn clamp(n: usize, low: usize, high: usize) -> usize {
    if n < low {
        low
    } else if n > high {
        high
    } else {
        n
    }
}
