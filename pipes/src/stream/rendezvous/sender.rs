//! Sending at capacity 0: offers, and how they are withdrawn.

use super::{First, Offered, Rendezvous, wake};
use crate::slot::Sent;
use crate::sync::Arc;
use crate::wait::{AwaitedEnd, Caller, EndInfo, spin_then_yield, wait_until};
use std::task::{Context, Poll, Waker, ready};
use std::time::Instant;

/// Offers. Each sender keeps the ticket of its own offer.
impl<T> Rendezvous<T> {
    /// Offers the value, or looks whether the offer with this ticket was taken. If it was not, the waker is
    /// registered. The value is out of its place while it is on offer. If it is in its place when this is
    /// ready, the receiver has left.
    fn poll_send(&self, waker: Waker, value: &mut Option<Box<T>>, ticket: &mut Option<u64>) -> Poll<()> {
        let mut state = self.0.lock();
        let Some(number) = *ticket else {
            if state.receiver_has_left {
                return Poll::Ready(());
            }
            let Some(offered) = value.take() else { return Poll::Ready(()) };
            let receiver = state.receiver.take();
            state.values.enter(ticket, waker, Offered::new(offered));
            if receiver.as_ref().is_some_and(|it| it.is_thread) {
                state.first = First::Sent;
                *ticket = None;
            }
            drop(state);
            wake(receiver);
            return if ticket.is_some() { Poll::Pending } else { Poll::Ready(()) };
        };
        let unneeded = state.values.replace(number, waker);
        if unneeded.is_ok() && !state.receiver_has_left {
            drop(state);
            return Poll::Pending;
        }
        *ticket = None;
        let back = state.values.remove(number);
        drop(state);
        if let Some((_, back)) = back {
            *value = Some(back.value);
        }
        Poll::Ready(())
    }

    /// Withdraws the offer with this ticket. Returns its value, unless the receiver has taken it or has
    /// promised to.
    fn withdraw(&self, ticket: &mut Option<u64>) -> Option<Box<T>> {
        let number = ticket.take()?;
        let mut state = self.0.lock();
        let is_first = state.values.first() == Some(number);
        if is_first && state.first == First::Promised && !state.receiver_has_left {
            state.first = First::Sent;
            let unneeded = state.values.replace(number, Waker::noop().clone());
            drop(state);
            drop(unneeded);
            return None;
        }
        let (waker, offered) = state.values.remove(number)?;
        drop(state);
        drop(waker);
        Some(offered.value)
    }

    /// Looks whether the offer with this ticket was taken. If it was not, the waker is registered. Returns
    /// `Ready(false)` if the receiver has left. The offer then stays.
    fn poll_taken(&self, waker: Waker, ticket: u64) -> Poll<bool> {
        let mut state = self.0.lock();
        let has_left = state.receiver_has_left;
        let unneeded = state.values.replace(ticket, waker);
        drop(state);
        match unneeded {
            Err(_) => Poll::Ready(true),
            Ok(_) if has_left => Poll::Ready(false),
            Ok(_) => Poll::Pending,
        }
    }

    /// Returns `true` if the sender of this offer need not wait any longer.
    fn is_done(&self, ticket: Option<u64>) -> bool {
        let state = self.0.lock();
        state.receiver_has_left || ticket.is_none_or(|ticket| !state.values.contains(ticket))
    }
}

impl<T> Rendezvous<T> {
    /// Returns the name of the channel.
    pub(in crate::stream) fn channel(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    /// Returns the number of senders.
    pub(in crate::stream) fn senders(&self) -> usize {
        self.0.lock().senders
    }
}

/// A sender of a stream of capacity 0.
pub(in crate::stream) struct RendezvousSender<T> {
    pub(in crate::stream) shared: Arc<Rendezvous<T>>,
    /// The ticket of the value that this sender offers, as a sink or for the future of a `Chan`.
    pub(super) ticket: Option<u64>,
}

impl<T> RendezvousSender<T> {
    /// Creates another sender, unless all have left.
    pub(in crate::stream) fn of(shared: &Arc<Rendezvous<T>>) -> Option<Self> {
        let mut state = shared.0.lock();
        if state.senders == 0 {
            return None;
        }
        state.senders += 1;
        drop(state);
        Some(RendezvousSender { shared: shared.clone(), ticket: None })
    }

    /// Sends a value. Blocks until it is taken, and returns `Full` if the deadline passed first.
    pub(in crate::stream) fn send(
        &self,
        value: T,
        deadline: impl FnOnce() -> Option<Instant>,
        end: &'static EndInfo,
        caller: Caller,
    ) -> Sent<T> {
        let deadline = deadline();
        if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
            return self.try_send(value);
        }
        let mut offer = Offer::new(self, value);
        let mut is_first = true;
        let awaited = AwaitedEnd { end, channel: self.shared.channel() };
        let done = wait_until(
            caller,
            &awaited,
            || deadline,
            |cx| {
                let polled = offer.poll(cx);
                if polled.is_pending() && std::mem::take(&mut is_first) && offer.is_done_soon() {
                    return offer.poll(cx);
                }
                polled
            },
        );
        match offer.take_back() {
            None => Sent::Done,
            Some(value) if done.is_some() => Sent::Gone(value),
            Some(value) => Sent::Full(value),
        }
    }

    pub(in crate::stream) fn receiver_has_left(&self) -> bool {
        self.shared.0.lock().receiver_has_left
    }

    /// Sends if the receiver waits. Never blocks.
    pub(in crate::stream) fn try_send(&self, value: T) -> Sent<T> {
        let mut state = self.shared.0.lock();
        if state.receiver_has_left {
            return Sent::Gone(value);
        }
        let Some(receiver) = state.receiver.take() else { return Sent::Full(value) };
        state.values.enter(&mut None, Waker::noop().clone(), Offered::new(Box::new(value)));
        state.first = First::Sent;
        drop(state);
        receiver.waiter.wake();
        Sent::Done
    }

    /// Offers the value and does not wait. Returns `Full` if another value of this sender is still on offer.
    pub(in crate::stream) fn offer(&mut self, value: T) -> Sent<T> {
        if self.ticket.is_some() && !self.shared.is_done(self.ticket) {
            return Sent::Full(value);
        }
        let mut value = Some(value);
        match (self.poll_offer(&mut Context::from_waker(Waker::noop()), &mut value), value) {
            (Poll::Ready(()), Some(value)) => Sent::Gone(value),
            _ => Sent::Done,
        }
    }

    /// Offers the value, or looks whether what this sender offers was taken. The value is out of its place
    /// while it is on offer. If it is in its place when this is ready, the receiver has left.
    pub(in crate::stream) fn poll_offer(&mut self, cx: &mut Context<'_>, value: &mut Option<T>) -> Poll<()> {
        let waker = cx.waker().clone();
        // What this sender still offers, as a sink or for a future that was forgotten, comes first.
        if value.is_some()
            && let Some(ticket) = self.ticket
        {
            if !ready!(self.shared.poll_taken(waker.clone(), ticket)) {
                return Poll::Ready(());
            }
            self.ticket = None;
        }
        let mut boxed = value.take().map(Box::new);
        let polled = self.shared.poll_send(waker, &mut boxed, &mut self.ticket);
        *value = boxed.map(|value| *value);
        polled
    }

    /// Withdraws what this sender offers. Returns the value, unless it is sent.
    pub(in crate::stream) fn take_back(&mut self) -> Option<T> {
        self.shared.withdraw(&mut self.ticket).map(|value| *value)
    }
}

impl<T> Clone for RendezvousSender<T> {
    fn clone(&self) -> Self {
        RendezvousSender::of(&self.shared).expect("this one has not left")
    }
}

/// Leaves. What this sender offers can still be received.
impl<T> Drop for RendezvousSender<T> {
    fn drop(&mut self) {
        let ticket = self.ticket.take();
        let mut state = self.shared.0.lock();
        state.senders -= 1;
        let receiver = if state.senders == 0 { state.receiver.take() } else { None };
        let unwanted = if state.receiver_has_left {
            ticket.and_then(|ticket| state.values.remove(ticket))
        } else {
            if let Some(offered) = ticket.and_then(|ticket| state.values.owner_mut(ticket)) {
                offered.is_abandoned = true;
            }
            None
        };
        drop(state);
        wake(receiver);
        drop(unwanted);
    }
}

/// A send that waits, and withdraws its offer when it is dropped.
pub(in crate::stream) struct Offer<'a, T> {
    sender: &'a RendezvousSender<T>,
    ticket: Option<u64>,
    value: Option<Box<T>>,
}

impl<'a, T> Offer<'a, T> {
    pub(in crate::stream) fn new(sender: &'a RendezvousSender<T>, value: T) -> Self {
        Offer { sender, ticket: None, value: Some(Box::new(value)) }
    }

    /// Returns `Ready` when the value is sent, or when the receiver has left. In the latter case,
    /// [`take_back`](Self::take_back) returns the value.
    pub(in crate::stream) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.sender.shared.poll_send(cx.waker().clone(), &mut self.value, &mut self.ticket)
    }

    /// Returns the name of the channel.
    pub(in crate::stream) fn channel(&self) -> usize {
        self.sender.shared.channel()
    }

    /// Returns `true` if the value is sent or was taken back.
    pub(in crate::stream) fn is_over(&self) -> bool {
        self.value.is_none() && self.ticket.is_none()
    }

    /// Waits for a moment. Returns `true` if the value was taken or the receiver has left.
    fn is_done_soon(&self) -> bool {
        spin_then_yield(1, || self.sender.shared.is_done(self.ticket), |_| false)
    }

    /// Ends the offer. Returns the value unless it is sent.
    pub(in crate::stream) fn take_back(&mut self) -> Option<T> {
        let back = self.value.take().or_else(|| self.sender.shared.withdraw(&mut self.ticket));
        back.map(|value| *value)
    }
}

impl<T> Drop for Offer<'_, T> {
    fn drop(&mut self) {
        drop(self.take_back());
    }
}
