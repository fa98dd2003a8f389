//! Capacity 0: a message is sent when it is taken, or handed to a receiver that waits.
//!
//! The one slot is a table between the two sides. A sender that waits lays its message there as an *offer*,
//! and whoever moves first has it: the receiver by holding it, the sender by taking it back. So a receiver
//! that never waits can still take from a sender that does. A receiver that learns of an offer without taking
//! it (it polls, or waits first and takes then) holds it all the same, so that what it was told stays true;
//! the sender goes on waiting, and has its message back should the receiver leave after all. Only a sender
//! that cannot wait any longer leaves a held offer to the receiver, as sent.
//!
//! A sender that does not wait hands its message over if the receiver waits there, by the same step that
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
    pub(super) fn is_rendezvous(&self) -> bool {
        self.0.as_ref().is_some_and(|end| end.cursor().message.is_offer())
    }

    /// Sends if the receiver waits.
    #[cold]
    pub(super) fn hand_over(&mut self, value: T) -> Sent<T> {
        let Some(end) = &mut self.0 else { return Sent::Gone(value) };
        let seen = end.look();
        if !seen.is_closed() && (seen.is_full() || seen.waiter(Party::Receiver).is_none()) {
            // A task of this sender that waits stays registered.
            return Sent::Full(value);
        }
        let displaced = end.unregister();
        let sent = end.hand_over(value);
        // A waker is its executor's code and may panic: `sent` is a variable meanwhile, so that the value
        // would be dropped.
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

    /// Offers the message, and blocks until it was taken; takes it back when the deadline has passed.
    #[cold]
    pub(super) fn meet(&mut self, mut value: T, deadline: Option<Instant>) -> Sent<T> {
        // Without time, an offer would only wake a receiver for nothing: it is gone before that has looked.
        if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
            match self.hand_over(value) {
                Sent::Full(back) => value = back,
                sent => return sent,
            }
        }
        loop {
            match self.put(value) {
                Sent::Done => {
                    let was_taken = self.block(deadline);
                    return if was_taken { self.outcome() } else { self.withdraw() };
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

    /// Ready when what was [put](Self::put) is sent: at capacity 0 when it was taken, otherwise at once.
    /// `Err`: the receiver has left without it.
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

    /// Takes back what was offered, if it is not taken yet. `Full`: here it is. `Gone`: here it is, and the
    /// receiver has left. `Done`: it is sent, or nothing was offered.
    pub(crate) fn withdraw(&mut self) -> Sent<T> {
        let Some(end) = &mut self.0 else { return Sent::Done };
        // Dropped first: a waker is its executor's code, and a panic behind what is returned would leak that.
        drop(end.unregister());
        let found = end.slot().word.withdraw();
        if found.is_loose() && !found.is_closed() {
            // SAFETY: the offer is the sender's again.
            return Sent::Full(unsafe { end.slot().payload.read() });
        }
        self.outcome()
    }

    /// What has become of an offer that is not open any more.
    fn outcome(&mut self) -> Sent<T> {
        let Some(end) = &mut self.0 else { return Sent::Done };
        let seen = end.look();
        if !seen.is_closed() || !seen.is_offer() {
            return Sent::Done;
        }
        // SAFETY: the receiver has left the offer to its sender,
        let value = unsafe { end.slot().payload.read() };
        // who takes it out of the word as well, lest it be dropped again.
        let _: SlotState = end.slot().word.take();
        self.0 = None;
        Sent::Gone(value)
    }
}

impl<T> End<T, SENDER> {
    /// Sends if the receiver waits. `Full`: it does not.
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
                // SAFETY: the step has just taken the receiver's flag out of the word, and this is what it
                // found.
                wake(unsafe { self.waiter(found) });
                Sent::Done
            }
            Err(found) => {
                // SAFETY: the sender has just written the payload, and the word does not say that there is a
                // message.
                let value = unsafe { self.slot().payload.read() };
                if found.is_closed() { Sent::Gone(value) } else { Sent::Full(value) }
            }
        }
    }
}

/// Wakes a task that was registered, and is not any more: it looks again.
#[cold]
fn wake_displaced(displaced: Result<Option<Waiter>, Taken>) {
    if let Ok(Some(waiter)) = displaced {
        waiter.wake();
    }
}
