//! One side of a pipe: the slot at which the side stands, and how it moves on.

use super::chain::{ChainBlock, Links};
use super::kind::{ChainKind, Kind};
use super::memory::Pipe;
use super::slot::SlotHead;
use crate::wait::{CellIndex, Registration, WaiterCell};
use std::ptr::NonNull;

/// The sides of a pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// The side from whose view the protocol is written. In a stream, the side that sends.
    Client = 0,
    /// The other side.
    Server = 1,
}

/// One side of a pipe, at one slot.
///
/// A half is owned by one typed endpoint, whose destructor calls [`Half::close`]. "The half is live", in a
/// safety section, means that it has not left, that no copy of it is used, that only one thread uses it, and
/// that an argument `kind` is that of its pipe. The typed endpoints also know which type of payload belongs
/// to the slot.
pub(super) struct Half {
    pub(super) pipe: NonNull<Pipe>,
    /// The slot's index in its ring or block, shifted left by [`MARK_BITS`] bits, with the marks below it. A
    /// half of two words travels in registers, and one with three fields does not.
    position: usize,
}

/// The half is the server's.
const SERVER: usize = 1;
/// The half's next step is to send.
const SENDING: usize = 2;
/// The half's [`Registration`], two bits, lies above this many marks.
const REGISTRATION_SHIFT: u32 = 2;
/// The half stands in the block that came with the pipe.
const OWN: usize = 16;
/// The last slot of the half's block is out of use.
const LAST_UNUSED: usize = 32;
/// The number of bits that the marks take.
const MARK_BITS: u32 = 6;

impl Half {
    /// Creates a pipe and returns both halves. `first` is the side that sends first. The pipe's own block is
    /// short, so slots are counted from `count - own`.
    ///
    /// This is always inlined, with everything that it calls. The kind is then a constant, and the halves
    /// stay in registers.
    #[inline(always)]
    pub(super) fn new_pair(kind: &'static Kind, first: Side) -> (Half, Half) {
        let pipe = Pipe::fresh(kind);
        let half = |side: Side| {
            let sending = if side as u8 == first as u8 { SENDING } else { 0 };
            let index = (kind.count - kind.own) as usize;
            Half { pipe, position: index << MARK_BITS | side as usize | sending | OWN }
        };
        (half(Side::Client), half(Side::Server))
    }

    /// Returns a copy of the half.
    ///
    /// # Safety
    ///
    /// The caller must use only one of the two after this.
    #[inline(always)]
    pub(super) unsafe fn duplicate(&self) -> Half {
        Half { ..*self }
    }

    /// Returns the kind that was written into the pipe when it was made.
    ///
    /// # Safety
    ///
    /// The half must be live.
    pub(super) unsafe fn kind(&self) -> &'static Kind {
        // SAFETY: the half is live (caller), and the pipe lives until both halves have left.
        unsafe { self.pipe.as_ref() }.kind
    }

    /// Returns the slot's index in its ring or block.
    #[inline(always)]
    fn index(&self) -> u32 {
        (self.position >> MARK_BITS) as u32
    }

    /// Returns 0 for the client, and 1 for the server.
    #[inline(always)]
    pub(super) fn side(&self) -> usize {
        self.position & SERVER
    }

    /// Returns `true` if the half's next step is to send.
    pub(super) fn is_sending(&self) -> bool {
        self.position & SENDING != 0
    }

    /// Sets whether the half's next step is to send.
    #[inline(always)]
    pub(super) fn set_sending(&mut self, sending: bool) {
        self.position = if sending { self.position | SENDING } else { self.position & !SENDING };
    }

    /// Returns whether the half has registered here, and in which cell.
    #[inline(always)]
    pub(super) fn registration(&self) -> Registration {
        Registration::of(self.position >> REGISTRATION_SHIFT & Registration::BITS)
    }

    /// Sets the registration.
    #[inline(always)]
    pub(super) fn set_registration(&mut self, registration: Registration) {
        self.position = self.position & !(Registration::BITS << REGISTRATION_SHIFT)
            | registration.bits() << REGISTRATION_SHIFT;
    }

    /// Changes to the other cell if the sender of the message that was just received has taken the half's
    /// waiter. Returns `true` if it has, that is, if the message found its receiver waiting.
    #[inline(always)]
    pub(super) fn change_cells(&mut self) -> bool {
        let registration = self.registration();
        if registration.is_registered() {
            self.set_registration(registration.changed());
        }
        registration.is_registered()
    }

    /// Returns a cell of one of the two sides.
    ///
    /// # Safety
    ///
    /// The half must be live.
    #[inline(always)]
    pub(super) unsafe fn cell(&self, side: usize, cell: CellIndex) -> &WaiterCell {
        // SAFETY: the half is live (caller), and the pipe lives until both halves have left.
        &unsafe { self.pipe.as_ref() }.cells[side][cell as usize]
    }

    /// Returns the half's slot.
    ///
    /// # Safety
    ///
    /// The half must be live, `kind` must be its pipe's, and the reference must be given up before the half
    /// moves on.
    #[inline(always)]
    pub(super) unsafe fn slot<'a>(&self, kind: &'static Kind) -> &'a SlotHead {
        // SAFETY: the half is live, and `kind` is its pipe's (caller).
        let slot = unsafe { self.slot_address(kind) };
        // SAFETY: a slot lies here, which was prepared when its block was made. It lives until the half moves
        // on, at least.
        unsafe { slot.cast::<SlotHead>().as_ref() }
    }

    /// Returns the address of the payload of the half's slot.
    ///
    /// # Safety
    ///
    /// See [`Half::slot`].
    #[inline(always)]
    pub(super) unsafe fn payload(&self, kind: &'static Kind) -> NonNull<u8> {
        // SAFETY: the half is live, and `kind` is its pipe's (caller).
        let slot = unsafe { self.slot_address(kind) };
        // SAFETY: `kind.payload` is the offset of the payload inside a slot of this pipe.
        unsafe { slot.add(kind.payload) }
    }

    /// Returns the address of the half's slot.
    ///
    /// # Safety
    ///
    /// The half must be live, and `kind` must be its pipe's.
    #[inline(always)]
    pub(super) unsafe fn slot_address(&self, kind: &'static Kind) -> NonNull<u8> {
        if kind.chain.is_none() {
            // If there is only one slot, this is a constant.
            let index = if kind.count == 1 { 0 } else { self.index() as usize };
            let offset = kind.first + index * kind.stride;
            // SAFETY: the index is below `kind.count`, and that many slots lie in the pipe's allocation from
            // `kind.first` on.
            return unsafe { self.pipe.cast::<u8>().add(offset) };
        }
        // SAFETY: the half is live, `kind` is its pipe's (caller), and it has blocks.
        let block = unsafe { self.links(kind) }.0.blocks[self.side()].get().cast::<u8>();
        // SAFETY: slots are counted backwards from the foot of their block, and no side stands at an index
        // that a short block lacks, so the address lies inside the block's allocation.
        unsafe { block.sub((kind.count - self.index()) as usize * kind.stride) }
    }

    /// Returns the links of a pipe with blocks.
    ///
    /// # Safety
    ///
    /// The half must be live, and its pipe must be one with blocks.
    #[inline(always)]
    pub(super) unsafe fn links<'a>(&self, kind: &'static Kind) -> (&'a Links, &'static ChainKind) {
        // SAFETY: the half is live, and `kind` is its pipe's (caller).
        let links = unsafe { Pipe::links(self.pipe, kind) };
        links.zip(kind.chain.as_ref()).expect("only a pipe with blocks has links")
    }

    /// Returns `true` if the half stands at the last slot of its block that is in use, so that it cannot
    /// simply go on to the next slot.
    #[inline(always)]
    pub(super) fn is_last_of_block(&self, kind: &'static Kind) -> bool {
        let out_of_use = u32::from(self.position & LAST_UNUSED != 0);
        kind.chain.is_some() && self.index() + 1 + out_of_use >= kind.count
    }

    /// Returns the number of slots of the half's block that are in use, from the half's slot to the last one.
    /// Only for a pipe with blocks.
    #[inline(always)]
    pub(super) fn slots_left(&self, kind: &'static Kind) -> usize {
        let out_of_use = u32::from(self.position & LAST_UNUSED != 0);
        (kind.count - out_of_use - self.index()) as usize
    }

    /// Moves on by this number of slots in the same block.
    ///
    /// # Safety
    ///
    /// The half must be live. It must have sent or received at each of these slots, none of which is the last
    /// of a block, and the session must go on.
    #[inline(always)]
    pub(super) unsafe fn advance_by(&mut self, slots: usize) {
        self.position += slots << MARK_BITS;
    }

    /// Moves to the next slot in the same ring or block.
    ///
    /// # Safety
    ///
    /// The half must be live. It must have sent or received at its slot, which must not be the last of a
    /// block, and the session must go on.
    #[inline(always)]
    pub(super) unsafe fn advance(&mut self, kind: &'static Kind) {
        if kind.chain.is_some() || self.index() + 1 < kind.count {
            self.position += 1 << MARK_BITS;
        } else {
            self.go_to(0);
        }
    }

    /// Moves from the last slot of a block to the first slot of the next block.
    ///
    /// # Safety
    ///
    /// See [`Half::advance`]. But the slot must be the last of a block, and `next` must be the block behind
    /// it.
    pub(super) unsafe fn change_blocks(&mut self, kind: &'static Kind, next: NonNull<ChainBlock>) {
        self.position &= !(OWN | LAST_UNUSED);
        self.go_to(0);
        // SAFETY: the half is live, `kind` is its pipe's, and it has blocks (caller).
        unsafe { self.links(kind) }.0.blocks[self.side()].set(next);
    }

    /// Moves from the last slot of a block back to the first slot of the same block, after a message that
    /// found its receiver waiting.
    ///
    /// A receiver that waits has taken all earlier messages, so all other slots of the block are empty. Both
    /// sides know this: the sender from the mark that it found, and the receiver because its waiter was
    /// taken. So two sides that keep up with each other stay in one block, and in the cache. The last slot,
    /// which the message leaves full, is out of use until the receiver waits again. If the receiver waits at
    /// the slot before the last, it has taken the message of the last slot, and that slot is the next one.
    ///
    /// # Safety
    ///
    /// See [`Half::advance`]. But the slot must be the last of a block, and the message there must have found
    /// the receiver waiting.
    pub(super) unsafe fn rewind(&mut self, kind: &'static Kind) {
        if self.position & LAST_UNUSED != 0 {
            self.position &= !LAST_UNUSED;
            return self.go_to(self.index() + 1);
        }
        self.position |= LAST_UNUSED;
        self.go_to(if self.position & OWN != 0 { kind.count - kind.own } else { 0 });
    }

    /// Moves to this index and keeps the marks.
    #[inline(always)]
    fn go_to(&mut self, index: u32) {
        let marks = self.position & ((1 << MARK_BITS) - 1);
        self.position = (index as usize) << MARK_BITS | marks;
    }
}
