//! Receiving at capacity 0.

use super::{First, Rendezvous, Waiting};
use crate::slot::Received;
use crate::sync::Arc;
use crate::wait::{
    AwaitedEnd, Caller, DeferredWakes, EndInfo, Taken, Waitable, Waiter, spin_then_yield, wait_until,
};
use std::mem::take;
use std::num::NonZero;
use std::task::{Poll, Waker};
use std::time::Instant;

/// The receiver of a stream of capacity 0.
pub(in crate::stream) struct RendezvousReceiver<T> {
    pub(super) shared: Arc<Rendezvous<T>>,
    /// `true` once it has found that all senders have left.
    pub(super) is_over: bool,
}

impl<T> RendezvousReceiver<T> {
    /// Takes the next value, if there is one. The sender is woken last: if its waker panics, the value is
    /// dropped.
    pub(in crate::stream) fn take(&mut self) -> Received<T, ()> {
        let mut wakes = DeferredWakes::default();
        let received = self.next(&mut wakes);
        // If a waker panics at this point, the value is dropped. A value that was returned already would
        // leak.
        drop(wakes);
        received
    }

    /// Takes the next value like [`take`](Self::take), but puts it into a place, and adds the waker of its
    /// sender to `wakes` instead of waking it.
    pub(in crate::stream) fn take_deferred(
        &mut self,
        into: &mut Option<T>,
        wakes: &mut DeferredWakes,
    ) -> Received<(), ()> {
        match self.next(wakes) {
            Received::Message(value) => {
                *into = Some(value);
                Received::Message(())
            }
            Received::Nothing(()) => Received::Nothing(()),
            Received::Closed => Received::Closed,
        }
    }

    fn next(&mut self, wakes: &mut DeferredWakes) -> Received<T, ()> {
        let mut state = self.shared.0.lock();
        match state.values.pop() {
            Some((_, sender, offered)) => {
                state.first = First::Offered;
                wakes.push(sender);
                Received::Message(*offered.value)
            }
            None => {
                self.is_over = state.senders == 0;
                if self.is_over { Received::Closed } else { Received::Nothing(()) }
            }
        }
    }

    /// Appends the values that are there, but at most `limit` of them. The senders are woken last.
    pub(in crate::stream) fn take_run(
        &mut self,
        into: &mut Vec<T>,
        limit: NonZero<usize>,
    ) -> Received<(), ()> {
        let mut senders = DeferredWakes::default();
        let mut state = self.shared.0.lock();
        let count = state.values.len().min(limit.get());
        if count == 0 {
            self.is_over = state.senders == 0;
            return if self.is_over { Received::Closed } else { Received::Nothing(()) };
        }
        let mut values = Vec::with_capacity(count);
        while values.len() < count
            && let Some((_, sender, offered)) = state.values.pop()
        {
            senders.push(sender);
            values.push(offered.value);
        }
        state.first = First::Offered;
        drop(state);
        into.extend(values.into_iter().map(|value| *value));
        drop(senders.reversed());
        Received::Message(())
    }

    /// Leaves, and appends the values that were sent and not received, as well as those whose senders have
    /// left. Other values on offer go back to their senders.
    pub(in crate::stream) fn leave(&mut self, into: &mut Vec<T>) {
        let mut state = self.shared.0.lock();
        state.receiver_has_left = true;
        let sent = if state.first == First::Sent { state.values.pop() } else { None };
        state.first = First::Offered;
        let receiver = state.receiver.take();
        let abandoned = state.values.remove_all(|offered| offered.is_abandoned);
        let senders = DeferredWakes::of(state.values.take_wakers().into_iter().rev());
        drop(state);
        let (mut values, mut wakers) = (Vec::new(), Vec::new());
        for (_, waker, offered) in sent.into_iter().chain(abandoned) {
            wakers.push(waker);
            values.push(offered.value);
        }
        into.extend(values.into_iter().map(|value| *value));
        drop(receiver);
        drop(senders);
        drop(wakers);
    }

    /// Registers the receiver. Returns it in `Err` if there is something to take.
    fn enter(&self, waiting: Waiting) -> Result<(), Waiter> {
        let mut state = self.shared.0.lock();
        if state.is_settled() {
            return Err(waiting.waiter);
        }
        let before = state.receiver.replace(waiting);
        drop(state);
        drop(before);
        Ok(())
    }

    /// Returns `true` if [`take`](Self::take) gives something, now and until it is called.
    pub(in crate::stream) fn is_settled(&self) -> bool {
        self.shared.0.lock().is_settled()
    }

    /// Returns `true` if there is a value. The receiver then has promised to take it.
    pub(in crate::stream) fn promise(&self) -> bool {
        self.shared.0.lock().promise()
    }

    /// Returns `true` if the receiver has found that all senders have left.
    pub(in crate::stream) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Returns `Some(true)` if a value is here, which its sender may withdraw; `Some(false)` if all senders
    /// have left.
    pub(in crate::stream) fn peek(&self) -> Option<bool> {
        let state = self.shared.0.lock();
        if !state.values.is_empty() { Some(true) } else { (state.senders == 0).then_some(false) }
    }
}

impl<T> Waitable for RendezvousReceiver<T> {
    fn channel(&self) -> usize {
        self.shared.channel()
    }

    fn most_in_a_row(&self) -> usize {
        1
    }

    fn has_come(&self) -> bool {
        self.is_settled()
    }

    fn is_waiting_as(&self, waker: &Waker) -> bool {
        let state = self.shared.0.lock();
        state.receiver.as_ref().is_some_and(|it| !it.is_thread && it.waiter.is_of(waker))
    }

    fn register(&mut self, waiter: Waiter) -> Result<(), Waiter> {
        self.enter(Waiting { waiter, is_thread: false })
    }

    /// The earlier waiter is dropped last, so that a sender which does not wait finds the receiver there all
    /// the time.
    fn replace(&mut self, waiter: Waiter) -> Result<(), Waiter> {
        self.enter(Waiting { waiter, is_thread: false })
    }

    fn unregister(&mut self) -> Result<Option<Waiter>, Taken> {
        Ok(self.shared.0.lock().receiver.take().map(|waiting| waiting.waiter))
    }

    /// The thread is registered before it spins, and each time that it was woken. A sender that finds it
    /// there hands its value over and does not wait.
    fn block(&mut self, deadline: Option<Instant>, end: &'static EndInfo, caller: Caller) -> bool {
        let is_settled = self.is_settled();
        if is_settled || deadline.is_some_and(|deadline| deadline <= Instant::now()) {
            return is_settled;
        }
        // A task may still be registered from an earlier poll; the thread replaces it.
        drop(self.take_back());
        let mut spins = true;
        let awaited = AwaitedEnd { end, channel: self.channel() };
        let come = wait_until(
            caller,
            &awaited,
            || deadline,
            |cx| {
                let waits = self.enter(Waiting { waiter: Waiter::of(cx), is_thread: true }).is_ok();
                if waits && !(take(&mut spins) && spin_then_yield(1, || self.is_settled(), |_| false)) {
                    Poll::Pending
                } else {
                    Poll::Ready(())
                }
            },
        );
        if come.is_some() {
            return true;
        }
        drop(self.take_back());
        self.is_settled()
    }
}

impl<T> Drop for RendezvousReceiver<T> {
    fn drop(&mut self) {
        // The values are dropped after the senders were woken.
        self.leave(&mut Vec::new());
    }
}
