//! Runs: several messages in one step, in slots of the same block.
//!
//! The sender writes the payloads of a run into their slots, marks all slots *behind the first* `FULL`, and
//! then publishes the first one by the usual swap. That is enough, because the receiver registers and closes
//! at its own slot only, and looks at slots *in order*, up to the first that is not full. So it neither comes
//! to a slot behind the first of a run nor looks there before it has seen the first one published; by then
//! all of them are full. Only the hint `have_come` looks further, and nothing is taken because of it. A run
//! costs its sender one swap. It has at most one waiter to wake, and a receiver that has left can only be at
//! the first slot, so either all messages of a run are sent or none.
//!
//! A run ends with its block. The next block is linked before the run is published, because from then on the
//! receiver may follow the link. A receiver that waits at the last slot of a block makes both sides go back
//! to its first slot (see [`Half::rewind`]); in a run of two or more messages it cannot wait there.
//!
//! The receiver counts the messages that are there, and then takes them; each slot is reset as usual.

use super::half::Half;
use super::kind::Memory;
use super::message::Head;
use super::slot::SlotHead;
use super::state::SlotState;
use crate::slot::impossible::impossible;
use crate::slot::outgoing::Outgoing;
use crate::wait::{Party, Waiter, steps, uses};
use std::ptr::NonNull;

impl<M: Memory> Half<M> {
    /// Sends values, at least one and at most those that fit the half's block, and moves behind them.
    ///
    /// Returns the waiter, which the caller wakes as its very last step.
    ///
    /// # Errors
    ///
    /// Returns an error if the receiver has left. Then no value was sent, and this half has left as well. The
    /// error may contain a waiter, which the caller wakes when the half is forgotten.
    ///
    /// # Safety
    ///
    /// It must be the half's turn to send, the half must have [stopped watching](Half::stop_watching), and
    /// its pipe must have blocks. `head` must describe a `P`, which must fit the slot, and say that the
    /// session goes on. At least one value must be left. The half must not be used again after an error.
    pub(super) unsafe fn send_run<P>(
        &mut self,
        values: &mut Outgoing<'_, P>,
        head: &'static Head,
    ) -> Result<Option<Waiter>, Option<Waiter>> {
        let room = self.slots_left();
        let count = values.left().min(room);
        if count == 1 {
            // SAFETY: the caller promises what `send_run` needs.
            return unsafe { self.send_single(values, head) };
        }
        let mut next = None;
        if count == room {
            // SAFETY: it is the half's turn to send (caller), and it publishes the last slot of its block
            // with this run.
            next = unsafe { self.erased().link_next_block() };
            if next.is_none() {
                // SAFETY: it is the half's turn to send, and it does not watch (caller). It is not used
                // again.
                return Err(unsafe { self.erased().close_unwoken() });
            }
        }
        let kind = self.kind();
        let first = self.slot_address();
        uses::sent::<P>(self.channel(), self.side(), count);
        for index in 0..count {
            // SAFETY: the half's block has at least `count` slots from `first` on.
            let here = unsafe { first.add(index * kind.stride) };
            // SAFETY: a slot lies here, which was prepared when its block was made.
            let slot = unsafe { here.cast::<SlotHead>().as_ref() };
            slot.access.exclusive();
            // SAFETY: `payload` is the offset of the payload inside a slot of this kind.
            let room = unsafe { here.add(kind.payload) }.cast::<P>();
            // SAFETY: `index` is less than the number of values that are left.
            let value = unsafe { values.get(index) };
            // SAFETY: it is this side's turn to send and it does not watch, so nothing was sent in this slot,
            // and its payload is the sender's to write. A `P` fits the slot (caller). The copy is used only
            // if it is published, and then it is the only one in use.
            unsafe { room.copy_from_nonoverlapping(value, 1) };
            steps::sends::<P>(self.channel(), self.side(), || here.addr().get());
            if index > 0 {
                slot.word.fill(head);
            }
        }
        // SAFETY: the slot lies in the half's block, which lives until the half moves on.
        let waiter = match unsafe { first.cast::<SlotHead>().as_ref() }.word.publish(head) {
            SlotState::Empty => None,
            // SAFETY: the half's last step found these marks and removed them.
            SlotState::Marked(marks) => Some(unsafe { self.erased().take_waiter(marks, Party::Receiver) }),
            SlotState::Closed => {
                steps::take_back(count);
                if let Some(next) = next {
                    // SAFETY: the half has linked this block. A receiver that has left follows no link.
                    unsafe { self.erased().give_back(next) };
                }
                // SAFETY: the half has found `CLOSED`, and the payloads in the slots are copies of values
                // that still belong to `values`. The half is not used again.
                unsafe { self.erased().leave_after_receiver() };
                return Err(None);
            }
            found @ SlotState::Full(_) => impossible(found),
        };
        // SAFETY: these values were just published, and `count` of them were left.
        unsafe { values.sent(count) };
        match next {
            // SAFETY: the half has sent at the last slot of a block, behind which `next` comes, and the
            // session goes on.
            Some(next) => unsafe { self.erased_mut().change_blocks(next) },
            // SAFETY: the half has sent at `count` slots, which are not the last of a block, and the session
            // goes on.
            None => unsafe { self.advance_by(count) },
        }
        Ok(waiter)
    }

    /// Sends one value.
    ///
    /// # Errors
    ///
    /// See [`Half::send_run`].
    ///
    /// # Safety
    ///
    /// The caller must promise what [`Half::send_run`] demands.
    #[inline]
    unsafe fn send_single<P>(
        &mut self,
        values: &mut Outgoing<'_, P>,
        head: &'static Head,
    ) -> Result<Option<Waiter>, Option<Waiter>> {
        // SAFETY: a value is left (caller).
        let value = unsafe { values.get(0) };
        steps::sends::<P>(self.channel(), self.side(), || self.place());
        // SAFETY: the value is left, so it may be read. The copy is used only if it is sent, and then it is
        // the only one in use.
        let payload = unsafe { value.read() };
        // SAFETY: the caller promises what `send` needs; the payload may be put back to where it was.
        let waiter = unsafe { self.send(payload, head, value) }?;
        // SAFETY: this value was just sent.
        unsafe { values.sent(1) };
        Ok(waiter)
    }

    /// Takes the payloads of messages that are there, at most `limit` and at most those of the half's block,
    /// appends them, and moves behind them. Returns their number.
    ///
    /// # Errors
    ///
    /// Returns what is in the half's slot if no message is there.
    ///
    /// # Safety
    ///
    /// It must be the half's turn to receive, its pipe must have blocks, and each message that can be sent
    /// here must be a `P`, after which the session goes on. `limit` must not be 0.
    pub(super) unsafe fn receive_run<P>(
        &mut self,
        into: &mut Vec<P>,
        limit: usize,
    ) -> Result<usize, SlotState> {
        let kind = self.kind();
        let first = self.slot_address();
        // The last slot of a block is taken by itself, because the receiver moves on from there in another
        // way.
        let most = limit.min(self.slots_left() - 1);
        let slot = |index: usize| -> NonNull<u8> {
            // SAFETY: the half's block has more than `most` slots from `first` on, and `index` is at most
            // that.
            unsafe { first.add(index * kind.stride) }
        };
        let mut count = 0;
        while count < most {
            // SAFETY: a slot lies here, which was prepared when its block was made, and the pipe lives.
            let found = unsafe { slot(count).cast::<SlotHead>().as_ref() }.word.look();
            if !matches!(found, SlotState::Full(_)) {
                break;
            }
            count += 1;
        }
        if count == 0 {
            let found = self.look();
            let SlotState::Full(_) = found else { return Err(found) };
            into.reserve(1);
            steps::receives::<P>(self.channel(), self.side(), || self.place());
            // SAFETY: the half has seen its slot full, the message is a `P`, and the session goes on.
            into.push(unsafe { self.take() });
            return Ok(1);
        }
        into.reserve(count);
        for index in 0..count {
            let here = slot(index);
            steps::receives::<P>(self.channel(), self.side(), || here.addr().get());
            // SAFETY: the half has seen this slot full with a `P` (caller), and reads it once.
            into.push(unsafe { self.read(here) });
            // SAFETY: a slot lies here, which was prepared when its block was made, and the pipe lives.
            unsafe { here.cast::<SlotHead>().as_ref() }.word.reset();
        }
        self.change_cells();
        // SAFETY: the half has received at `count` slots, which are not the last of a block, and the session
        // goes on.
        unsafe { self.advance_by(count) };
        Ok(count)
    }
}
