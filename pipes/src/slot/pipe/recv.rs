//! The receiver's side of a slot: look, take the message, or leave.

use super::chain::ChainBlock;
use super::half::Half;
use super::kind::Kind;
use super::memory::Pipe;
use super::message::{Head, Then};
use super::slot::SlotHead;
use super::state::{Marks, SlotState};
use crate::wait::{Party, Waiter};
use std::mem::forget;
use std::ptr::NonNull;

impl Half {
    /// What is in the half's slot?
    ///
    /// # Safety
    ///
    /// The half is live, and `kind` is its pipe's.
    #[inline(always)]
    pub(super) unsafe fn look(&self, kind: &'static Kind) -> SlotState {
        // SAFETY: the half is live, and `kind` is its pipe's (caller).
        unsafe { self.slot(kind) }.word.look()
    }

    /// Returns `true` if there is a message in the slot this number of places behind the half's own. It may
    /// belong to a run that is not published yet, so it must not be taken.
    ///
    /// # Safety
    ///
    /// The half is live, `kind` is its pipe's, which has blocks, and `distance` is less than the number of
    /// slots that are left in the half's block.
    pub(super) unsafe fn is_full_behind(&self, kind: &'static Kind, distance: usize) -> bool {
        // SAFETY: the half is live, and `kind` is its pipe's (caller).
        let first = unsafe { self.slot_address(kind) };
        // SAFETY: this slot lies in the half's block (caller).
        let slot = unsafe { first.add(distance * kind.stride) }.cast::<SlotHead>();
        // SAFETY: it was prepared when its block was made, and the block lives until the half leaves it.
        matches!(unsafe { slot.as_ref() }.word.look(), SlotState::Full(_))
    }

    /// Returns where the half's slot lies, and what is in it.
    ///
    /// # Safety
    ///
    /// The half is live, and `kind` is its pipe's.
    #[inline(always)]
    pub(super) unsafe fn look_here(&self, kind: &'static Kind) -> (NonNull<u8>, SlotState) {
        // SAFETY: the half is live, and `kind` is its pipe's (caller).
        let here = unsafe { self.slot_address(kind) };
        // SAFETY: a slot lies here, which was prepared when its block was made, and the pipe lives.
        (here, unsafe { here.cast::<SlotHead>().as_ref() }.word.look())
    }

    /// Takes the payload of a message after which the session goes on, and moves to the next slot.
    ///
    /// # Safety
    ///
    /// The half is live, it has seen its slot full, the message is a `P`, and the session goes on.
    #[inline(always)]
    pub(super) unsafe fn take<P>(&mut self, kind: &'static Kind) -> P {
        // SAFETY: the half is live, and `kind` is its pipe's (caller).
        let here = unsafe { self.slot_address(kind) };
        // SAFETY: the caller's promises are those of `take_from`, and the half's slot is `here`.
        unsafe { self.take_from(here, kind) }
    }

    /// # Safety
    ///
    /// As for [`Half::take`], and the half's slot is `here`.
    #[inline(always)]
    pub(super) unsafe fn take_from<P>(&mut self, here: NonNull<u8>, kind: &'static Kind) -> P {
        // SAFETY: the half has seen its slot, `here`, full with a `P`, and takes it once (caller).
        let payload = unsafe { read(here, kind) };
        // SAFETY: the half is live, its slot is `here`, the payload was just taken, and the session goes on
        // (caller).
        unsafe { self.pass(here, kind) };
        payload
    }

    /// Takes the payload of the last message of the session, and leaves.
    ///
    /// # Safety
    ///
    /// The half is live, it has seen its slot full, and the message is a `P` and the session's last. The half
    /// is not used again.
    #[inline(always)]
    pub(super) unsafe fn take_last<P>(&self, kind: &'static Kind) -> P {
        // SAFETY: the half is live, and `kind` is its pipe's (caller).
        let here = unsafe { self.slot_address(kind) };
        // SAFETY: the half has seen its slot, `here`, full with a `P`, and takes it once (caller).
        let payload = unsafe { read(here, kind) };
        // SAFETY: this was the session's last message, and its payload is taken; the half is not used again.
        unsafe { self.leave_after_sender(kind) };
        payload
    }

    /// Drops every message that was sent and not received, and leaves.
    ///
    /// The messages are dropped one after the other in a loop, so a million of them needs no deep stack. If
    /// the destructor of a payload panics, the others still run, and the other side still learns that this
    /// side has left.
    ///
    /// # Safety
    ///
    /// The half is live, it is its turn to receive, and it is not used again.
    pub(super) unsafe fn close_receiving(&mut self, kind: &'static Kind) {
        // SAFETY: the half is live, it is its turn to receive (caller), and `kind` is its pipe's.
        let _waiter = unsafe { self.stop_receiving(kind) };
        // SAFETY: the half is live, it is its turn to receive (caller), it has stopped, and `kind` is its
        // pipe's.
        while let Some(head) = unsafe { self.leave_or_find(kind) } {
            // SAFETY: the half is live and has found its slot full, with this message.
            match unsafe { self.discard(kind, head) } {
                Then::Again => {}
                // SAFETY: the half is live, and after this message it is its turn to send.
                Then::Turn => return unsafe { self.close_sending(kind) },
                // SAFETY: this was the session's last message, whose payload is dropped; the half is not used
                // again.
                Then::End => return unsafe { self.leave_after_sender(kind) },
            }
        }
    }

    /// Leaves, if there is no message in the half's slot. If there is one, the half is live, and takes the
    /// payload or drops it as its next step, without another look.
    ///
    /// # Safety
    ///
    /// The half is live, it is its turn to receive, it has [stopped](Self::stop_receiving), and `kind` is its
    /// pipe's. It is not used again if this returns none.
    #[inline(always)]
    pub(super) unsafe fn leave_or_find(&mut self, kind: &'static Kind) -> Option<&'static Head> {
        // SAFETY: the half is live (caller), and `kind` is its pipe's.
        let found = match unsafe { self.look(kind) } {
            // SAFETY: the half is live (caller), and `kind` is its pipe's.
            SlotState::Empty | SlotState::Marked(_) => unsafe { self.slot(kind) }.word.close(),
            found => found,
        };
        match found {
            SlotState::Full(head) => return Some(head),
            // The sender will find this half's last step, and free the pipe.
            SlotState::Empty => {}
            // SAFETY: the half's last step swapped `CLOSED` into its slot and found these marks; it is not
            // used again.
            SlotState::Marked(marks) => unsafe { self.leave_watched(kind, marks) },
            // SAFETY: the half has seen `CLOSED`, and is not used again.
            SlotState::Closed => unsafe { self.leave_after_sender(kind) },
        }
        None
    }

    /// The half is about to leave as the receiver: a sender need not keep memory for it, and if it was
    /// registered, it is no longer. Returns its waiter, whose destructor is its executor's code, and may
    /// panic: it is dropped last.
    ///
    /// # Safety
    ///
    /// The half is live, it is its turn to receive, and `kind` is its pipe's.
    #[inline(always)]
    pub(super) unsafe fn stop_receiving(&mut self, kind: &'static Kind) -> Option<Waiter> {
        // SAFETY: the half is live (caller), and `kind` is its pipe's.
        if let Some(links) = unsafe { Pipe::links(self.pipe, kind) } {
            links.go();
        }
        // SAFETY: the half is live, it is the receiver at its slot (caller), and `kind` is its pipe's.
        unsafe { self.unregister(kind, Party::Receiver) }.ok().flatten()
    }

    /// Leaves, and wakes the sender, which was watching.
    ///
    /// # Safety
    ///
    /// The half is live, its last step was to swap `CLOSED` into its slot, and it found these marks. It is
    /// not used again.
    #[cold]
    unsafe fn leave_watched(&self, kind: &'static Kind, marks: Marks) {
        // SAFETY: the half is live, and its last step found these marks and removed them.
        let watcher = unsafe { self.take_waiter(marks, Party::Sender) };
        // SAFETY: this half has not called `leave` yet. A sender that was registered calls it as well, and
        // only the second call frees, so the pipe lives.
        if unsafe { Pipe::leave(self.pipe) } {
            // SAFETY: both sides have left, this one second; all messages were taken or dropped by their
            // receivers, and the side is this half's.
            unsafe { Pipe::free(self.pipe, kind, self.side()) };
        }
        watcher.wake();
    }

    /// Drops the payload in the half's slot and, if the session goes on, moves to the next slot.
    ///
    /// # Safety
    ///
    /// The half is live, and it has seen its slot full, with this message.
    unsafe fn discard(&mut self, kind: &'static Kind, head: &'static Head) -> Then {
        /// Leaves in place of the half if the destructor of a payload panics.
        struct Unwinding(Half, &'static Kind, Then);
        impl Drop for Unwinding {
            fn drop(&mut self) {
                let Unwinding(half, kind, then) = self;
                // SAFETY: the guard's half is not used after this, so one copy of it remains.
                let mut half = unsafe { half.duplicate() };
                if *then == Then::End {
                    // SAFETY: this was the session's last message, whose payload is gone; the half is not
                    // used again.
                    return unsafe { half.leave_after_sender(kind) };
                }
                // SAFETY: the half is live, and `kind` is its pipe's.
                let here = unsafe { half.slot_address(kind) };
                // SAFETY: the half is live, its slot is `here`, the payload is gone because its destructor
                // has run, and `head` says that the session goes on.
                unsafe { half.pass(here, kind) };
                half.set_sending(*then == Then::Turn);
                // SAFETY: the half is live, and it is not used again.
                unsafe { half.close() };
            }
        }
        // SAFETY: only one of the two copies is used: that of the guard if the destructor panics, otherwise
        // `self`.
        let unwinding = Unwinding(unsafe { self.duplicate() }, kind, head.then);
        // SAFETY: the half is live, and `kind` is its pipe's (caller).
        let here = unsafe { self.slot_address(kind) };
        // SAFETY: a slot lies here, which was prepared when its block was made, and the pipe lives.
        unsafe { here.cast::<SlotHead>().as_ref() }.access.exclusive();
        // SAFETY: `kind.payload` is the offset of the payload inside a slot of this pipe.
        let payload = unsafe { here.add(kind.payload) };
        // SAFETY: the slot is full, so the payload is the receiver's; `head` is its message's, and it is not
        // used again.
        unsafe { (head.discard)(payload) };
        forget(unwinding);
        if head.then != Then::End {
            // SAFETY: the half is live, its slot is `here`, the payload is gone because its destructor has
            // run, and `head` says that the session goes on.
            unsafe { self.pass(here, kind) };
        }
        head.then
    }

    /// Leaves, as the sender or as the receiver. It takes the half by value: if a destructor passed the
    /// address of its half on, the owner could not stay in registers.
    ///
    /// # Safety
    ///
    /// The half is live.
    #[cold]
    #[inline(never)]
    pub(super) unsafe fn close(mut self) {
        // SAFETY: the half is live (caller).
        let kind = unsafe { self.kind() };
        if self.is_sending() {
            // SAFETY: the half is live (caller), and its next step is to send.
            unsafe { self.close_sending(kind) }
        } else {
            // SAFETY: the half is live (caller), and its next step is to receive.
            unsafe { self.close_receiving(kind) }
        }
    }

    /// Makes a slot whose message was taken ready for its next message, and moves on.
    ///
    /// # Safety
    ///
    /// The half is live, its slot is `here`, the slot's payload is gone, and the session goes on.
    #[inline(always)]
    unsafe fn pass(&mut self, here: NonNull<u8>, kind: &'static Kind) {
        let waited = self.change_cells();
        // SAFETY: a slot lies here, which was prepared when its block was made, and the pipe lives.
        unsafe { here.cast::<SlotHead>().as_ref() }.word.reset();
        if self.is_last_of_block(kind) {
            // SAFETY: the half is live and has received at the last slot of a block; the session goes on.
            unsafe { self.pass_last_of_block(kind, waited) };
        } else {
            // SAFETY: the half is live and has received at its slot, which is not the last of a block; the
            // session goes on.
            unsafe { self.advance(kind) };
        }
    }

    /// Moves on from the last slot of a block; `waited` says whether the message there found its receiver
    /// waiting.
    ///
    /// # Safety
    ///
    /// As for [`Half::pass`], at the last slot of a block.
    #[cold]
    #[inline(never)]
    unsafe fn pass_last_of_block(&mut self, kind: &'static Kind, waited: bool) {
        if waited {
            // SAFETY: the half is live and has received at the last slot of a block, from a sender that found
            // it waiting.
            return unsafe { self.rewind(kind) };
        }
        // SAFETY: the half is live, the message of the block's last slot was taken, and the session goes on.
        let next = unsafe { self.recycle_block(kind) };
        // SAFETY: the half is live and has received at the last slot of a block, behind which `next` comes.
        unsafe { self.change_blocks(kind, next) };
    }

    /// Recycles the half's block, and returns the next one.
    ///
    /// # Safety
    ///
    /// The half is live, the message of its block's last slot was taken, and the session goes on.
    #[cold]
    unsafe fn recycle_block(&self, kind: &'static Kind) -> NonNull<ChainBlock> {
        // SAFETY: the half is live (caller), and only a pipe with blocks has a last slot of a block.
        let (links, chain) = unsafe { self.links(kind) };
        let block = links.blocks[self.side()].get();
        // SAFETY: the block lives until it is recycled, which happens below. Its link is the receiver's,
        // because the message of its last slot was taken (caller).
        let next = unsafe { block.as_ref() }.next.take();
        // SAFETY: the half is live (caller), so its pipe lives, and it has blocks, whose kind this is.
        let own = unsafe { Pipe::own_block(self.pipe, chain.own_block) };
        // SAFETY: the message of the block's last slot was taken (caller), this side only leaves the block
        // from here on, and as the receiver it is the one that pushes; `own`, `kind` and `chain` are the
        // pipe's.
        unsafe { links.recycle(block, own, kind, chain) };
        next.expect("the sender of a block's last slot links the next block")
    }

    /// Leaves as the receiver, at a slot at which the sender has left.
    ///
    /// # Safety
    ///
    /// The half has seen `CLOSED`, or the session's last message, whose payload is taken or dropped. It is
    /// not used again.
    #[inline(always)]
    unsafe fn leave_after_sender(&self, kind: &'static Kind) {
        // SAFETY: this half has not called `leave` yet, and a sender that found it registered frees only if
        // its own call is the second. (A half that was registered may have been woken for no reason, while
        // the sender is not yet done with its waiter.)
        if self.registration().is_registered() && !unsafe { Pipe::leave(self.pipe) } {
            return;
        }
        // SAFETY: both sides have left, this one second; all messages were taken or dropped by their
        // receivers, and the side is this half's.
        unsafe { Pipe::free(self.pipe, kind, self.side()) };
    }
}

/// Reads the payload.
///
/// # Safety
///
/// A live half has seen its slot, which is `here`, full with a `P`, and reads it once. `kind` is its pipe's.
#[inline(always)]
pub(super) unsafe fn read<P>(here: NonNull<u8>, kind: &'static Kind) -> P {
    // SAFETY: a slot lies here, which was prepared when its block was made, and the pipe lives.
    unsafe { here.cast::<SlotHead>().as_ref() }.access.exclusive();
    // SAFETY: `kind.payload` is the offset of the payload inside a slot of this pipe.
    let payload = unsafe { here.add(kind.payload) }.cast::<P>();
    // SAFETY: the slot is full with a `P`, so the payload is the receiver's, which reads it once (caller).
    unsafe { payload.read() }
}
