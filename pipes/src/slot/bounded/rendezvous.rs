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
use super::send::{BoundedSender, Sent};
use super::state::SlotState;
use crate::slot::seat::Party;
use crate::slot::wait::Taken;
use crate::slot::waiter::Waiter;
use crate::slot::waiter::wake;
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
        let Some(end) = &mut self.0 else { return Sent::Gone(value) };
        let seen = end.look();
        if !seen.is_closed() && (seen.is_full() || seen.waiter(Party::Receiver).is_none()) {
            // If a task of this sender waits, it remains registered.
            return Sent::Full(value);
        }
        let displaced = end.unregister();
        let sent = end.hand_over(value);
        // A waker is its executor's code and may panic. `sent` still owns the value then, so that it is
        // dropped and not leaked.
        match &sent {
            Sent::Done => drop(displaced),
            Sent::Full(_) => wake_displaced(displaced),
            Sent::Gone(_) => {
                self.0 = None;
                drop(displaced);
            }
        }
        sent
    }

    /// Offers the message, and blocks until it was taken; withdraws it when the deadline has passed.
    #[cold]
    pub(super) fn meet(&mut self, mut value: T, deadline: Option<Instant>) -> Sent<T> {
        // If the deadline has passed already, this first tries to hand the message over. An offer would wake
        // a receiver that waits, and be withdrawn before it looks. If no receiver waits, the offer below
        // wakes none.
        if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
            match self.hand_over(value) {
                Sent::Full(back) => value = back,
                sent => return sent,
            }
        }
        loop {
            match self.put(value) {
                Sent::Done => {
                    let is_settled = self.block(deadline);
                    return if is_settled { self.outcome() } else { self.withdraw() };
                }
                Sent::Full(back) => {
                    if !self.block(deadline) {
                        return Sent::Full(back);
                    }
                    value = back;
                }
                Sent::Gone(back) => return Sent::Gone(back),
            }
        }
    }

    /// Ready when the value that was [put](Self::put) is sent: at capacity 0 when it was taken, otherwise at
    /// once. `Err`: the receiver has left without taking it.
    pub(crate) fn poll_settled(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), T>> {
        if !self.is_rendezvous() {
            return Poll::Ready(Ok(()));
        }
        ready!(self.poll(cx));
        Poll::Ready(match self.outcome() {
            Sent::Gone(value) => Err(value),
            Sent::Done | Sent::Full(_) => Ok(()),
        })
    }

    /// Withdraws the value that was offered, if it is not taken yet. `Full`: here it is. `Gone`: here it is,
    /// and the receiver has left. `Done`: it is sent, or nothing was offered.
    pub(crate) fn withdraw(&mut self) -> Sent<T> {
        let Some(end) = &mut self.0 else { return Sent::Done };
        // Dropped first: a waker's destructor is its executor's code, and if it panicked after the value was
        // read, the value would leak.
        drop(end.unregister());
        end.buffer().count_withdrawal();
        let found = end.slot().word.withdraw();
        if found.is_loose() && !found.is_closed() {
            // SAFETY: the withdrawal found an offer that the receiver did not hold, so the payload is the
            // sender's again.
            return Sent::Full(unsafe { end.slot().payload.read() });
        }
        self.outcome()
    }

    /// The outcome of an offer that is no longer open.
    fn outcome(&mut self) -> Sent<T> {
        let Some(end) = &mut self.0 else { return Sent::Done };
        let seen = end.look();
        if !seen.is_closed() || !seen.is_offer() {
            return Sent::Done;
        }
        // SAFETY: the receiver has closed on top of an offer, which is therefore the sender's. It is read
        // once: the `take` below removes it from the word.
        let value = unsafe { end.slot().payload.read() };
        // Removes the offer from the word, so that it is not dropped again.
        let _: SlotState = end.slot().word.take();
        self.0 = None;
        Sent::Gone(value)
    }
}

impl<T> End<T, SENDER> {
    /// Sends if the receiver waits. `Full`: it does not wait.
    fn hand_over(&self, value: T) -> Sent<T> {
        let seen = self.look();
        if seen.is_closed() {
            return Sent::Gone(value);
        }
        if seen.is_full() {
            return Sent::Full(value);
        }
        // SAFETY: the sender has seen no message in its slot, so the payload is the sender's to write.
        unsafe { self.slot().payload.write(value) };
        match self.slot().word.hand_over() {
            Ok(found) => {
                // SAFETY: `hand_over` has just removed the receiver's flag from the word, and this is what it
                // found.
                wake(unsafe { self.waiter(found) });
                Sent::Done
            }
            Err(found) => {
                // SAFETY: the sender has just written the payload, and `hand_over` was refused, so it is
                // still the sender's.
                let value = unsafe { self.slot().payload.read() };
                if found.is_closed() { Sent::Gone(value) } else { Sent::Full(value) }
            }
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
