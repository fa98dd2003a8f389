//! The sender's side of a slot: publish a message, or leave.

use super::chain::ChainBlock;
use super::half::Half;
use super::kind::Memory;
use super::memory::Pipe;
use super::message::Head;
use super::slot::SlotHead;
use super::state::{Marks, SlotState};
use crate::slot::impossible::impossible;
use crate::wait::{Party, Waiter, steps, uses, wake};
use std::mem::MaybeUninit;
use std::ptr::NonNull;

/// Takes the payload back from where a send that has failed has put it, and wakes the waiter.
///
/// # Safety
///
/// A send must have failed, and this must be its `back`.
#[cold]
pub(super) unsafe fn failed_send<P>(back: MaybeUninit<P>, waiter: Option<Waiter>) -> P {
    // SAFETY: the send has failed, so the payload is there (caller).
    let payload = unsafe { back.assume_init() };
    wake(waiter);
    payload
}

impl<M: Memory> Half<M> {
    /// Sends a message after which the session goes on, and moves to the next slot.
    ///
    /// Returns the waiter, which the caller wakes as its very last step.
    ///
    /// # Errors
    ///
    /// Returns an error if the receiver has left. Then the payload is at `back`, and this half has left as
    /// well and must be forgotten. After that the caller wakes the waiter in the error: a receiver that is
    /// about to leave may still be registered.
    ///
    /// # Safety
    ///
    /// It must be the half's turn to send, and the half must have [stopped watching](Half::stop_watching).
    /// `head` must describe a `P`, which must fit the slot, and say that the session goes on. `back` must be
    /// valid for writes of a `P`. The half must not be used again after an error.
    #[inline(always)]
    pub(super) unsafe fn send<P>(
        &mut self,
        payload: P,
        head: &'static Head,
        back: NonNull<P>,
    ) -> Result<Option<Waiter>, Option<Waiter>> {
        if self.is_last_of_block() {
            // SAFETY: the caller promises what `send` needs, and the half stands at the last slot of a block.
            return unsafe { self.send_last_of_block(payload, head, back) };
        }
        // SAFETY: it is the half's turn to send, it does not watch, and a `P` fits the slot (caller).
        match unsafe { self.write(payload) }.word.publish(head) {
            SlotState::Empty => {
                // SAFETY: the half has sent at its slot, which is not the last of a block, and the session
                // goes on.
                unsafe { self.advance() };
                Ok(None)
            }
            SlotState::Marked(marks) => {
                // SAFETY: the half's last step found these marks and removed them.
                let waiter = unsafe { self.erased().take_waiter(marks, Party::Receiver) };
                // SAFETY: the half has sent at its slot, which is not the last of a block, and the session
                // goes on.
                unsafe { self.advance() };
                Ok(Some(waiter))
            }
            found => {
                // SAFETY: this half has just published a `P` and found no waiter; it is not used again. A `P`
                // may be written to `back` (caller).
                unsafe { self.erased().take_back(found, back) };
                Err(None)
            }
        }
    }

    /// Sends at the last slot of a block. Links the next block first, unless the receiver waits here.
    ///
    /// See [`Half::send`] about the errors.
    ///
    /// # Safety
    ///
    /// The caller must promise what [`Half::send`] demands, and the half must stand at the last slot of its
    /// block.
    #[cold]
    #[inline(never)]
    unsafe fn send_last_of_block<P>(
        &mut self,
        payload: P,
        head: &'static Head,
        back: NonNull<P>,
    ) -> Result<Option<Waiter>, Option<Waiter>> {
        // SAFETY: it is the half's turn to send, it does not watch, and a `P` fits the slot (caller).
        let word = &unsafe { self.write(payload) }.word;
        if let SlotState::Marked(marks) = word.look()
            && word.hand_over(marks, head)
        {
            // SAFETY: the half's last step sent a message at the last slot of a block and found these marks.
            return Ok(Some(unsafe { self.after_hand_over(marks) }));
        }
        // SAFETY: the caller promises what this needs, and a `P` was just written.
        unsafe { self.link_and_publish(head, back) }
    }

    /// Links the next block, and publishes the payload that was written at the last slot of this one.
    ///
    /// This is a function of its own, so that a receiver that waits there costs no more than elsewhere.
    ///
    /// See [`Half::send`] about the errors.
    ///
    /// # Safety
    ///
    /// The caller must promise what [`Half::send`] demands. The half must stand at the last slot of its
    /// block, and must have written a `P` there and not published it.
    #[cold]
    #[inline(never)]
    unsafe fn link_and_publish<P>(
        &mut self,
        head: &'static Head,
        back: NonNull<P>,
    ) -> Result<Option<Waiter>, Option<Waiter>> {
        // SAFETY: it is the half's turn to send, and it stands at the last slot of its block.
        let Some(next) = (unsafe { self.erased().link_next_block() }) else {
            // SAFETY: the half has written a `P` and has not published it; the payload is read back once. A
            // `P` may be written to `back` (caller).
            unsafe { self.erased().read_back(back) };
            // SAFETY: it is the half's turn to send, and it does not watch (caller). It is not used again.
            return Err(unsafe { self.erased().close_unwoken() });
        };
        match self.slot().word.publish(head) {
            SlotState::Empty => {
                // SAFETY: the half has sent at the last slot of a block, behind which `next` comes. From here
                // on the receiver may recycle the block that the message was sent in.
                unsafe { self.erased_mut().change_blocks(next) };
                Ok(None)
            }
            found => {
                // No side follows the link: a receiver whose waiter was taken here goes back to the first
                // slot of the block, and one that has left goes nowhere.
                // SAFETY: the half has linked this block, and no side follows the link.
                unsafe { self.erased().give_back(next) };
                match found {
                    // SAFETY: the half's last step sent a message at the last slot of a block and found these
                    // marks.
                    SlotState::Marked(marks) => Ok(Some(unsafe { self.after_hand_over(marks) })),
                    found => {
                        // SAFETY: this half has just published a `P` and found no waiter; it is not used
                        // again. A `P` may be written to `back` (caller).
                        unsafe { self.erased().take_back(found, back) };
                        Err(None)
                    }
                }
            }
        }
    }

    /// Takes the receiver's waiter, after a message at the last slot of a block has found it, and moves on.
    ///
    /// # Safety
    ///
    /// The half's last step must have sent a message at the last slot of a block and found these marks. The
    /// session must go on.
    unsafe fn after_hand_over(&mut self, marks: Marks) -> Waiter {
        // SAFETY: the half's last step found these marks and removed them (caller).
        let waiter = unsafe { self.erased().take_waiter(marks, Party::Receiver) };
        // SAFETY: the half has sent at the last slot of a block, the message found its receiver waiting, and
        // the session goes on (caller).
        unsafe { self.rewind() };
        waiter
    }

    /// Sends the last message of the session, and leaves. Returns the waiter, which the caller wakes as its
    /// very last step.
    ///
    /// # Errors
    ///
    /// Returns an error if the receiver had left. Then the payload is at `back`.
    ///
    /// # Safety
    ///
    /// It must be the half's turn to send, and the half must have [stopped watching](Half::stop_watching).
    /// `head` must describe a `P`, which must fit the slot, and say that the session ends. `back` must be
    /// valid for writes of a `P`.
    #[inline(always)]
    pub(super) unsafe fn finish<P>(
        self,
        payload: P,
        head: &'static Head,
        back: NonNull<P>,
    ) -> Result<Option<Waiter>, ()> {
        // SAFETY: it is the half's turn to send, it does not watch, and a `P` fits the slot (caller).
        match unsafe { self.write(payload) }.word.publish(head) {
            SlotState::Empty => Ok(None),
            // SAFETY: the half's last step swapped `FULL` into its slot, and this is what it found; the half
            // is not used again.
            found @ SlotState::Marked(_) => Ok(unsafe { self.erased().leave_sending(found) }),
            found => {
                // SAFETY: this half has just published a `P` and found no waiter; it is not used again. A `P`
                // may be written to `back` (caller).
                unsafe { self.erased().take_back(found, back) };
                Err(())
            }
        }
    }

    /// Returns `true` if the other side has left, for a half whose turn it is to send. `false` may be out of
    /// date when it is returned; `true` is final.
    pub(super) fn is_abandoned(&self) -> bool {
        matches!(self.slot().word.look(), SlotState::Closed)
    }

    /// Writes the payload, and returns its slot.
    ///
    /// # Safety
    ///
    /// It must be the half's turn to send, the half must have [stopped watching](Half::stop_watching), and a
    /// `P` must fit the slot. The slot must not be used after it was published.
    #[inline(always)]
    unsafe fn write<P>(&self, payload: P) -> &SlotHead {
        let here = self.slot_address();
        uses::sent::<P>(self.channel(), self.side(), 1);
        // SAFETY: a slot lies here, which was prepared when its block was made, and the pipe lives until the
        // slot is published.
        let slot: &SlotHead = unsafe { here.cast().as_ref() };
        slot.access.exclusive();
        // SAFETY: `payload` is the offset of the payload inside a slot of this kind.
        let room = unsafe { here.add(self.kind().payload) }.cast::<P>();
        // SAFETY: it is this side's turn to send and it does not watch, so nothing was sent in the slot and
        // its payload is the sender's to write. A `P` fits the slot (caller).
        unsafe { room.write(payload) };
        slot
    }
}

impl Half {
    /// Leaves without sending, and wakes the receiver if it waits.
    ///
    /// # Safety
    ///
    /// It must be the half's turn to send, and the half must not be used again.
    pub(super) unsafe fn close_sending(&mut self) {
        // Dropped last: a waker's destructor is its executor's code, and may panic. If the receiver has taken
        // the waker, then the receiver has left.
        // SAFETY: the half is the sender at its slot (caller).
        let _watcher = unsafe { self.unregister(Party::Sender) };
        // SAFETY: it is the half's turn to send, it is not used again (caller), and it no longer watches.
        if let Some(waiter) = unsafe { self.close_unwoken() } {
            waiter.wake();
        }
    }

    /// Leaves without sending, and returns the waiter to wake.
    ///
    /// # Safety
    ///
    /// It must be the half's turn to send, and the half must have [stopped watching](Half::stop_watching).
    /// The half must not be used again.
    pub(super) unsafe fn close_unwoken(&self) -> Option<Waiter> {
        let found = self.slot().word.close();
        // SAFETY: the half's last step swapped `CLOSED` into its slot, and this is what it found. It is not
        // used again (caller).
        unsafe { self.leave_sending(found) }
    }

    /// Reads the payload back, to `back`.
    ///
    /// # Safety
    ///
    /// The half must just have written a `P`, and must not have published it, or only to a receiver that had
    /// left. The payload must be read back once. `back` must be valid for writes of a `P`.
    unsafe fn read_back<P>(&self, back: NonNull<P>) {
        steps::take_back(1);
        self.slot().access.exclusive();
        let payload = self.payload().cast::<P>();
        // SAFETY: this half wrote the `P`, and no receiver reads it: it was not published, or the receiver
        // had left. The slot is not the place that `back` is (caller).
        unsafe { payload.copy_to_nonoverlapping(back, 1) };
    }

    /// Takes the payload back, to `back`, and frees the pipe, because the receiver has left.
    ///
    /// # Safety
    ///
    /// The half must just have published a `P`, and this must be what it found, without a waiter. The half
    /// must not be used again. `back` must be valid for writes of a `P`.
    #[cold]
    unsafe fn take_back<P>(&self, found: SlotState, back: NonNull<P>) {
        let SlotState::Closed = found else { impossible(found) };
        // SAFETY: the half has just published a `P`, and found that the receiver had left; the payload is
        // read back once, to where a `P` may be written (caller).
        unsafe { self.read_back(back) };
        // SAFETY: the half has found `CLOSED`, and its payload is taken back; it is not used again.
        unsafe { self.leave_after_receiver() };
    }

    /// Takes the waiter of the other side, which is the party `party` at the slot.
    ///
    /// # Safety
    ///
    /// The half's last step must have found these marks and removed them.
    pub(super) unsafe fn take_waiter(&self, marks: Marks, party: Party) -> Waiter {
        let Some(cell) = marks.only(party) else { impossible(SlotState::Marked(marks)) };
        let cell = self.cell(1 - self.side(), cell);
        // SAFETY: the half's last step found the other side registered in this cell and removed the mark
        // (caller).
        unsafe { cell.take() }
    }

    /// Leaves as the sender, at a slot at which the receiver has left.
    ///
    /// # Safety
    ///
    /// The half must have found `CLOSED` in its slot, and no payload may be left there. It must not be used
    /// again.
    #[cold]
    pub(super) unsafe fn leave_after_receiver(&self) {
        // A half that watched may have been woken for no reason, while the receiver is not yet done with its
        // waiter.
        // SAFETY: this half has not called `leave` yet, and a receiver that found it watching frees only if
        // its own call is the second.
        if self.registration().is_registered() && !unsafe { Pipe::leave(self.pipe) } {
            return;
        }
        // SAFETY: both sides have left, this one second; all messages were taken or dropped by their
        // receivers. The half is not used again (caller).
        unsafe { self.free_pipe() };
    }

    /// Finishes the leaving of a sender that found this in its slot. Returns the waiter to wake.
    ///
    /// # Safety
    ///
    /// The half's last step must have been to swap `FULL` or `CLOSED` into its slot, and this must be what it
    /// found. The half must not be used again.
    #[cold]
    unsafe fn leave_sending(&self, found: SlotState) -> Option<Waiter> {
        match found {
            // The receiver will find the sender's last step, and free the pipe.
            SlotState::Empty => None,
            SlotState::Marked(marks) => {
                // SAFETY: the half's last step found these marks and removed them.
                let waiter = unsafe { self.take_waiter(marks, Party::Receiver) };
                // SAFETY: this half has not called `leave` yet. A receiver that was registered calls it as
                // well, and only the second call frees, so the pipe lives.
                if unsafe { Pipe::leave(self.pipe) } {
                    // SAFETY: both sides have left, this one second; all messages were taken or dropped by
                    // their receivers. The half is not used again (caller).
                    unsafe { self.free_pipe() };
                }
                Some(waiter)
            }
            SlotState::Closed => {
                // SAFETY: the half has found `CLOSED`, without a payload there, and is not used again.
                unsafe { self.leave_after_receiver() };
                None
            }
            SlotState::Full(_) => impossible(found),
        }
    }

    /// Links the next block, before the last slot of this one is published. Returns `None` if the receiver is
    /// leaving.
    ///
    /// # Safety
    ///
    /// It must be the half's turn to send, and what it sends next must fill its block.
    #[cold]
    pub(super) unsafe fn link_next_block(&self) -> Option<NonNull<ChainBlock>> {
        let (links, chain) = self.links();
        if links.is_gone() {
            return None;
        }
        // SAFETY: it is this half's turn to send (caller), and the kind and `chain` are the pipe's.
        let next = unsafe { links.obtain(self.kind(), chain) };
        let here = links.blocks[self.side()].get();
        // SAFETY: the block lives until it is recycled, and that is after its last slot was published. Until
        // then the link is the sender's to write.
        unsafe { here.as_ref() }.next.set(Some(next));
        Some(next)
    }

    /// Gives back a block that was linked and is not needed. It goes to the shared list of free blocks,
    /// because the other side may be sending already, and then the local list belongs to that side.
    ///
    /// # Safety
    ///
    /// The half must have linked this block, and no side may follow the link.
    pub(super) unsafe fn give_back(&self, block: NonNull<ChainBlock>) {
        let (links, chain) = self.links();
        // SAFETY: the half is live, so its pipe lives, and it has blocks, whose kind this is.
        let own = unsafe { Pipe::own_block(self.pipe, chain.own_block) };
        // SAFETY: this half has just obtained the block, and no side follows the link to it, because the
        // receiver waited or is gone (caller), so this side pushes; `own`, the kind, and `chain` are the
        // pipe's.
        unsafe { links.recycle(block, own, self.kind(), chain) };
    }
}
