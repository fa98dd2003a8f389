//! The sender's side of a slot: publish a message, or leave.

use super::chain::ChainBlock;
use super::half::Half;
use super::kind::Kind;
use super::memory::Pipe;
use super::message::Head;
use super::state::{Marks, SlotState};
use crate::slot::impossible::impossible;
use crate::slot::seat::Party;
use crate::slot::waiter::Waiter;
use std::ptr::NonNull;

/// A message that was not sent, because the receiver has left.
pub(super) struct Refused<P> {
    pub(super) payload: P,
    /// Whoever is to be woken once the half is forgotten: a receiver that is about to leave may still be
    /// registered.
    pub(super) waiter: Option<Waiter>,
}

impl Half {
    /// Sends a message after which the session goes on, and moves to the next slot.
    ///
    /// What comes back is whoever is to be woken, as the very last thing. `Err`: the receiver has left; then
    /// this half has left as well and must be forgotten.
    ///
    /// # Safety
    ///
    /// The half is live, it is its turn to send, it has [stopped watching](Half::stop_watching), `kind` is
    /// its pipe's, and `head` describes a `P` that fits the slot.
    #[inline(always)]
    pub(super) unsafe fn send<P>(
        &mut self,
        kind: &'static Kind,
        payload: P,
        head: &'static Head,
    ) -> Result<Option<Waiter>, Refused<P>> {
        if self.is_last_of_block(kind) {
            // SAFETY: the caller's promises, and the half stands at the last slot of a block.
            return unsafe { self.send_last_of_block(kind, payload, head) };
        }
        // SAFETY: the caller's promises.
        match unsafe { self.publish(kind, payload, head) } {
            SlotState::Empty => {
                // SAFETY: the message is sent.
                unsafe { self.advance(kind) };
                Ok(None)
            }
            SlotState::Waiting(marks) => {
                // SAFETY: the sender has found the receiver waiting, and takes the waiter once.
                let waiter = unsafe { self.take_waiter(marks, Party::Receiver) };
                // SAFETY: as above.
                unsafe { self.advance(kind) };
                Ok(Some(waiter))
            }
            // SAFETY: what was found is not a waiter.
            found => Err(Refused { payload: unsafe { self.take_back(kind, found) }, waiter: None }),
        }
    }

    /// Sends at the last slot of a block: links the next one first, unless the receiver waits here.
    ///
    /// # Safety
    ///
    /// As for [`Half::send`].
    #[cold]
    #[inline(never)]
    unsafe fn send_last_of_block<P>(
        &mut self,
        kind: &'static Kind,
        payload: P,
        head: &'static Head,
    ) -> Result<Option<Waiter>, Refused<P>> {
        // SAFETY: the half is live.
        let word = &unsafe { self.slot(kind) }.word;
        // SAFETY: the caller's promises.
        unsafe { self.write(kind, payload) };
        if let SlotState::Waiting(marks) = word.look()
            && word.hand_over(marks, head)
        {
            // SAFETY: the message is sent, and has found the receiver waiting.
            return Ok(Some(unsafe { self.handed_over(kind, marks) }));
        }
        // SAFETY: the half is live and stands at the last slot of its block.
        let Some(next) = (unsafe { self.link_next_block(kind) }) else {
            // SAFETY: it was written, and not published.
            let payload = unsafe { self.read_back(kind) };
            // SAFETY: the half is live and is not used again.
            return Err(Refused { payload, waiter: unsafe { self.close_unwoken(kind) } });
        };
        match word.publish(head) {
            SlotState::Empty => {
                // SAFETY: the message is sent. From here on the receiver may recycle the block that it was
                // sent in.
                unsafe { self.change_blocks(kind, next) };
                Ok(None)
            }
            found => {
                // Nobody follows the link: a receiver whose waiter was taken here goes back in the block, and
                // one that has left goes nowhere.
                // SAFETY: the half is live and has linked this block.
                unsafe { self.give_back(kind, next) };
                match found {
                    // SAFETY: the message is sent, and has found the receiver waiting.
                    SlotState::Waiting(marks) => Ok(Some(unsafe { self.handed_over(kind, marks) })),
                    // SAFETY: what was found is not a waiter.
                    found => Err(Refused { payload: unsafe { self.take_back(kind, found) }, waiter: None }),
                }
            }
        }
    }

    /// At the last slot of a block a message has found its receiver waiting.
    ///
    /// # Safety
    ///
    /// It is so, with these marks; called once.
    unsafe fn handed_over(&mut self, kind: &'static Kind, marks: Marks) -> Waiter {
        // SAFETY: the sender takes the waiter once.
        let waiter = unsafe { self.take_waiter(marks, Party::Receiver) };
        // SAFETY: the message is sent.
        unsafe { self.rewind(kind) };
        waiter
    }

    /// Sends the last message of the session, and leaves.
    ///
    /// # Safety
    ///
    /// As for [`Half::send`].
    #[inline(always)]
    pub(super) unsafe fn finish<P>(
        self,
        kind: &'static Kind,
        payload: P,
        head: &'static Head,
    ) -> Result<Option<Waiter>, P> {
        // SAFETY: the caller's promises.
        match unsafe { self.publish(kind, payload, head) } {
            SlotState::Empty => Ok(None),
            // SAFETY: this half leaves, and has found the receiver waiting.
            found @ SlotState::Waiting(_) => Ok(unsafe { self.leave_sending(kind, found) }),
            // SAFETY: what was found is not a waiter.
            found => Err(unsafe { self.take_back(kind, found) }),
        }
    }

    /// Leaves without sending; wakes the receiver if it waits.
    ///
    /// # Safety
    ///
    /// The half is live, and it is its turn to send.
    pub(super) unsafe fn close_sending(&mut self, kind: &'static Kind) {
        // Dropped last: a waker is its executor's code, and may panic. If the receiver has it, it has left.
        // SAFETY: the half is live and sends.
        let _watcher = unsafe { self.unregister(kind, Party::Sender) };
        // SAFETY: the caller's promises, and it does not watch any more.
        if let Some(waiter) = unsafe { self.close_unwoken(kind) } {
            waiter.wake();
        }
    }

    /// Leaves without sending; gives whoever is to be woken.
    ///
    /// # Safety
    ///
    /// As for [`Half::close_sending`], and it has [stopped watching](Half::stop_watching).
    unsafe fn close_unwoken(&self, kind: &'static Kind) -> Option<Waiter> {
        // SAFETY: the half is live.
        let found = unsafe { self.slot(kind) }.word.close();
        // SAFETY: this half leaves, and this is what it found.
        unsafe { self.leave_sending(kind, found) }
    }

    /// Has the receiver left? It may be about to: `false` is old news, `true` stays true.
    ///
    /// # Safety
    ///
    /// The half is live, and it is its turn to send.
    pub(super) unsafe fn is_abandoned(&self, kind: &'static Kind) -> bool {
        // SAFETY: the half is live.
        matches!(unsafe { self.slot(kind) }.word.look(), SlotState::Closed)
    }

    /// Writes the payload and publishes it.
    ///
    /// # Safety
    ///
    /// As for [`Half::send`].
    #[inline(always)]
    unsafe fn publish<P>(&self, kind: &'static Kind, payload: P, head: &'static Head) -> SlotState {
        // SAFETY: the caller's promises.
        unsafe { self.write(kind, payload) };
        // SAFETY: the half is live.
        unsafe { self.slot(kind) }.word.publish(head)
    }

    /// Writes the payload.
    ///
    /// # Safety
    ///
    /// As for [`Half::send`].
    #[inline(always)]
    unsafe fn write<P>(&self, kind: &'static Kind, payload: P) {
        // SAFETY: the half is live.
        unsafe { self.slot(kind) }.access.exclusive();
        // SAFETY: as above.
        let room = unsafe { self.payload(kind) }.cast::<P>();
        // SAFETY: the slot is empty, so its payload is the sender's to write, and a `P` fits.
        unsafe { room.write(payload) };
    }

    /// Reads the payload back.
    ///
    /// # Safety
    ///
    /// A `P` was just written by this half, and was not published, or to a receiver that had left. Once.
    unsafe fn read_back<P>(&self, kind: &'static Kind) -> P {
        // SAFETY: the half is live.
        unsafe { self.slot(kind) }.access.exclusive();
        // SAFETY: as above.
        let payload = unsafe { self.payload(kind) }.cast::<P>();
        // SAFETY: this half wrote it, and a receiver that has left does not read it.
        unsafe { payload.read() }
    }

    /// The receiver has left: takes the payload back and frees the pipe.
    ///
    /// # Safety
    ///
    /// A `P` was just published by this half, which is not used again, and this is what was found.
    #[cold]
    unsafe fn take_back<P>(&self, kind: &'static Kind, found: SlotState) -> P {
        let SlotState::Closed = found else { impossible(found) };
        // SAFETY: this half wrote it, and the receiver had left.
        let payload = unsafe { self.read_back(kind) };
        // SAFETY: the receiver left first, and what it refused is taken back.
        unsafe { self.leave_after_receiver(kind) };
        payload
    }

    /// Takes the waiter of the other side, which is this party at the slot.
    ///
    /// # Safety
    ///
    /// The half's last step found these marks and took them away.
    pub(super) unsafe fn take_waiter(&self, marks: Marks, party: Party) -> Waiter {
        let Some(seat) = marks.only(party) else { impossible(SlotState::Waiting(marks)) };
        // SAFETY: the half is live.
        let seat = unsafe { self.seat(1 - self.side(), seat) };
        // SAFETY: the half found the other side registered here, once.
        unsafe { seat.take() }
    }

    /// The receiver has left at this slot, and so does the sender.
    ///
    /// # Safety
    ///
    /// The half has found `CLOSED`; it is not used again.
    #[cold]
    unsafe fn leave_after_receiver(&self, kind: &'static Kind) {
        // SAFETY: the half is live. A half that was watching may have been woken for no reason, before the
        // receiver is done with the watcher.
        if self.seating().is_registered() && !unsafe { Pipe::leave(self.pipe) } {
            return;
        }
        // SAFETY: both sides have left, this one second.
        unsafe { Pipe::free(self.pipe, kind, self.side()) };
    }

    /// What remains to be done by a sender that leaves, having found this in its slot. Gives whoever is to be
    /// woken.
    ///
    /// # Safety
    ///
    /// The half's last step was to swap `FULL` or `CLOSED` into its slot, and this is what it found.
    #[cold]
    unsafe fn leave_sending(&self, kind: &'static Kind, found: SlotState) -> Option<Waiter> {
        match found {
            // The receiver will find it, and free.
            SlotState::Empty => None,
            SlotState::Waiting(marks) => {
                // SAFETY: the sender has found the receiver waiting, and takes the waiter once.
                let waiter = unsafe { self.take_waiter(marks, Party::Receiver) };
                // SAFETY: the receiver, if it is through already, has not freed the pipe: it asks `leave`
                // too.
                if unsafe { Pipe::leave(self.pipe) } {
                    // SAFETY: the receiver left first.
                    unsafe { Pipe::free(self.pipe, kind, self.side()) };
                }
                Some(waiter)
            }
            SlotState::Closed => {
                // SAFETY: the receiver left first.
                unsafe { self.leave_after_receiver(kind) };
                None
            }
            SlotState::Full(_) => impossible(found),
        }
    }

    /// Before the last slot of a block is published: makes the next block known. None: the receiver is
    /// leaving.
    ///
    /// # Safety
    ///
    /// The half is live, it is its turn to send, and it stands at the last slot of its block.
    #[cold]
    unsafe fn link_next_block(&self, kind: &'static Kind) -> Option<NonNull<ChainBlock>> {
        // SAFETY: the half is live.
        let (links, chain) = unsafe { self.links(kind) };
        if links.is_gone() {
            return None;
        }
        let next = links.obtain(kind, chain);
        let here = links.blocks[self.side()].get();
        // SAFETY: the block's last slot is not published yet, so the link is the sender's to write.
        unsafe { here.as_ref() }.next.set(Some(next));
        Some(next)
    }

    /// The block that was linked is not needed. The other side may be sending already, and the stash is its
    /// own then: the block goes where all may put it.
    ///
    /// # Safety
    ///
    /// The half is live, it has linked this block, and nobody follows the link.
    unsafe fn give_back(&self, kind: &'static Kind, block: NonNull<ChainBlock>) {
        // SAFETY: the half is live, and its pipe has blocks.
        let (links, chain) = unsafe { self.links(kind) };
        // SAFETY: as above.
        let own = unsafe { Pipe::own_block(self.pipe, chain.own_block) };
        // SAFETY: nobody else knows the block, which is empty.
        unsafe { links.recycle(block, own, kind, chain) };
    }
}
