//! The sender's side of a slot, which publishes a message or leaves.

use super::chain::ChainBlock;
use super::half::Half;
use super::kind::Kind;
use super::memory::Pipe;
use super::message::Head;
use super::slot::SlotHead;
use super::state::{Marks, SlotState};
use crate::slot::impossible::impossible;
use crate::wait::{Party, Waiter, wake};
use std::mem::MaybeUninit;
use std::ptr::NonNull;

/// Takes the payload back from where a failed send has put it, and wakes the waiter.
///
/// # Safety
///
/// A send must have failed, and this must be its `back`.
#[cold]
pub(super) unsafe fn refused<P>(back: MaybeUninit<P>, waiter: Option<Waiter>) -> P {
    // SAFETY: the send has failed, so the payload is there (caller).
    let payload = unsafe { back.assume_init() };
    wake(waiter);
    payload
}

impl Half {
    /// Sends a message after which the session goes on, and moves to the next slot.
    ///
    /// Returns the waiter, which the caller wakes as its very last step. Returns `Err` if the receiver has
    /// left. The payload is then at `back`, and this half has left as well. It must be forgotten before the
    /// waiter in the error is woken: a receiver that is about to leave may still be registered.
    ///
    /// # Safety
    ///
    /// The half must be live and have [stopped watching](Half::stop_watching), and it must be its turn to
    /// send. `head` must describe a `P`, which fits the slot, and what comes next: that the session goes on,
    /// or for [`Half::finish`] that it ends. `back` must be valid for writing a `P`.
    #[inline(always)]
    pub(super) unsafe fn send<P>(
        &mut self,
        kind: &'static Kind,
        payload: P,
        head: &'static Head,
        back: NonNull<P>,
    ) -> Result<Option<Waiter>, Option<Waiter>> {
        if self.is_last_of_block(kind) {
            // SAFETY: the caller promises what `send` needs, and the half stands at the last slot of a block.
            return unsafe { self.send_last_of_block(kind, payload, head, back) };
        }
        // SAFETY: the caller promises what `send` needs.
        match unsafe { self.write(kind, payload) }.word.publish(head) {
            SlotState::Empty => {
                // SAFETY: the half is live, has sent at its slot, which is not the last of a block, and the
                // session goes on.
                unsafe { self.advance(kind) };
                Ok(None)
            }
            SlotState::Marked(marks) => {
                // SAFETY: the half is live, and its last step found these marks and removed them.
                let waiter = unsafe { self.take_waiter(marks, Party::Receiver) };
                // SAFETY: the half is live, has sent at its slot, which is not the last of a block, and the
                // session goes on.
                unsafe { self.advance(kind) };
                Ok(Some(waiter))
            }
            found => {
                // SAFETY: this half has just published a `P` and found no waiter; it is not used again. A `P`
                // may be written to `back` (caller).
                unsafe { self.take_back(kind, found, back) };
                Err(None)
            }
        }
    }

    /// Sends at the last slot of a block. Links the next block first, unless the receiver waits here.
    ///
    /// # Safety
    ///
    /// See [`Half::send`]. The half must stand at the last slot of its block.
    #[cold]
    #[inline(never)]
    unsafe fn send_last_of_block<P>(
        &mut self,
        kind: &'static Kind,
        payload: P,
        head: &'static Head,
        back: NonNull<P>,
    ) -> Result<Option<Waiter>, Option<Waiter>> {
        // SAFETY: the caller promises what `send` needs, and the half moves on only after the last use of
        // `word`.
        let word = &unsafe { self.write(kind, payload) }.word;
        if let SlotState::Marked(marks) = word.look()
            && word.hand_over(marks, head)
        {
            // SAFETY: the half is live, and its last step sent a message at the last slot of a block and
            // found these marks.
            return Ok(Some(unsafe { self.handed_over(kind, marks) }));
        }
        // SAFETY: the caller promises what this needs, and a `P` was just written.
        unsafe { self.link_and_publish(kind, head, back) }
    }

    /// Links the next block, and publishes the payload that was written at the last slot of this one. This is
    /// a function of its own, so that a receiver that waits there costs no more than elsewhere.
    ///
    /// # Safety
    ///
    /// See [`Half::send`]. The half must stand at the last slot of its block, must have written a `P` there,
    /// and must not have published it.
    #[cold]
    #[inline(never)]
    unsafe fn link_and_publish<P>(
        &mut self,
        kind: &'static Kind,
        head: &'static Head,
        back: NonNull<P>,
    ) -> Result<Option<Waiter>, Option<Waiter>> {
        // SAFETY: the half is live, `kind` is its pipe's (caller), and the half moves on only after the last
        // use of `word`.
        let word = &unsafe { self.slot(kind) }.word;
        // SAFETY: the half is live, it is its turn to send, and it stands at the last slot of its block.
        let Some(next) = (unsafe { self.link_next_block(kind) }) else {
            // SAFETY: the half is live, has written a `P` and has not published it; the payload is read back
            // once. A `P` may be written to `back` (caller).
            unsafe { self.read_back(kind, back) };
            // SAFETY: the half is live, it is its turn to send, and it does not watch (caller). It is not
            // used again.
            return Err(unsafe { self.close_unwoken(kind) });
        };
        match word.publish(head) {
            SlotState::Empty => {
                // SAFETY: the half is live and has sent at the last slot of a block, behind which `next`
                // comes. From here on the receiver may recycle the block that the message was sent in.
                unsafe { self.change_blocks(kind, next) };
                Ok(None)
            }
            found => {
                // No side follows the link: a receiver whose waiter was taken here goes back to the first
                // slot of the block, and one that has left goes nowhere.
                // SAFETY: the half is live, has linked this block, and no side follows the link.
                unsafe { self.give_back(kind, next) };
                match found {
                    // SAFETY: the half is live, and its last step sent a message at the last slot of a block
                    // and found these marks.
                    SlotState::Marked(marks) => Ok(Some(unsafe { self.handed_over(kind, marks) })),
                    found => {
                        // SAFETY: this half has just published a `P` and found no waiter; it is not used
                        // again. A `P` may be written to `back` (caller).
                        unsafe { self.take_back(kind, found, back) };
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
    /// The half must be live, and `kind` must be its pipe's. Its last step must have sent a message at the
    /// last slot of a block and found these marks.
    unsafe fn handed_over(&mut self, kind: &'static Kind, marks: Marks) -> Waiter {
        // SAFETY: the half is live, and its last step found these marks and removed them (caller).
        let waiter = unsafe { self.take_waiter(marks, Party::Receiver) };
        // SAFETY: the half is live and has sent at the last slot of a block; the message found its receiver
        // waiting (caller).
        unsafe { self.rewind(kind) };
        waiter
    }

    /// Sends the last message of the session, and leaves. Returns `Err` if the receiver had left. The payload
    /// is then at `back`.
    ///
    /// # Safety
    ///
    /// See [`Half::send`].
    #[inline(always)]
    pub(super) unsafe fn finish<P>(
        self,
        kind: &'static Kind,
        payload: P,
        head: &'static Head,
        back: NonNull<P>,
    ) -> Result<Option<Waiter>, ()> {
        // SAFETY: the caller promises what `send` needs.
        match unsafe { self.write(kind, payload) }.word.publish(head) {
            SlotState::Empty => Ok(None),
            // SAFETY: the half's last step swapped `FULL` into its slot, and this is what it found; the half
            // is not used again.
            found @ SlotState::Marked(_) => Ok(unsafe { self.leave_sending(kind, found) }),
            found => {
                // SAFETY: this half has just published a `P` and found no waiter; it is not used again. A `P`
                // may be written to `back` (caller).
                unsafe { self.take_back(kind, found, back) };
                Err(())
            }
        }
    }

    /// Leaves without sending, and wakes the receiver if it waits.
    ///
    /// # Safety
    ///
    /// The half must be live, it must be its turn to send, and it must not be used again.
    pub(super) unsafe fn close_sending(&mut self, kind: &'static Kind) {
        // The waker is dropped last, because its destructor is its executor's code, and may panic. If the
        // receiver has taken the waker, then the receiver has left.
        // SAFETY: the half is live, and it is its turn to send (caller); `kind` is its pipe's.
        let _watcher = unsafe { self.unregister(kind, Party::Sender) };
        // SAFETY: the half is live, it is its turn to send (caller), and it no longer watches.
        if let Some(waiter) = unsafe { self.close_unwoken(kind) } {
            waiter.wake();
        }
    }

    /// Leaves without sending. Returns the waiter to wake.
    ///
    /// # Safety
    ///
    /// See [`Half::close_sending`]. The half must have [stopped watching](Half::stop_watching).
    pub(super) unsafe fn close_unwoken(&self, kind: &'static Kind) -> Option<Waiter> {
        // SAFETY: the half is live, and `kind` is its pipe's (caller).
        let found = unsafe { self.slot(kind) }.word.close();
        // SAFETY: the half's last step swapped `CLOSED` into its slot, and this is what it found.
        unsafe { self.leave_sending(kind, found) }
    }

    /// Returns `true` if the receiver has left. `false` may be out of date when it is returned; `true` is
    /// final.
    ///
    /// # Safety
    ///
    /// The half must be live, and it must be its turn to send.
    pub(super) unsafe fn is_abandoned(&self, kind: &'static Kind) -> bool {
        // SAFETY: the half is live, and `kind` is its pipe's (caller).
        matches!(unsafe { self.slot(kind) }.word.look(), SlotState::Closed)
    }

    /// Writes the payload, and returns its slot.
    ///
    /// # Safety
    ///
    /// See [`Half::send`]. The slot must not be used after it was published.
    #[inline(always)]
    unsafe fn write<'a, P>(&self, kind: &'static Kind, payload: P) -> &'a SlotHead {
        // SAFETY: the half is live, and `kind` is its pipe's (caller).
        let here = unsafe { self.slot_address(kind) };
        // SAFETY: a slot lies here, which was prepared when its block was made, and the pipe lives until the
        // slot is published.
        let slot: &SlotHead = unsafe { here.cast().as_ref() };
        slot.access.exclusive();
        // SAFETY: `kind.payload` is the offset of the payload inside a slot of this pipe.
        let room = unsafe { here.add(kind.payload) }.cast::<P>();
        // SAFETY: it is this side's turn to send and it does not watch, so nothing was sent in the slot and
        // its payload is the sender's to write. A `P` fits the slot (caller).
        unsafe { room.write(payload) };
        slot
    }

    /// Reads the payload back, to `back`.
    ///
    /// # Safety
    ///
    /// The half must be live, and `kind` must be its pipe's. The half must just have written a `P`, and must
    /// not have published it, or only to a receiver that had left. The payload must be read back only once.
    /// `back` must be valid for writing a `P`.
    unsafe fn read_back<P>(&self, kind: &'static Kind, back: NonNull<P>) {
        // SAFETY: the half is live, and `kind` is its pipe's (caller).
        unsafe { self.slot(kind) }.access.exclusive();
        // SAFETY: the half is live, and `kind` is its pipe's (caller).
        let payload = unsafe { self.payload(kind) }.cast::<P>();
        // SAFETY: this half wrote the `P`, and no receiver reads it: it was not published, or the receiver
        // had left. The slot is not the place that `back` is (caller).
        unsafe { payload.copy_to_nonoverlapping(back, 1) };
    }

    /// Takes the payload back, to `back`, and frees the pipe, because the receiver has left.
    ///
    /// # Safety
    ///
    /// The half must be live and must just have published a `P`, and `found` must be what it found, without a
    /// waiter. The half must not be used again. `back` must be valid for writing a `P`.
    #[cold]
    unsafe fn take_back<P>(&self, kind: &'static Kind, found: SlotState, back: NonNull<P>) {
        let SlotState::Closed = found else { impossible(found) };
        // SAFETY: the half has just published a `P`, and found that the receiver had left; the payload is
        // read back once, to where a `P` may be written (caller).
        unsafe { self.read_back(kind, back) };
        // SAFETY: the half has found `CLOSED`, and its payload is taken back; it is not used again.
        unsafe { self.leave_after_receiver(kind) };
    }

    /// Takes the waiter of the other side, which is the party `party` at the slot.
    ///
    /// # Safety
    ///
    /// The half must be live, and its last step must have found these marks and removed them.
    pub(super) unsafe fn take_waiter(&self, marks: Marks, party: Party) -> Waiter {
        let Some(cell) = marks.only(party) else { impossible(SlotState::Marked(marks)) };
        // SAFETY: the half is live (caller).
        let cell = unsafe { self.cell(1 - self.side(), cell) };
        // SAFETY: the half's last step found the other side registered in this cell and removed the mark
        // (caller).
        unsafe { cell.take() }
    }

    /// Leaves as the sender, at a slot at which the receiver has left.
    ///
    /// # Safety
    ///
    /// The half must be live and must have found `CLOSED` in its slot, where no payload may be left. It must
    /// not be used again.
    #[cold]
    pub(super) unsafe fn leave_after_receiver(&self, kind: &'static Kind) {
        // SAFETY: this half has not called `leave` yet, and a receiver that found it watching frees only if
        // its own call is the second. A half that watched may have been woken for no reason, while the
        // receiver is not yet done with its waiter.
        if self.registration().is_registered() && !unsafe { Pipe::leave(self.pipe) } {
            return;
        }
        // SAFETY: both sides have left, this one second; all messages were taken or dropped by their
        // receivers, and the side is this half's.
        unsafe { Pipe::free(self.pipe, kind, self.side()) };
    }

    /// Finishes leaving, for a sender that found this in its slot. Returns the waiter to wake.
    ///
    /// # Safety
    ///
    /// The half must be live, its last step must have been to swap `FULL` or `CLOSED` into its slot, and
    /// `found` must be what that step found. The half must not be used again.
    #[cold]
    unsafe fn leave_sending(&self, kind: &'static Kind, found: SlotState) -> Option<Waiter> {
        match found {
            // The receiver will find the sender's last step, and free the pipe.
            SlotState::Empty => None,
            SlotState::Marked(marks) => {
                // SAFETY: the half is live, and its last step found these marks and removed them.
                let waiter = unsafe { self.take_waiter(marks, Party::Receiver) };
                // SAFETY: this half has not called `leave` yet. A receiver that was registered calls it as
                // well, and only the second call frees, so the pipe lives.
                if unsafe { Pipe::leave(self.pipe) } {
                    // SAFETY: both sides have left, this one second; all messages were taken or dropped by
                    // their receivers, and the side is this half's.
                    unsafe { Pipe::free(self.pipe, kind, self.side()) };
                }
                Some(waiter)
            }
            SlotState::Closed => {
                // SAFETY: the half has found `CLOSED`, and is not used again.
                unsafe { self.leave_after_receiver(kind) };
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
    /// The half must be live, it must be its turn to send, and what it sends next must fill its block.
    #[cold]
    pub(super) unsafe fn link_next_block(&self, kind: &'static Kind) -> Option<NonNull<ChainBlock>> {
        // SAFETY: the half is live (caller), and only a pipe with blocks has a last slot of a block.
        let (links, chain) = unsafe { self.links(kind) };
        if links.is_gone() {
            return None;
        }
        // SAFETY: it is this half's turn to send (caller), and `kind` and `chain` are the pipe's.
        let next = unsafe { links.obtain(kind, chain) };
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
    /// The half must be live and must have linked this block, and no side may follow the link.
    pub(super) unsafe fn give_back(&self, kind: &'static Kind, block: NonNull<ChainBlock>) {
        // SAFETY: the half is live, and its pipe has blocks, because it has linked one (caller).
        let (links, chain) = unsafe { self.links(kind) };
        // SAFETY: the half is live, so its pipe lives, and it has blocks (caller), whose kind this is.
        let own = unsafe { Pipe::own_block(self.pipe, chain.own_block) };
        // SAFETY: this half has just obtained the block, and no side follows the link to it, because the
        // receiver waited or is gone (caller), so this side pushes; `own`, `kind` and `chain` are the pipe's.
        unsafe { links.recycle(block, own, kind, chain) };
    }
}
