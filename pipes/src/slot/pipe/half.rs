//! One side of a pipe: the slot at which it stands, and how it moves on.

use super::chain::{ChainBlock, Links};
use super::kind::{ChainKind, Fixed, Inherited, Kind, Memory};
use super::memory::Pipe;
use super::slot::SlotHead;
use crate::wait::{CellIndex, EndInfo, Registration, WaiterCell, uses};
use std::marker::PhantomData;
use std::ptr::NonNull;

/// The sides of a pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// The side from whose view the protocol is written; in a stream, the side that sends.
    Client = 0,
    /// The other one.
    Server = 1,
}

/// One side of a pipe with the memory `M`, at one slot.
///
/// A half is owned by one typed endpoint, whose destructor calls [`Half::close`]. The typed endpoints also
/// know which type of payload belongs to the slot. Code that depends on no type of payload is written for an
/// erased half, which is a `Half<Inherited>`, and is compiled once.
///
/// # Invariants
///
/// A half is live as long as it is used: it has not left, no copy of it is used, and only the holder of its
/// owner uses it. So its pipe lives, and so does the block of its slot. A function that copies a half, ends
/// it, or moves it on is unsafe, and demands that this remains so, except [`Half::close`], which takes the
/// only copy. A half that lies behind a reference is not exchanged for the half of another pipe, and its
/// flags and its registration are set as their setters say.
///
/// Between two steps, the half says correctly whether its next step is to send.
///
/// The pipe was made with `M`. If `M` is [`Inherited`], it was made with any memory.
///
/// # Representation
///
/// The layout does not depend on `M`, because of `repr(C)`, so a reference to a half of one memory can become
/// a reference to a half of another memory.
#[repr(C)]
pub(super) struct Half<M = Inherited> {
    pub(super) pipe: NonNull<Pipe>,
    /// The slot's index in its ring or block, shifted left by [`FLAG_BITS`] bits, and the flags below it. A
    /// half of two words travels in registers; one with three fields does not.
    position: usize,
    memory: PhantomData<fn() -> M>,
}

/// Set if the half is the server's.
const SERVER: usize = 1;
/// Set if the half's next step is to send.
const SENDING: usize = 2;
/// The half's [`Registration`], two bits, lies above this many flags.
const REGISTRATION_SHIFT: u32 = 2;
/// Set if the half stands in the block that came with the pipe.
const OWN: usize = 16;
/// Set if the last slot of the half's block is out of use.
const LAST_UNUSED: usize = 32;
/// The number of bits that the flags and the registration take.
const FLAG_BITS: u32 = 6;

impl<M: Fixed> Half<M> {
    /// Creates a pipe and returns both halves; `first` is the side that sends first, and `end` describes one
    /// of them.
    ///
    /// The pipe's own block is short, so slots are counted from `count - own`.
    ///
    /// This is always inlined, with all that it calls, so that the halves stay in registers.
    #[inline(always)]
    pub(super) fn new_pair(first: Side, end: &'static EndInfo) -> (Self, Self) {
        let kind = const { &M::KIND };
        let pipe = Pipe::fresh(kind);
        uses::made(pipe.addr().get(), end);
        let half = |side: Side| {
            let sending = if side as u8 == first as u8 { SENDING } else { 0 };
            let index = (kind.count - kind.own) as usize;
            Half { pipe, position: index << FLAG_BITS | side as usize | sending | OWN, memory: PhantomData }
        };
        (half(Side::Client), half(Side::Server))
    }
}

impl<M> Half<M> {
    /// Returns the name of the channel.
    pub(super) fn channel(&self) -> usize {
        self.pipe.addr().get()
    }

    /// Returns a copy of the half.
    ///
    /// # Safety
    ///
    /// The caller must use only one of the two after this.
    #[inline(always)]
    pub(super) unsafe fn duplicate(&self) -> Self {
        Half { ..*self }
    }

    /// Converts the half to a half of another memory.
    ///
    /// # Safety
    ///
    /// The pipe must have been made with `N`, or `N` must be [`Inherited`].
    #[inline(always)]
    pub(super) unsafe fn into_typed<N>(self) -> Half<N> {
        Half { pipe: self.pipe, position: self.position, memory: PhantomData }
    }

    /// Returns the half as a half of another memory.
    ///
    /// # Safety
    ///
    /// The pipe must have been made with `N`, or `N` must be [`Inherited`].
    #[inline(always)]
    pub(super) unsafe fn typed<N>(&self) -> &Half<N> {
        // SAFETY: the layout of a half does not depend on its memory, and its invariants hold with `N`
        // (caller).
        unsafe { NonNull::from(self).cast().as_ref() }
    }

    /// Returns the half as a half of another memory, to change it.
    ///
    /// # Safety
    ///
    /// The pipe must have been made with `N`, or `N` must be [`Inherited`].
    #[inline(always)]
    pub(super) unsafe fn typed_mut<N>(&mut self) -> &mut Half<N> {
        // SAFETY: the layout of a half does not depend on its memory, and its invariants hold with `N`
        // (caller). They still hold with `M` when the half has changed, because it remains one of this pipe.
        unsafe { NonNull::from(self).cast().as_mut() }
    }

    /// Converts the half to an erased half.
    #[inline(always)]
    pub(super) fn into_erased(self) -> Half {
        // SAFETY: any pipe may belong to an erased half.
        unsafe { self.into_typed() }
    }

    /// Returns the half as an erased half.
    #[inline(always)]
    pub(super) fn erased(&self) -> &Half {
        // SAFETY: any pipe may belong to an erased half.
        unsafe { self.typed() }
    }

    /// Returns the half as an erased half, to change it.
    #[inline(always)]
    pub(super) fn erased_mut(&mut self) -> &mut Half {
        // SAFETY: any pipe may belong to an erased half.
        unsafe { self.typed_mut() }
    }

    /// Returns the slot's index in its ring or block.
    #[inline(always)]
    fn index(&self) -> usize {
        self.position >> FLAG_BITS
    }

    /// Returns 0 for the client and 1 for the server.
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
    /// waiter. Returns `true` if it has, which means that the message found its receiver waiting.
    #[inline(always)]
    pub(super) fn change_cells(&mut self) -> bool {
        let registration = self.registration();
        if registration.is_registered() {
            self.set_registration(registration.changed());
        }
        registration.is_registered()
    }

    /// Returns a cell of one of the two sides.
    #[inline(always)]
    pub(super) fn cell(&self, side: usize, cell: CellIndex) -> &WaiterCell {
        // SAFETY: the half is live, so its pipe lives.
        &unsafe { self.pipe.as_ref() }.cells[side][cell as usize]
    }

    /// Moves on by this number of slots, in the same block.
    ///
    /// # Safety
    ///
    /// The half must have sent or received at each of these slots, none of which may be the last of a block,
    /// and the session must go on.
    #[inline(always)]
    pub(super) unsafe fn advance_by(&mut self, slots: usize) {
        self.position += slots << FLAG_BITS;
    }

    /// Moves to this index, and keeps the flags.
    #[inline(always)]
    fn go_to(&mut self, index: usize) {
        let flags = self.position & ((1 << FLAG_BITS) - 1);
        self.position = index << FLAG_BITS | flags;
    }
}

impl<M: Memory> Half<M> {
    /// Returns the kind of the half's pipe: a constant if `M` knows it, otherwise what the pipe says.
    #[inline(always)]
    pub(super) fn kind(&self) -> &'static Kind {
        match const { M::KNOWN } {
            Some(kind) => kind,
            // SAFETY: the half is live, so its pipe lives.
            None => unsafe { self.pipe.as_ref() }.kind,
        }
    }

    /// Stops the compilation if a `P` does not fit the half's slots. If only the pipe knows its slots, it
    /// panics.
    #[inline(always)]
    pub(super) fn assert_room_for<P>(&self) {
        const {
            if let Some(known) = M::KNOWN {
                assert!(known.has_room_for::<P>(), "this payload is larger than the slots of its pipe");
            }
        }
        if const { M::KNOWN.is_none() } {
            assert!(self.kind().has_room_for::<P>(), "this payload is larger than the slots of its pipe");
        }
    }

    /// Returns the half's slot.
    #[inline(always)]
    pub(super) fn slot(&self) -> &SlotHead {
        // SAFETY: a slot lies here, which was prepared when its block was made. It lives until the half moves
        // on, at least.
        unsafe { self.slot_address().cast::<SlotHead>().as_ref() }
    }

    /// Returns where the payload of the half's slot lies.
    #[inline(always)]
    pub(super) fn payload(&self) -> NonNull<u8> {
        // SAFETY: `payload` is the offset of the payload inside a slot of this kind.
        unsafe { self.slot_address().add(self.kind().payload) }
    }

    /// Returns where the half's slot lies.
    #[inline(always)]
    pub(super) fn slot_address(&self) -> NonNull<u8> {
        uses::used(self.channel(), self.side());
        let kind = self.kind();
        if kind.chain.is_none() {
            // A constant where there is only one slot.
            let index = if kind.count == 1 { 0 } else { self.index() };
            let offset = kind.first + index * kind.stride;
            // SAFETY: the index is below `kind.count`, and that many slots lie in the pipe's allocation from
            // `kind.first` on.
            return unsafe { self.pipe.cast::<u8>().add(offset) };
        }
        let block = self.links().0.blocks[self.side()].get().cast::<u8>();
        // SAFETY: slots are counted backwards from the foot of their block, and no side stands at an index
        // that a short block lacks, so the address lies inside the block's allocation.
        unsafe { block.sub((kind.count as usize - self.index()) * kind.stride) }
    }

    /// Returns the name of the half's slot.
    pub(super) fn place(&self) -> usize {
        self.slot_address().addr().get()
    }

    /// Returns the links of a pipe with blocks, and the part of the kind that describes its blocks.
    ///
    /// # Panics
    ///
    /// Panics if the pipe has no blocks.
    #[inline(always)]
    pub(super) fn links(&self) -> (&Links, &'static ChainKind) {
        let kind = self.kind();
        // SAFETY: the half is live, so its pipe lives, and it is of this kind.
        let links = unsafe { Pipe::links(self.pipe, kind) };
        links.zip(kind.chain.as_ref()).expect("only a pipe with blocks has links")
    }

    /// Returns `true` if the half stands at the last slot of its block that is in use, so that it cannot
    /// simply go on to the next slot.
    #[inline(always)]
    pub(super) fn is_last_of_block(&self) -> bool {
        let out_of_use = usize::from(self.position & LAST_UNUSED != 0);
        self.kind().chain.is_some() && self.index() + 1 + out_of_use >= self.kind().count as usize
    }

    /// Returns the number of slots of the half's block that are in use, from the half's slot to the last one.
    /// The number has no meaning in a pipe without blocks.
    #[inline(always)]
    pub(super) fn slots_left(&self) -> usize {
        let count = self.kind().count as usize;
        let out_of_use = usize::from(self.position & LAST_UNUSED != 0);
        count - out_of_use - self.index()
    }

    /// Moves to the next slot, in the same ring or block.
    ///
    /// # Safety
    ///
    /// The half must have sent or received at its slot, which must not be the last of a block, and the
    /// session must go on.
    #[inline(always)]
    pub(super) unsafe fn advance(&mut self) {
        let kind = self.kind();
        if kind.chain.is_some() || self.index() + 1 < kind.count as usize {
            self.position += 1 << FLAG_BITS;
        } else {
            self.go_to(0);
        }
    }

    /// Moves from the last slot of a block back to the first slot of the same block, after a message that
    /// found its receiver waiting.
    ///
    /// A receiver that waits has taken all earlier messages, so all other slots of the block are empty. Both
    /// sides know this: the sender from the mark that it found, the receiver because its waiter was taken. So
    /// two sides that keep up with each other stay in one block, and in the cache. The last slot, which the
    /// message leaves full, is out of use until the receiver waits again: if it waits at the slot before the
    /// last, it has taken the message of the last slot, and that slot is the next.
    ///
    /// # Safety
    ///
    /// The half must have sent or received at its slot, which must be the last of a block, and the message
    /// there must have found the receiver waiting. The session must go on.
    pub(super) unsafe fn rewind(&mut self) {
        if self.position & LAST_UNUSED != 0 {
            self.position &= !LAST_UNUSED;
            return self.go_to(self.index() + 1);
        }
        let kind = self.kind();
        self.position |= LAST_UNUSED;
        self.go_to(if self.position & OWN != 0 { (kind.count - kind.own) as usize } else { 0 });
    }

    /// Frees the pipe.
    ///
    /// # Safety
    ///
    /// Both sides must have left, this one second; every message must have been taken or dropped by its
    /// receiver. The half must not be used again.
    #[inline(always)]
    pub(super) unsafe fn free_pipe(&self) {
        uses::freed(self.channel());
        // SAFETY: both sides have left, this one second, and every message was taken or dropped (caller). The
        // kind is that of the pipe, and the side is this half's.
        unsafe { Pipe::free(self.pipe, self.kind(), self.side()) };
    }
}

impl Half {
    /// Moves from the last slot of a block to the first slot of the next block.
    ///
    /// # Safety
    ///
    /// The half must have sent or received at its slot, which must be the last of a block, behind which
    /// `next` must come. The session must go on.
    pub(super) unsafe fn change_blocks(&mut self, next: NonNull<ChainBlock>) {
        self.position &= !(OWN | LAST_UNUSED);
        self.go_to(0);
        self.links().0.blocks[self.side()].set(next);
    }
}
