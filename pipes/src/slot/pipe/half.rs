//! One side of a pipe: which slot it stands at, and how it may use it.

use super::chain::{ChainBlock, Links};
use super::kind::{ChainKind, Kind};
use super::memory::Pipe;
use super::slot::SlotHead;
use crate::slot::seat::{Seat, SeatNumber, Seating};
use std::ptr::NonNull;

/// Which side of a pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// The side that the protocol is written from; of a stream, the one that sends.
    Client = 0,
    /// The other one.
    Server = 1,
}

/// One side of a pipe, at one slot.
///
/// Owned by one typed endpoint, whose destructor calls [`Half::close`]. There are exactly two halves of a
/// pipe, never two of one side, and each is used by one thread at a time: that is what the `unsafe fn`s here
/// ask for with the words "the half is live". The typed endpoints also know which type of payload belongs to
/// the slot.
pub(super) struct Half {
    pub(super) pipe: NonNull<Pipe>,
    /// The slot's index in its ring or block above [`MARKS`] bits of marks: two words travel in registers,
    /// three fields do not.
    position: usize,
}

/// The half is the server's.
const SERVER: usize = 1;
/// The half's next step is to send.
const SENDING: usize = 2;
/// Above so many marks lies the half's [`Seating`], two bits.
const SEATING: u32 = 2;
/// The half stands in the block that came with the pipe.
const OWN: usize = 16;
/// The last slot of the half's block is out of use.
const SHORT: usize = 32;
/// How many bits the marks take.
const MARKS: u32 = 6;

impl Half {
    /// Both halves of a fresh pipe; `first` is the side that sends first.
    #[inline]
    pub(super) fn entangle(kind: &'static Kind, first: Side) -> (Half, Half) {
        let pipe = Pipe::fresh(kind);
        let half = |side: Side| {
            let sending = if side as u8 == first as u8 { SENDING } else { 0 };
            let index = (kind.count - kind.own) as usize;
            Half { pipe, position: index << MARKS | side as usize | sending | OWN }
        };
        (half(Side::Client), half(Side::Server))
    }

    /// The same half once more.
    ///
    /// # Safety
    ///
    /// The caller never uses, nor drops, one of the two.
    #[inline(always)]
    pub(super) unsafe fn duplicate(&self) -> Half {
        Half { ..*self }
    }

    /// The kind that was written into the pipe when it was made.
    ///
    /// # Safety
    ///
    /// The half is live.
    pub(super) unsafe fn kind(&self) -> &'static Kind {
        // SAFETY: the pipe lives as long as one of its halves.
        unsafe { self.pipe.as_ref() }.kind
    }

    /// The slot's index in its ring or block.
    #[inline(always)]
    fn index(&self) -> u32 {
        (self.position >> MARKS) as u32
    }

    /// 0 for the client, 1 for the server.
    #[inline(always)]
    pub(super) fn side(&self) -> usize {
        self.position & SERVER
    }

    /// Is the half's next step to send?
    pub(super) fn is_sending(&self) -> bool {
        self.position & SENDING != 0
    }

    /// Says what the half's next step is.
    #[inline(always)]
    pub(super) fn set_sending(&mut self, sending: bool) {
        self.position = if sending { self.position | SENDING } else { self.position & !SENDING };
    }

    /// Whether the half has registered here, and in which seat.
    #[inline(always)]
    pub(super) fn seating(&self) -> Seating {
        Seating::of(self.position >> SEATING & Seating::BITS)
    }

    /// Remembers this seating.
    #[inline(always)]
    pub(super) fn set_seating(&mut self, seating: Seating) {
        self.position = self.position & !(Seating::BITS << SEATING) | seating.bits() << SEATING;
    }

    /// When a message was received: if its sender has taken the half's waiter, changes to the other seat.
    /// True: it has, so the message found its receiver waiting.
    #[inline(always)]
    pub(super) fn change_seats(&mut self) -> bool {
        let seating = self.seating();
        if seating.is_registered() {
            self.set_seating(seating.changed());
        }
        seating.is_registered()
    }

    /// A seat: of the caller's own side, or of the other one.
    ///
    /// # Safety
    ///
    /// The half is live.
    #[inline(always)]
    pub(super) unsafe fn seat(&self, side: usize, seat: SeatNumber) -> &Seat {
        // SAFETY: the pipe lives as long as one of its halves.
        &unsafe { self.pipe.as_ref() }.seats[side][seat as usize]
    }

    /// The half's slot.
    ///
    /// # Safety
    ///
    /// The half is live, `kind` is its pipe's, and the reference is given up before the half moves on.
    #[inline(always)]
    pub(super) unsafe fn slot<'a>(&self, kind: &'static Kind) -> &'a SlotHead {
        // SAFETY: the caller's promises are those of `slot_address`.
        let slot = unsafe { self.slot_address(kind) };
        // SAFETY: every slot was prepared when its block was made.
        unsafe { slot.cast::<SlotHead>().as_ref() }
    }

    /// Where the payload of the half's slot lies.
    ///
    /// # Safety
    ///
    /// As for [`Half::slot`].
    #[inline(always)]
    pub(super) unsafe fn payload(&self, kind: &'static Kind) -> NonNull<u8> {
        // SAFETY: the caller's promises are those of `slot_address`.
        let slot = unsafe { self.slot_address(kind) };
        // SAFETY: the payload lies inside the slot.
        unsafe { slot.add(kind.payload) }
    }

    /// Where the half's slot lies.
    ///
    /// # Safety
    ///
    /// The half is live and `kind` is its pipe's.
    #[inline(always)]
    pub(super) unsafe fn slot_address(&self, kind: &'static Kind) -> NonNull<u8> {
        if kind.chain.is_none() {
            let offset = kind.first + self.index() as usize * kind.stride;
            // SAFETY: the index is below the number of slots, all of which lie inside the pipe.
            return unsafe { self.pipe.cast::<u8>().add(offset) };
        }
        // SAFETY: the half is live, and this is a pipe with blocks.
        let block = unsafe { self.links(kind) }.0.blocks[self.side()].get().cast::<u8>();
        // SAFETY: slots are counted from the foot of their block, and no side begins at one that is missing.
        unsafe { block.sub((kind.count - self.index()) as usize * kind.stride) }
    }

    /// The links of a pipe with blocks.
    ///
    /// # Safety
    ///
    /// The half is live, and its pipe is one with blocks.
    #[inline(always)]
    pub(super) unsafe fn links<'a>(&self, kind: &'static Kind) -> (&'a Links, &'static ChainKind) {
        // SAFETY: the half is live.
        let links = unsafe { Pipe::links(self.pipe, kind) };
        links.zip(kind.chain.as_ref()).expect("only pipes with blocks have a last slot of a block")
    }

    /// Does the half stand at the last slot of a block that is in use, behind which something else comes than
    /// the next slot?
    #[inline(always)]
    pub(super) fn is_last_of_block(&self, kind: &'static Kind) -> bool {
        let out_of_use = u32::from(self.position & SHORT != 0);
        kind.chain.is_some() && self.index() + 1 + out_of_use >= kind.count
    }

    /// To the next slot, in the same ring or block.
    ///
    /// # Safety
    ///
    /// The half is live; it has sent or received at its slot, which is not the last of a block, and the
    /// session goes on.
    #[inline(always)]
    pub(super) unsafe fn advance(&mut self, kind: &'static Kind) {
        if kind.chain.is_some() || self.index() + 1 < kind.count {
            self.position += 1 << MARKS;
        } else {
            self.go_to(0);
        }
    }

    /// From the last slot of a block to the first one of the next.
    ///
    /// # Safety
    ///
    /// As for [`Half::advance`], but the slot is the last of a block, behind which `next` comes.
    pub(super) unsafe fn change_blocks(&mut self, kind: &'static Kind, next: NonNull<ChainBlock>) {
        self.position &= !(OWN | SHORT);
        self.go_to(0);
        // SAFETY: the half is live, and this is a pipe with blocks.
        unsafe { self.links(kind) }.0.blocks[self.side()].set(next);
    }

    /// From the last slot of a block back to the first one of the same block, after a message that found its
    /// receiver waiting.
    ///
    /// A receiver that waits has taken everything before, so that all other slots of the block are empty, and
    /// both sides know it: the sender by what it found, the receiver by who took its waiter. Sides that keep
    /// up with each other so stay in one block, instead of walking through all the memory there is. The slot
    /// that is left full is out of use until the receiver waits again; if it waits at the one before, the
    /// full one has been taken, and is the next.
    ///
    /// # Safety
    ///
    /// As for [`Half::advance`], but the slot is the last of a block.
    pub(super) unsafe fn rewind(&mut self, kind: &'static Kind) {
        if self.position & SHORT != 0 {
            self.position &= !SHORT;
            return self.go_to(self.index() + 1);
        }
        self.position |= SHORT;
        self.go_to(if self.position & OWN != 0 { kind.count - kind.own } else { 0 });
    }

    /// To this index; the marks stay.
    #[inline(always)]
    fn go_to(&mut self, index: u32) {
        let marks = self.position & ((1 << MARKS) - 1);
        self.position = (index as usize) << MARKS | marks;
    }
}
