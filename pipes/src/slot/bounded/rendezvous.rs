//! Capacity 0: a message is sent when it is taken, or when it is handed to a receiver that waits.
//!
//! There is one slot. A sender that waits puts its message there as an *offer*, and the side that moves first
//! has it: the receiver holds the offer, or the sender withdraws it. So a receiver that never waits can still
//! take from a sender that does. A receiver that learns of an offer without taking it yet (it polls, or it
//! waits first and then takes) holds the offer, so that a message is still there when it takes. The sender
//! goes on waiting, and gets its message back if the receiver leaves. If the sender stops waiting while its
//! offer is held, the message counts as sent.
//!
//! A sender that does not wait hands its message over if the receiver waits there, in the same step that
//! takes the waiter.

use super::end::{End, SENDER};
use super::send::{BoundedSender, Sent, empty};
use super::state::SlotState;
use crate::slot::seat::Party;
use crate::slot::wait::Taken;
use crate::slot::waiter::Waiter;
use crate::slot::waiter::wake;
use std::ptr::NonNull;
use std::task::{Context, Poll, ready};
use std::time::Instant;

impl<T> BoundedSender<T> {
    /// Is the capacity 0?
    #[inline]
    pub(crate) fn is_rendezvous(&self) -> bool {
        self.0.as_ref().is_some_and(|end| end.cursor().message.is_offer())
    }

    /// The number of messages that there is room for; 0 if the receiver has left.
    pub(crate) fn capacity(&self) -> usize {
        self.0.as_ref().map_or(0, |end| end.capacity())
    }

    /// Sends if the receiver waits.
    #[cold]
    pub(super) fn hand_over(&mut self, value: T) -> Sent<T> {
        let mut value = Some(value);
        let sent = self.hand_over_from(&mut value);
        sent.with(value)
    }

    /// As [`try_send`](Self::try_send), but takes the value out of a place if it is sent.
    pub(super) fn try_send_from(&mut self, value: &mut Option<T>) -> Sent<()> {
        if self.is_rendezvous() { self.hand_over_from(value) } else { self.put_from(value) }
    }

    /// Sends if the receiver waits, and then takes the value out of its place.
    fn hand_over_from(&mut self, value: &mut Option<T>) -> Sent<()> {
        let Some(end) = &mut self.0 else { return Sent::Gone(()) };
        let seen = end.look();
        if !seen.is_closed() && (seen.is_full() || seen.waiter(Party::Receiver).is_none()) {
            // If a task of this sender waits, it remains registered.
            return Sent::Full(());
        }
        let displaced = end.unregister();
        let sent = end.hand_over(value);
        // A waker is its executor's code and may panic. The place still owns the value then.
        match &sent {
            Sent::Done => drop(displaced),
            Sent::Full(()) => wake_displaced(displaced),
            Sent::Gone(()) => {
                self.0 = None;
                drop(displaced);
            }
        }
        sent
    }

    /// Offers the message, and blocks until it was taken; withdraws it when the deadline has passed. If it is
    /// not sent, it is back in its place.
    #[cold]
    pub(super) fn meet(&mut self, value: &mut Option<T>, deadline: Option<Instant>) -> Sent<()> {
        // If the deadline has passed already, this first tries to hand the message over. An offer would wake
        // a receiver that waits, and be withdrawn before it looks. If no receiver waits, the offer below
        // wakes none.
        if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
            match self.hand_over_from(value) {
                Sent::Full(()) => {}
                sent => return sent,
            }
        }
        loop {
            match self.put_from(value) {
                Sent::Done if self.block(deadline) => return self.outcome(value),
                Sent::Done => return self.withdraw_into(value),
                Sent::Full(()) if self.block(deadline) => {}
                sent => return sent,
            }
        }
    }

    /// Ready when the value that was [put](Self::put) is sent: at capacity 0 when it was taken, otherwise at
    /// once. If the receiver has left without taking it, puts it back.
    pub(crate) fn poll_settled(&mut self, cx: &mut Context<'_>, back: &mut Option<T>) -> Poll<()> {
        if self.is_rendezvous() {
            ready!(self.poll(cx));
            self.outcome(back);
        }
        Poll::Ready(())
    }

    /// Withdraws the value that was offered, if it is not taken yet. `Full`: here it is. `Gone`: here it is,
    /// and the receiver has left. `Done`: it is sent, or nothing was offered.
    pub(crate) fn withdraw(&mut self) -> Sent<T> {
        let mut value = None;
        let sent = self.withdraw_into(&mut value);
        sent.with(value)
    }

    /// The same, into a place.
    fn withdraw_into(&mut self, value: &mut Option<T>) -> Sent<()> {
        let Some(end) = &mut self.0 else { return Sent::Done };
        // Dropped first: a waker's destructor is its executor's code, and if it panicked after the value was
        // read, the value would leak.
        drop(end.unregister());
        end.buffer().count_withdrawal();
        let found = end.slot().word.withdraw();
        if found.is_loose() && !found.is_closed() {
            // SAFETY: the withdrawal found an offer that the receiver did not hold, so the payload is the
            // sender's again.
            *value = Some(unsafe { end.slot().payload.read() });
            return Sent::Full(());
        }
        self.outcome(value)
    }

    /// The outcome of an offer that is no longer open. If the receiver has left, the value is put into its
    /// place.
    fn outcome(&mut self, value: &mut Option<T>) -> Sent<()> {
        let Some(end) = &mut self.0 else { return Sent::Done };
        let seen = end.look();
        if !seen.is_closed() || !seen.is_offer() {
            return Sent::Done;
        }
        // SAFETY: the receiver has closed on top of an offer, which is therefore the sender's. It is read
        // once: the `take` below removes it from the word.
        *value = Some(unsafe { end.slot().payload.read() });
        // Removes the offer from the word, so that it is not dropped again.
        let _: SlotState = end.slot().word.take();
        self.0 = None;
        Sent::Gone(())
    }
}

impl<T> End<T, SENDER> {
    /// Sends if the receiver waits, and then takes the value out of its place. `Full`: it does not wait.
    fn hand_over(&self, value: &mut Option<T>) -> Sent<()> {
        let seen = self.look();
        if seen.is_closed() {
            return Sent::Gone(());
        }
        if seen.is_full() {
            return Sent::Full(());
        }
        let Some(message) = value else { return Sent::Done };
        // SAFETY: the sender has seen no message in its slot, so the payload is the sender's to write. If the
        // copy is sent, it is the only one that is used.
        unsafe { self.slot().payload.copy_in(NonNull::from(message)) };
        match self.slot().word.hand_over() {
            Ok(found) => {
                empty(value);
                // SAFETY: `hand_over` has just removed the receiver's flag from the word, and this is what it
                // found.
                wake(unsafe { self.waiter(found) });
                Sent::Done
            }
            Err(found) if found.is_closed() => Sent::Gone(()),
            Err(_) => Sent::Full(()),
        }
    }
}

/// Wakes a task that was registered and no longer is, so that it looks again.
#[cold]
fn wake_displaced(displaced: Result<Option<Waiter>, Taken>) {
    if let Ok(Some(waiter)) = displaced {
        waiter.wake();
    }
}
