//! The policies for the memory of a pipe: where its slots are.
//!
//! *Message `k` of a session lies in slot `k`*, whichever direction it travels in. A policy says where slot
//! `k` is:
//!
//! - [`Ring`]: a block of `N` slots that are used again, inside the one allocation of the pipe. This is for
//!   bounded protocols. If neither side ever sends more than `N - 1` messages in a row, a slot is used again
//!   only after its last message was taken, and the side that uses it next knows that it was taken.
//! - [`Chain`]: blocks of slots that are linked as the sender needs them, and that go back to it when they
//!   are empty. This is for protocols in which one side may run ahead without bound, and for streams.
//!
//! A policy is described by one value, its [`Kind`]. Where the types are known it is a constant. Where they
//! are not, it is read from the pipe: in destructors, and in protocols whose states do not all know the type
//! of the slots ([`Inherited`](super::Inherited)).

use super::chain::{ALIGN, ChainBlock, Links};
use super::kind::{ChainKind, Fixed, Kind, Memory, sealed};
use super::memory::Pipe;
use super::slot::SlotHead;
use std::alloc::Layout;
use std::marker::PhantomData;

/// `N` slots, each with room for a `P`, which are used in turn; one allocation for each pipe.
///
/// `N` is one more than the longest run of messages that one side may send without hearing from the other, or
/// the number of messages of the whole session if that is smaller.
#[derive(Debug)]
pub struct Ring<P, const N: u32>(PhantomData<fn(P) -> P>);

/// Blocks of slots, each slot with room for a `P`, handed back to the sender when they are empty.
#[derive(Debug)]
pub struct Chain<P>(PhantomData<fn(P) -> P>);

impl<P, const N: u32> Memory for Ring<P, N> {}
impl<P, const N: u32> Fixed for Ring<P, N> {}
impl<P> Memory for Chain<P> {}
impl<P> Fixed for Chain<P> {}

#[expect(private_interfaces, reason = "sealed: only the slot reads it")]
impl<P, const N: u32> sealed::Memory for Ring<P, N> {
    const KNOWN: Option<&'static Kind> = Some(&<Self as sealed::Fixed>::KIND);
}

#[expect(private_interfaces, reason = "sealed: only the slot reads it")]
impl<P> sealed::Memory for Chain<P> {
    const KNOWN: Option<&'static Kind> = Some(&<Self as sealed::Fixed>::KIND);
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

/// The largest size of a block in bytes, provided that [`FEWEST`] slots fit. Allocators keep lists for sizes
/// below 1 KiB. In glibc's allocator, 1,000 bytes and their header just fit; for larger sizes, it first
/// merges all small memory that was freed.
const BLOCK_BYTES: usize = 1000;
/// The largest size of a block of larger slots, provided that [`FEWEST`] of them fit. Such blocks take longer
/// to allocate in any case.
const LARGE_BLOCK_BYTES: usize = 4096;
/// Returns the largest number of slots in a block. In models there are few, but enough for long runs if the
/// payload says so by its alignment.
const fn most<P>() -> usize {
    match cfg!(pipes_loom) {
        false => 62,
        true if align_of::<P>() > align_of::<usize>() => 4,
        true => 2,
    }
}
/// The smallest number of slots in a block. Their number is always a multiple of this.
const FEWEST: usize = 2;
/// The largest number of slots in the block that comes with a pipe, because many pipes never carry more
/// messages.
const MOST_OWN: usize = 2 * FEWEST;

impl<P> sealed::Fixed for Chain<P> {
    #[expect(private_interfaces, reason = "sealed: only the slot reads it")]
    const KIND: Kind = {
        let largest = Layout::new::<P>();
        let slot = SlotLayout::of(largest).for_blocks();
        let foot = size_of::<ChainBlock>().next_multiple_of(ALIGN);
        let is_large = slot.stride > (BLOCK_BYTES - foot) / FEWEST;
        let bytes = if is_large { LARGE_BLOCK_BYTES } else { BLOCK_BYTES };
        let count = clamp((bytes - foot) / slot.stride, FEWEST, most::<P>()) / FEWEST * FEWEST;
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

    /// Pads the slots so that a block's foot may follow any multiple of [`FEWEST`] of them.
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

/// Lays out `second` behind `first`, and also returns the offset of `second`. A block's foot may follow both.
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
