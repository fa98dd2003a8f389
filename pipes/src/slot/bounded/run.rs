//! Runs: several messages in one step.
//!
//! The sender looks for empty slots from its own on, fills all of them but the first, and then publishes the
//! first by the usual swap. The receiver does the same with full slots. This is enough, because a side
//! registers and closes only at its own slot, and looks at slots *in order*, up to the first one in another
//! state. So a receiver neither goes nor looks beyond the first slot of a run until that slot is published,
//! and a sender does neither until it is taken (if the buffer is full, the sender stands at that slot). Only
//! the hint `have_come` looks further, and nothing is received or sent because of it. A run costs one swap on
//! either side, and has at most one waiter to wake.

use super::end::{End, RECEIVER, SENDER};
use super::recv::BoundedReceiver;
use super::send::{BoundedSender, Sent};
use super::state::SlotState;
use crate::slot::outgoing::Outgoing;
use crate::slot::received::Received;
use crate::wait::{Caller, Party, Waitable, Waiter, steps, uses, wake};
use std::num::NonZero;

impl<T> BoundedSender<T> {
    /// Sends all of the values. Blocks until there is room for the last one. Returns `Gone` if the receiver
    /// has left. The values that are left were not sent then.
    pub(crate) fn send_all(&mut self, values: &mut Outgoing<'_, T>, caller: Caller) -> Sent<()> {
        loop {
            match self.try_send_all(values) {
                Sent::Full(()) => {
                    self.waiting().block(None, Self::ROOM, caller);
                }
                sent => return sent,
            }
        }
    }

    /// Sends the values for which there is room now. Never blocks. Returns `Full` if there was no room for
    /// those that are left, and `Gone` if the receiver has left.
    pub(crate) fn try_send_all(&mut self, values: &mut Outgoing<'_, T>) -> Sent<()> {
        while values.left() > 0 {
            let count = self.room(values.left());
            let sent = if count > 1 {
                // SAFETY: the sender has seen `count` empty slots from its own on, and it no longer watches.
                // At least `count` values are left.
                unsafe { self.put_run(values, count) }
            } else {
                single(values, |value| self.put_from(value))
            };
            let Sent::Done = sent else { return sent };
        }
        Sent::Done
    }

    /// Returns the number of empty slots in a row from the sender's own on, up to `limit`, or 0 if the
    /// receiver has left. If there is room, the sender stops watching. Its waker is dropped before a value is
    /// taken out of the vector, because the waker's destructor may panic.
    fn room(&mut self, limit: usize) -> usize {
        let Some(end) = &mut self.0 else { return 0 };
        let seen = end.look();
        if seen.is_full() || seen.is_closed() {
            return 0;
        }
        if seen.waiter(Party::Sender).is_some() {
            drop(end.unregister());
        }
        end.count(SlotState::EMPTY, limit)
    }

    /// Puts `count` values into as many slots.
    ///
    /// # Safety
    ///
    /// The sender must have seen no message in `count` slots from its own on, and no flag except perhaps the
    /// receiver's at its own. At least `count` values must be left.
    unsafe fn put_run(&mut self, values: &mut Outgoing<'_, T>, count: usize) -> Sent<()> {
        let Some(end) = &mut self.0 else { return Sent::Gone(()) };
        for index in 0..count {
            let slot = end.slot_behind(index);
            // SAFETY: at least `count` values are left (caller).
            let value = unsafe { values.get(index) };
            // SAFETY: the slot has no message (caller), so the payload is the sender's to write. The copy is
            // used only if it is published, and then it is the only one in use.
            unsafe { slot.payload.copy_in(value) };
            steps::sends::<T>(end.channel(), End::<T, SENDER>::PARTY as usize, || slot.place());
            if index > 0 {
                slot.word.fill();
            }
        }
        uses::sent::<T>(end.channel(), Party::Sender as usize, count);
        let found = end.slot().word.publish();
        if found.is_closed() {
            steps::take_back(count);
            // The receiver has left at the first slot of the run. The copies are not used.
            self.0 = None;
            return Sent::Gone(());
        }
        // SAFETY: these values were just published.
        unsafe { values.sent(count) };
        // SAFETY: the publish has just removed the receiver's flag from the word, and this is what it found.
        let waiter = unsafe { end.waiter(found) };
        end.advance_by(count);
        wake(waiter);
        Sent::Done
    }
}

/// Sends one value with this function, which takes the value out of a place if it is sent.
fn single<T>(values: &mut Outgoing<'_, T>, send: impl FnOnce(&mut Option<T>) -> Sent<()>) -> Sent<()> {
    let mut value = values.take();
    let sent = send(&mut value);
    if let Some(value) = value {
        values.put_back(value);
    }
    sent
}

impl<T> BoundedReceiver<T> {
    /// Appends the values that are there, but at most `limit` of them. A sender that waited is woken last.
    pub(crate) fn take_run(&mut self, into: &mut Vec<T>, limit: NonZero<usize>) -> Received<(), ()> {
        let count = self.unread(limit.get());
        if let (Some(end), 2..) = (&self.0, count) {
            into.reserve(count);
            // SAFETY: the receiver has seen messages that were sent in `count` slots from its own on.
            wake(unsafe { end.receive_run(into, count) });
            return Received::Message(());
        }
        if self.peek() == Some(true) {
            into.reserve(1);
        }
        let mut sender = None;
        let mut value = None;
        let received = self.take_deferred(&mut value, |waker| sender = Some(waker));
        if let Some(value) = value {
            into.push(value);
        }
        if let Some(sender) = sender {
            sender.wake();
        }
        received
    }

    /// Returns the number of messages that were sent, in a row from the receiver's slot on, up to `limit`.
    fn unread(&self, limit: usize) -> usize {
        let Some(end) = &self.0 else { return 0 };
        let seen = end.look();
        if seen.is_full() { end.count(SlotState::FULL, limit) } else { 0 }
    }
}

impl<T> End<T, RECEIVER> {
    /// Takes `count` messages, appends them, and moves on behind them. Returns the waiter of a sender that
    /// waited.
    ///
    /// # Safety
    ///
    /// The side must have seen messages that were sent in `count` slots from its own on.
    unsafe fn receive_run(&self, into: &mut Vec<T>, count: usize) -> Option<Waiter> {
        for index in 0..count {
            let slot = self.slot_behind(index);
            steps::receives::<T>(self.channel(), Self::PARTY as usize, || slot.place());
            // SAFETY: the slot has a message that was sent (caller), so the payload is the receiver's.
            into.push(unsafe { slot.payload.read() });
            if index > 0 {
                slot.word.clear();
            }
        }
        uses::received(self.channel(), Self::PARTY as usize, count);
        let found = self.slot().word.take();
        // SAFETY: the take has just removed the sender's flag from the word, and this is what it found.
        let waiter = unsafe { self.waiter(found) };
        self.advance_by(count);
        waiter
    }
}

impl<T, const SIDE: bool> End<T, SIDE> {
    /// Returns the number of slots in a row that are in this state, up to `limit`. These are the side's own
    /// slot, which the caller has seen in this state, and the slots behind it whose words say nothing else.
    /// No slot is counted twice.
    fn count(&self, state: SlotState, limit: usize) -> usize {
        let most = limit.min(self.slots());
        (1..most).find(|&index| self.slot_behind(index).word.look() != state).unwrap_or(most)
    }
}
