//! The receiver's side of a slot: look, take the message, or leave.

use super::chain::ChainBlock;
use super::half::Half;
use super::kind::Memory;
use super::memory::Pipe;
use super::message::{Head, Then};
use super::slot::SlotHead;
use super::state::{Marks, SlotState};
use crate::wait::{Party, Waiter, steps, uses};
use std::mem::forget;
use std::ptr::NonNull;

impl<M: Memory> Half<M> {
    /// Returns what is in the half's slot.
    #[inline(always)]
    pub(super) fn look(&self) -> SlotState {
        self.slot().word.look()
    }

    /// Returns where the half's slot lies, and what is in it.
    #[inline(always)]
    pub(super) fn look_here(&self) -> (NonNull<u8>, SlotState) {
        let here = self.slot_address();
        // SAFETY: a slot lies here, which was prepared when its block was made, and the pipe lives.
        (here, unsafe { here.cast::<SlotHead>().as_ref() }.word.look())
    }

    /// Takes the payload of a message after which the session goes on, and moves to the next slot.
    ///
    /// # Safety
    ///
    /// The half must have seen its slot full, the message must be a `P`, and the session must go on.
    #[inline(always)]
    pub(super) unsafe fn take<P>(&mut self) -> P {
        let here = self.slot_address();
        // SAFETY: the caller's promises are those of `take_from`, and the half's slot is `here`.
        unsafe { self.take_from(here) }
    }

    /// Takes the payload of a message after which the session goes on, and moves to the next slot. `here` is
    /// where [`look_here`](Self::look_here) has found the half's slot.
    ///
    /// # Safety
    ///
    /// The half must have seen its slot, which must be `here`, full. The message must be a `P`, and the
    /// session must go on.
    #[inline(always)]
    pub(super) unsafe fn take_from<P>(&mut self, here: NonNull<u8>) -> P {
        // SAFETY: the half has seen its slot, `here`, full with a `P`, and takes it once (caller).
        let payload = unsafe { self.read(here) };
        // SAFETY: the half's slot is `here`, the payload was just taken, and the session goes on (caller).
        unsafe { self.move_on(here) };
        payload
    }

    /// Takes the payload of the last message of the session, and leaves.
    ///
    /// # Safety
    ///
    /// The half must have seen its slot full, and the message must be a `P` and the session's last. The half
    /// must not be used again.
    #[inline(always)]
    pub(super) unsafe fn take_last<P>(&self) -> P {
        // SAFETY: the half has seen its slot full with a `P`, and takes it once (caller).
        let payload = unsafe { self.read(self.slot_address()) };
        // SAFETY: this was the session's last message, and its payload is taken; the half is not used again.
        unsafe { self.leave_after_sender() };
        payload
    }

    /// Reads the payload of a slot.
    ///
    /// # Safety
    ///
    /// The half must have seen the slot at `here`, which is its own or lies behind it in the same block, full
    /// with a `P`, and must read it once.
    #[inline(always)]
    pub(super) unsafe fn read<P>(&self, here: NonNull<u8>) -> P {
        uses::received(self.channel(), self.side(), 1);
        // SAFETY: a slot lies here, which was prepared when its block was made, and the pipe lives.
        unsafe { here.cast::<SlotHead>().as_ref() }.access.exclusive();
        // SAFETY: `payload` is the offset of the payload inside a slot of this kind.
        let payload = unsafe { here.add(self.kind().payload) }.cast::<P>();
        // SAFETY: the slot is full with a `P`, so the payload is the receiver's, which reads it once
        // (caller).
        unsafe { payload.read() }
    }

    /// Makes a slot whose message was taken ready for its next message, and moves on.
    ///
    /// # Safety
    ///
    /// The half's slot must be `here`, the slot's payload must be gone, and the session must go on.
    #[inline(always)]
    unsafe fn move_on(&mut self, here: NonNull<u8>) {
        let waited = self.change_cells();
        // SAFETY: a slot lies here, which was prepared when its block was made, and the pipe lives.
        unsafe { here.cast::<SlotHead>().as_ref() }.word.reset();
        if self.is_last_of_block() {
            // SAFETY: the half has received at the last slot of a block, `waited` says how, and the session
            // goes on.
            unsafe { self.erased_mut().move_past_block(waited) };
        } else {
            // SAFETY: the half has received at its slot, which is not the last of a block, and the session
            // goes on.
            unsafe { self.advance() };
        }
    }

    /// Leaves as the receiver, at a slot at which the sender has left.
    ///
    /// # Safety
    ///
    /// The half must have seen `CLOSED`, or the session's last message, whose payload must be taken or
    /// dropped. It must not be used again.
    #[inline(always)]
    unsafe fn leave_after_sender(&self) {
        // A half that was registered may have been woken for no reason, while the sender is not yet done with
        // its waiter.
        // SAFETY: this half has not called `leave` yet, and a sender that found it registered frees only if
        // its own call is the second.
        if self.registration().is_registered() && !unsafe { Pipe::leave(self.pipe) } {
            return;
        }
        // SAFETY: both sides have left, this one second; all messages were taken or dropped by their
        // receivers. The half is not used again (caller).
        unsafe { self.free_pipe() };
    }
}

impl Half {
    /// Leaves, as the sender or as the receiver. The half is taken by value: if a destructor passed the
    /// address of its half on, the owner could not stay in registers.
    #[cold]
    #[inline(never)]
    pub(super) fn close(mut self) {
        steps::closes(self.channel(), self.side());
        if self.is_sending() {
            // SAFETY: the half's next step is to send, and it is not used again.
            unsafe { self.close_sending() }
        } else {
            // SAFETY: the half's next step is to receive, and it is not used again.
            unsafe { self.close_receiving() }
        }
    }

    /// Drops every message that was sent and not received, and leaves.
    ///
    /// The messages are dropped one after the other in a loop, so a million of them needs no deep stack. If
    /// the destructor of a payload panics, the others still run, and the other side still learns that this
    /// side has left.
    ///
    /// # Safety
    ///
    /// It must be the half's turn to receive, and the half must not be used again.
    pub(super) unsafe fn close_receiving(&mut self) {
        // SAFETY: it is the half's turn to receive (caller).
        let _waiter = unsafe { self.stop_receiving() };
        // SAFETY: it is the half's turn to receive, and it has stopped. It is used again only after a message
        // was found.
        while let Some(head) = unsafe { self.leave_or_find() } {
            // SAFETY: the half has found its slot full, with this message.
            match unsafe { self.discard(head) } {
                Then::Again => {}
                // SAFETY: after this message it is the half's turn to send. It is not used again.
                Then::Turn => return unsafe { self.close_sending() },
                // SAFETY: this was the session's last message, whose payload is dropped; the half is not used
                // again.
                Then::End => return unsafe { self.leave_after_sender() },
            }
        }
    }

    /// Leaves, if there is no message in the half's slot. If there is one, returns its head; then the half
    /// has not left, and it takes the payload or drops it as its next step, without another look.
    ///
    /// # Safety
    ///
    /// It must be the half's turn to receive, and the half must have [stopped](Self::stop_receiving). It must
    /// not be used again if this returns `None`.
    #[inline(always)]
    pub(super) unsafe fn leave_or_find(&mut self) -> Option<&'static Head> {
        let found = match self.look() {
            SlotState::Empty | SlotState::Marked(_) => self.slot().word.close(),
            found => found,
        };
        match found {
            SlotState::Full(head) => return Some(head),
            // The sender will find this half's last step, and free the pipe.
            SlotState::Empty => {}
            // SAFETY: the half's last step swapped `CLOSED` into its slot and found these marks; it is not
            // used again.
            SlotState::Marked(marks) => unsafe { self.leave_watched(marks) },
            // SAFETY: the half has seen `CLOSED`, and is not used again.
            SlotState::Closed => unsafe { self.leave_after_sender() },
        }
        None
    }

    /// Prepares to leave as the receiver: a sender need not keep memory for this half any longer, and if the
    /// half was registered, it no longer is. Returns its waiter. The waiter's destructor is its executor's
    /// code and may panic, so the caller drops it last.
    ///
    /// # Safety
    ///
    /// It must be the half's turn to receive.
    #[inline(always)]
    pub(super) unsafe fn stop_receiving(&mut self) -> Option<Waiter> {
        // SAFETY: the half is live, so its pipe lives, and it is of this kind.
        if let Some(links) = unsafe { Pipe::links(self.pipe, self.kind()) } {
            links.go();
        }
        // SAFETY: the half is the receiver at its slot (caller).
        unsafe { self.unregister(Party::Receiver) }
    }

    /// Leaves, and wakes the sender, which was watching.
    ///
    /// # Safety
    ///
    /// The half's last step must have been to swap `CLOSED` into its slot, and it must have found these
    /// marks. It must not be used again.
    #[cold]
    unsafe fn leave_watched(&self, marks: Marks) {
        // SAFETY: the half's last step found these marks and removed them.
        let watcher = unsafe { self.take_waiter(marks, Party::Sender) };
        // SAFETY: this half has not called `leave` yet. A sender that was registered calls it as well, and
        // only the second call frees, so the pipe lives.
        if unsafe { Pipe::leave(self.pipe) } {
            // SAFETY: both sides have left, this one second; all messages were taken or dropped by their
            // receivers. The half is not used again (caller).
            unsafe { self.free_pipe() };
        }
        watcher.wake();
    }

    /// Drops the payload in the half's slot and, if the session goes on, moves to the next slot.
    ///
    /// # Safety
    ///
    /// The half must have seen its slot full, with this message.
    unsafe fn discard(&mut self, head: &'static Head) -> Then {
        /// Leaves in place of the half if the destructor of a payload panics.
        struct Unwinding(Half, Then);
        impl Drop for Unwinding {
            fn drop(&mut self) {
                let Unwinding(half, then) = self;
                // SAFETY: the guard's half is not used after this, so one copy of it remains.
                let mut half = unsafe { half.duplicate() };
                if *then == Then::End {
                    // SAFETY: this was the session's last message, whose payload is gone; the half is not
                    // used again.
                    return unsafe { half.leave_after_sender() };
                }
                // SAFETY: the payload is gone because its destructor has run, and `then` says that the
                // session goes on.
                unsafe { half.move_on(half.slot_address()) };
                half.set_sending(*then == Then::Turn);
                half.close();
            }
        }
        // SAFETY: only one of the two copies is used: that of the guard if the destructor panics, otherwise
        // `self`.
        let unwinding = Unwinding(unsafe { self.duplicate() }, head.then);
        self.slot().access.exclusive();
        uses::received(self.channel(), self.side(), 1);
        // SAFETY: the slot is full, so the payload is the receiver's; `head` is its message's, and it is not
        // used again.
        unsafe { (head.discard)(self.payload()) };
        forget(unwinding);
        if head.then != Then::End {
            // SAFETY: the payload is gone because its destructor has run, and `head` says that the session
            // goes on.
            unsafe { self.move_on(self.slot_address()) };
        }
        head.then
    }

    /// Moves on from the last slot of a block; `waited` says whether the message there found its receiver
    /// waiting.
    ///
    /// # Safety
    ///
    /// The half must have received at its slot, which must be the last of a block, and the session must go
    /// on.
    #[cold]
    #[inline(never)]
    unsafe fn move_past_block(&mut self, waited: bool) {
        if waited {
            // SAFETY: the half has received at the last slot of a block, from a sender that found it waiting,
            // and the session goes on.
            return unsafe { self.rewind() };
        }
        // SAFETY: the message of the block's last slot was taken, and the session goes on.
        let next = unsafe { self.recycle_block() };
        // SAFETY: the half has received at the last slot of a block, behind which `next` comes, and the
        // session goes on.
        unsafe { self.change_blocks(next) };
    }

    /// Recycles the half's block, and returns the next one.
    ///
    /// # Safety
    ///
    /// The message of the block's last slot must have been taken, and the session must go on. The half must
    /// change to the next block as its next step.
    #[cold]
    unsafe fn recycle_block(&self) -> NonNull<ChainBlock> {
        let (links, chain) = self.links();
        let block = links.blocks[self.side()].get();
        // SAFETY: the block lives until it is recycled, which happens below. Its link is the receiver's,
        // because the message of its last slot was taken (caller).
        let next = unsafe { block.as_ref() }.next.take();
        // SAFETY: the half is live, so its pipe lives, and it has blocks, whose kind this is.
        let own = unsafe { Pipe::own_block(self.pipe, chain.own_block) };
        // SAFETY: the message of the block's last slot was taken (caller), this side only leaves the block
        // from here on, and as the receiver it is the one that pushes; `own`, the kind, and `chain` are the
        // pipe's.
        unsafe { links.recycle(block, own, self.kind(), chain) };
        next.expect("the sender of a block's last slot links the next block")
    }

    /// Returns `true` if there is a message in the slot this number of places behind the half's own. It may
    /// belong to a run that is not published yet, so it must not be taken.
    ///
    /// # Safety
    ///
    /// The pipe must have blocks, and `distance` must be less than the number of slots that are left in the
    /// half's block.
    pub(super) unsafe fn is_full_behind(&self, distance: usize) -> bool {
        // SAFETY: this slot lies in the half's block (caller).
        let slot = unsafe { self.slot_address().add(distance * self.kind().stride) }.cast::<SlotHead>();
        // SAFETY: it was prepared when its block was made, and the block lives until the half leaves it.
        matches!(unsafe { slot.as_ref() }.word.look(), SlotState::Full(_))
    }
}
