//! The receiver's side of a slot: look, take the message, or leave.

use super::chain::ChainBlock;
use super::half::Half;
use super::kind::Kind;
use super::memory::Pipe;
use super::message::{Head, Then};
use super::slot::SlotHead;
use super::state::{Marks, SlotState};
use crate::slot::seat::Party;
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
        // SAFETY: the caller's promises.
        unsafe { self.slot(kind) }.word.look()
    }

    /// Takes the payload of a message after which the session goes on, and moves to the next slot; or says
    /// what is there instead.
    ///
    /// # Safety
    ///
    /// The half is live, it is its turn to receive, `kind` is its pipe's, and whatever is sent here is such a
    /// message, a `P`.
    #[inline(always)]
    pub(super) unsafe fn receive<P>(&mut self, kind: &'static Kind) -> Result<P, SlotState> {
        // SAFETY: the half is live.
        let here = unsafe { self.slot_address(kind) };
        // SAFETY: every slot was prepared when its block was made.
        let found = unsafe { here.cast::<SlotHead>().as_ref() }.word.look();
        let SlotState::Full(_) = found else { return Err(found) };
        // SAFETY: the half has seen its slot full.
        Ok(unsafe { self.take_from(here, kind) })
    }

    /// Takes the payload of a message after which the session goes on, and moves to the next slot.
    ///
    /// # Safety
    ///
    /// The half is live, it has seen its slot full, `kind` is its pipe's, and the message is a `P`.
    #[inline(always)]
    pub(super) unsafe fn take<P>(&mut self, kind: &'static Kind) -> P {
        // SAFETY: the half is live.
        let here = unsafe { self.slot_address(kind) };
        // SAFETY: the caller's promises.
        unsafe { self.take_from(here, kind) }
    }

    /// # Safety
    ///
    /// As for [`Half::take`], and the half's slot is `here`.
    #[inline(always)]
    unsafe fn take_from<P>(&mut self, here: NonNull<u8>, kind: &'static Kind) -> P {
        // SAFETY: the caller's promises.
        let payload = unsafe { read(here, kind) };
        // SAFETY: its payload was just taken.
        unsafe { self.pass(here, kind) };
        payload
    }

    /// Takes the payload of the last message of the session, and leaves.
    ///
    /// # Safety
    ///
    /// As for [`Half::take`].
    #[inline(always)]
    pub(super) unsafe fn take_last<P>(&self, kind: &'static Kind) -> P {
        // SAFETY: the half is live.
        let here = unsafe { self.slot_address(kind) };
        // SAFETY: the slot is full, with a `P`.
        let payload = unsafe { read(here, kind) };
        // SAFETY: the sender has left with this message.
        unsafe { self.leave_after_sender(kind) };
        payload
    }

    /// Leaves, having dropped every message that was sent and not read.
    ///
    /// One after the other: an unread million of them is a loop, not a recursion. The destructor of a payload
    /// may panic; the others run all the same, and the other side learns of the close.
    ///
    /// # Safety
    ///
    /// The half is live, and it is its turn to receive.
    pub(super) unsafe fn close_receiving(&mut self, kind: &'static Kind) {
        // SAFETY: the half is live.
        if let Some(links) = unsafe { Pipe::links(self.pipe, kind) } {
            links.go();
        }
        // Dropped last: a waker is its executor's code, and may panic.
        // SAFETY: the half is live and receives.
        let _waiter = unsafe { self.unregister(kind, Party::Receiver) };
        loop {
            // SAFETY: the half is live and receives.
            let found = match unsafe { self.look(kind) } {
                // SAFETY: as above.
                SlotState::Empty | SlotState::Waiting(_) => unsafe { self.slot(kind) }.word.close(),
                found => found,
            };
            match found {
                // The sender will find it, and free.
                SlotState::Empty => return,
                // SAFETY: this half leaves, and has found the sender watching.
                SlotState::Waiting(marks) => return unsafe { self.leave_watched(kind, marks) },
                // SAFETY: the sender left first.
                SlotState::Closed => return unsafe { self.leave_after_sender(kind) },
                SlotState::Full(head) => {
                    // SAFETY: the slot is full, and this half has seen it.
                    match unsafe { self.discard(kind, head) } {
                        Then::Again => {}
                        // SAFETY: it is this half's turn now.
                        Then::Turn => return unsafe { self.close_sending(kind) },
                        // SAFETY: the sender left with this message.
                        Then::End => return unsafe { self.leave_after_sender(kind) },
                    }
                }
            }
        }
    }

    /// Leaves, and wakes the sender, which watches.
    ///
    /// # Safety
    ///
    /// The half's last step was to swap `CLOSED` into its slot, and this is what it found.
    #[cold]
    unsafe fn leave_watched(&self, kind: &'static Kind, marks: Marks) {
        // SAFETY: the receiver has found the sender watching, and takes its waiter once.
        let watcher = unsafe { self.take_waiter(marks, Party::Sender) };
        // SAFETY: the sender, if it is through already, has not freed the pipe: it asks `leave` too.
        if unsafe { Pipe::leave(self.pipe) } {
            // SAFETY: the sender left first.
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
        /// Leaves in the half's place if the destructor of a payload panics.
        struct Unwinding(Half, &'static Kind, Then);
        impl Drop for Unwinding {
            fn drop(&mut self) {
                let Unwinding(half, kind, then) = self;
                // SAFETY: the half that was lent to this guard is not used again; its payload is gone.
                let mut half = unsafe { half.duplicate() };
                if *then == Then::End {
                    // SAFETY: the sender left with the message.
                    return unsafe { half.leave_after_sender(kind) };
                }
                // SAFETY: the half is live.
                let here = unsafe { half.slot_address(kind) };
                // SAFETY: the payload is gone.
                unsafe { half.pass(here, kind) };
                half.set_sending(*then == Then::Turn);
                // SAFETY: the half is live.
                unsafe { half.close() };
            }
        }
        // SAFETY: one of the two is used: the guard's if the destructor panics, else this one.
        let unwinding = Unwinding(unsafe { self.duplicate() }, kind, head.then);
        // SAFETY: the half is live.
        let here = unsafe { self.slot_address(kind) };
        // SAFETY: every slot was prepared when its block was made.
        unsafe { here.cast::<SlotHead>().as_ref() }.access.exclusive();
        // SAFETY: the payload lies inside the slot.
        let payload = unsafe { here.add(kind.payload) };
        // SAFETY: the message is here, and nobody reads it again.
        unsafe { (head.discard)(payload) };
        forget(unwinding);
        if head.then != Then::End {
            // SAFETY: the payload is gone.
            unsafe { self.pass(here, kind) };
        }
        head.then
    }

    /// Leaves, whichever way the half faces.
    ///
    /// # Safety
    ///
    /// The half is live.
    #[cold]
    pub(super) unsafe fn close(&mut self) {
        // SAFETY: the half is live,
        let kind = unsafe { self.kind() };
        if self.is_sending() {
            // SAFETY: and faces this way,
            unsafe { self.close_sending(kind) }
        } else {
            // SAFETY: or the other.
            unsafe { self.close_receiving(kind) }
        }
    }

    /// The slot's message is gone: makes the slot ready for its next one, and moves on.
    ///
    /// # Safety
    ///
    /// The half is live, its slot is `here`, and the slot's payload was taken.
    #[inline(always)]
    unsafe fn pass(&mut self, here: NonNull<u8>, kind: &'static Kind) {
        let waited = self.change_seats();
        // SAFETY: every slot was prepared when its block was made.
        unsafe { here.cast::<SlotHead>().as_ref() }.word.reset();
        if self.is_last_of_block(kind) {
            // SAFETY: the half has received, at the last slot of a block.
            unsafe { self.pass_last_of_block(kind, waited) };
        } else {
            // SAFETY: the half has received.
            unsafe { self.advance(kind) };
        }
    }

    /// To the slot behind the last one of a block; `waited` says whether the message there found its receiver
    /// waiting.
    ///
    /// # Safety
    ///
    /// As for [`Half::pass`], at such a slot.
    #[cold]
    #[inline(never)]
    unsafe fn pass_last_of_block(&mut self, kind: &'static Kind, waited: bool) {
        if waited {
            // SAFETY: the half has received.
            return unsafe { self.rewind(kind) };
        }
        // SAFETY: the message of the block's last slot was taken, and the session goes on.
        let next = unsafe { self.recycle_block(kind) };
        // SAFETY: as above.
        unsafe { self.change_blocks(kind, next) };
    }

    /// Hands the half's block on, and gives the one behind it.
    ///
    /// # Safety
    ///
    /// The half is live, the message of its block's last slot was taken, and the session goes on.
    #[cold]
    unsafe fn recycle_block(&self, kind: &'static Kind) -> NonNull<ChainBlock> {
        // SAFETY: the half is live, and there are blocks.
        let (links, chain) = unsafe { self.links(kind) };
        let block = links.blocks[self.side()].get();
        // SAFETY: blocks live until they are recycled.
        let next = unsafe { block.as_ref() }.next.take();
        // SAFETY: the half is live.
        let own = unsafe { Pipe::own_block(self.pipe, chain.own_block) };
        // SAFETY: the last message of this block was taken.
        unsafe { links.recycle(block, own, kind, chain) };
        next.expect("the sender of a block's last slot links the next block")
    }

    /// The sender has left at this slot, and so does the receiver.
    ///
    /// # Safety
    ///
    /// The half has seen `CLOSED`, or the session's last message, whose payload is taken; it is not used
    /// again.
    #[inline(always)]
    unsafe fn leave_after_sender(&self, kind: &'static Kind) {
        // SAFETY: the half is live. A half that was registered may have been woken for no reason, before the
        // sender is done with the waiter.
        if self.seating().is_registered() && !unsafe { Pipe::leave(self.pipe) } {
            return;
        }
        // SAFETY: both sides have left, this one second.
        unsafe { Pipe::free(self.pipe, kind, self.side()) };
    }
}

/// Reads the payload.
///
/// # Safety
///
/// A live half has seen its slot, which is here, full with a `P`, and reads it once. `kind` is its pipe's.
#[inline(always)]
unsafe fn read<P>(here: NonNull<u8>, kind: &'static Kind) -> P {
    // SAFETY: every slot was prepared when its block was made.
    unsafe { here.cast::<SlotHead>().as_ref() }.access.exclusive();
    // SAFETY: the payload lies inside the slot.
    let payload = unsafe { here.add(kind.payload) }.cast::<P>();
    // SAFETY: the slot is full, so that its payload is the receiver's, and it is a `P`.
    unsafe { payload.read() }
}
