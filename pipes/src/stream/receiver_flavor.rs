//! The receiving half behind a port, of any kind of stream.

use super::close_waiters::{CloseWaiters, WakeOnDrop};
use super::permits::Permits;
use super::rendezvous::RendezvousReceiver;
use crate::slot::{
    BoundedReceiver, Received, Receiver, SharedReceiver, Token, register_after_look, unregister_token,
};
use crate::sync::Arc;
use crate::wait::{Caller, DeferredWakes, EndInfo, Waitable};
use std::num::NonZero;
use std::task::{Context, Poll};
use std::time::Instant;

/// The receiving half of any kind of stream.
pub(super) enum ReceiverFlavor<T> {
    /// Of an unbounded stream with one sender.
    Unbounded(Receiver<T>),
    /// Of a bounded stream, and its capacity.
    Bounded(BoundedReceiver<T>, usize),
    /// Of a stream with many senders.
    Shared(Box<SharedReceiverFlavor<T>>),
    /// Of a stream with many senders that wait for room.
    Limited(Box<LimitedReceiver<T>>),
    /// Of a stream of capacity 0.
    Rendezvous(Box<RendezvousReceiverFlavor<T>>),
}

/// The receiving half of a stream with many senders.
pub(super) struct SharedReceiverFlavor<T> {
    receiver: SharedReceiver<T>,
    /// This is declared behind the receiver, so that it is dropped after it.
    #[expect(dead_code, reason = "it is there to be dropped")]
    wake_on_drop: WakeOnDrop,
}

/// The receiving half of a stream of capacity 0.
pub(super) struct RendezvousReceiverFlavor<T> {
    receiver: RendezvousReceiver<T>,
    /// This is declared behind the receiver, so that it is dropped after it.
    #[expect(dead_code, reason = "it is there to be dropped")]
    wake_on_drop: WakeOnDrop,
}

/// The receiving half of a bounded stream with many senders: each message has a permit, which goes back when
/// the message is received.
pub(super) struct LimitedReceiver<T> {
    shared: SharedReceiverFlavor<T>,
    permits: Arc<Permits>,
}

impl<T> Drop for LimitedReceiver<T> {
    fn drop(&mut self) {
        self.reject_sends();
    }
}

impl<T> LimitedReceiver<T> {
    /// Lets all sends fail, before the unread values are dropped, because their destructors may use a sender,
    /// or wait for a thread that does.
    fn reject_sends(&mut self) {
        // In this order, because a sender that no longer needs a permit must not succeed.
        self.shared.receiver.reject_sends();
        drop(self.permits.close());
    }

    fn take(&mut self) -> Received<T, ()> {
        let received = self.shared.receiver.take();
        if matches!(received, Received::Message(_)) {
            drop(self.permits.release(1));
        }
        received
    }

    fn take_run(&mut self, into: &mut Vec<T>, limit: NonZero<usize>) -> Received<(), ()> {
        /// Gives back the permits of the values that were appended, even if a waker panics.
        struct Appended<'a, T>(&'a mut Vec<T>, usize, &'a Permits);
        impl<T> Drop for Appended<'_, T> {
            fn drop(&mut self) {
                let count = self.0.len() - self.1;
                if count > 0 {
                    drop(self.2.release(count));
                }
            }
        }
        let before = into.len();
        let appended = Appended(into, before, &self.permits);
        self.shared.receiver.take_run(appended.0, limit)
    }

    fn take_deferred(&mut self, into: &mut Option<T>, wakes: &mut DeferredWakes) -> Received<(), ()> {
        let received = self.shared.receiver.take_deferred(into, |waker| wakes.push(waker));
        if matches!(received, Received::Message(_)) {
            self.permits.release(1).move_to(wakes);
        }
        received
    }
}

/// Calls the same method of each kind.
macro_rules! ask {
    ($source:expr, $half:ident => $answer:expr) => {
        match $source {
            ReceiverFlavor::Unbounded($half) => $answer,
            ReceiverFlavor::Bounded($half, _) => $answer,
            ReceiverFlavor::Shared(shared) => {
                let $half = &shared.receiver;
                $answer
            }
            ReceiverFlavor::Limited(limited) => {
                let $half = &limited.shared.receiver;
                $answer
            }
            ReceiverFlavor::Rendezvous(source) => {
                let $half = &source.receiver;
                $answer
            }
        }
    };
}

/// Gives access to what each kind waits with, for the same event: that there is something to take.
macro_rules! waiting {
    ($source:expr, $half:ident => $answer:expr) => {
        match $source {
            ReceiverFlavor::Unbounded(half) => {
                let $half = &mut half.waiting();
                $answer
            }
            ReceiverFlavor::Bounded(half, _) => {
                let $half = &mut half.waiting();
                $answer
            }
            ReceiverFlavor::Shared(shared) => {
                let $half = &mut shared.receiver;
                $answer
            }
            ReceiverFlavor::Limited(limited) => {
                let $half = &mut limited.shared.receiver;
                $answer
            }
            ReceiverFlavor::Rendezvous(source) => {
                let $half = &mut source.receiver;
                $answer
            }
        }
    };
}

impl<T> ReceiverFlavor<T> {
    pub(super) fn shared(receiver: SharedReceiver<T>, close_waiters: Arc<CloseWaiters>) -> Self {
        ReceiverFlavor::Shared(Box::new(SharedReceiverFlavor {
            receiver,
            wake_on_drop: WakeOnDrop::new(close_waiters),
        }))
    }

    pub(super) fn limited(
        receiver: SharedReceiver<T>,
        close_waiters: Arc<CloseWaiters>,
        permits: Arc<Permits>,
    ) -> Self {
        let shared = SharedReceiverFlavor { receiver, wake_on_drop: WakeOnDrop::new(close_waiters) };
        ReceiverFlavor::Limited(Box::new(LimitedReceiver { shared, permits }))
    }

    pub(super) fn rendezvous(receiver: RendezvousReceiver<T>, close_waiters: Arc<CloseWaiters>) -> Self {
        ReceiverFlavor::Rendezvous(Box::new(RendezvousReceiverFlavor {
            receiver,
            wake_on_drop: WakeOnDrop::new(close_waiters),
        }))
    }

    /// Takes the next value, if there is one.
    #[inline(always)]
    pub(super) fn take(&mut self) -> Received<T, ()> {
        match self {
            ReceiverFlavor::Unbounded(half) => half.take(),
            ReceiverFlavor::Bounded(half, _) => Self::take_bounded(half),
            ReceiverFlavor::Shared(half) => half.receiver.take(),
            ReceiverFlavor::Limited(half) => Self::take_limited(half),
            ReceiverFlavor::Rendezvous(half) => Self::take_offered(half),
        }
    }

    /// Takes the next value, if there is one. Never takes the end, which the port, as a stream, has still to
    /// return.
    #[inline(always)]
    pub(super) fn take_value(&mut self) -> Option<T> {
        let value = match self {
            ReceiverFlavor::Unbounded(half) => return half.take_value(),
            ReceiverFlavor::Shared(half) => half.receiver.take_here(),
            ReceiverFlavor::Bounded(..) | ReceiverFlavor::Limited(_) | ReceiverFlavor::Rendezvous(_) => None,
        };
        if value.is_some() {
            return value;
        }
        self.take_if_ready()
    }

    #[inline(never)]
    fn take_if_ready(&mut self) -> Option<T> {
        if self.peek() != Some(true) {
            return None;
        }
        match self.take() {
            Received::Message(value) => Some(value),
            Received::Closed | Received::Nothing(()) => None,
        }
    }

    /// Takes a value from a bounded stream. This is a separate function, so that the other kinds do not slow
    /// down the most common one.
    #[inline(never)]
    fn take_bounded(half: &mut BoundedReceiver<T>) -> Received<T, ()> {
        half.take()
    }

    #[inline(never)]
    fn take_limited(half: &mut LimitedReceiver<T>) -> Received<T, ()> {
        half.take()
    }

    #[inline(never)]
    fn take_offered(half: &mut RendezvousReceiverFlavor<T>) -> Received<T, ()> {
        half.receiver.take()
    }

    /// Appends the values that are there, at most `limit` of them.
    #[inline]
    pub(super) fn take_run(&mut self, into: &mut Vec<T>, limit: NonZero<usize>) -> Received<(), ()> {
        match self {
            ReceiverFlavor::Unbounded(half) => half.take_run(into, limit),
            ReceiverFlavor::Bounded(half, _) => half.take_run(into, limit),
            ReceiverFlavor::Shared(half) => half.receiver.take_run(into, limit),
            ReceiverFlavor::Limited(half) => half.take_run(into, limit),
            ReceiverFlavor::Rendezvous(half) => half.receiver.take_run(into, limit),
        }
    }

    /// Takes the next value, if there is one. Puts it into a place, and adds the wakers that are to be woken
    /// to `wakes` instead of waking them, for a caller that holds a lock.
    pub(super) fn take_deferred(
        &mut self,
        into: &mut Option<T>,
        wakes: &mut DeferredWakes,
    ) -> Received<(), ()> {
        match self {
            ReceiverFlavor::Unbounded(half) => half.take_into(into),
            ReceiverFlavor::Bounded(half, _) => half.take_deferred(into, |sender| wakes.push(sender)),
            ReceiverFlavor::Shared(half) => half.receiver.take_deferred(into, |waker| wakes.push(waker)),
            ReceiverFlavor::Limited(half) => half.take_deferred(into, wakes),
            ReceiverFlavor::Rendezvous(half) => half.receiver.take_deferred(into, wakes),
        }
    }

    /// Takes the next value ahead of its receiver, if it is there and the stream allows it. It keeps its
    /// permit. Wakes nothing.
    pub(super) fn prefetch(&mut self) -> Option<T> {
        match self {
            ReceiverFlavor::Unbounded(half) => match half.take() {
                Received::Message(value) => Some(value),
                Received::Closed | Received::Nothing(()) => None,
            },
            ReceiverFlavor::Bounded(..) | ReceiverFlavor::Rendezvous(_) => None,
            ReceiverFlavor::Shared(half) => half.receiver.take_here(),
            ReceiverFlavor::Limited(half) => half.shared.receiver.take_here(),
        }
    }

    /// Makes sends fail from now on, because values that were received ahead are about to be dropped, and
    /// then the port. Only for streams that do so before their unread values are dropped.
    pub(super) fn reject_sends(&mut self) {
        match self {
            ReceiverFlavor::Unbounded(_) | ReceiverFlavor::Bounded(..) | ReceiverFlavor::Rendezvous(_) => {}
            ReceiverFlavor::Shared(half) => half.receiver.reject_sends(),
            ReceiverFlavor::Limited(half) => half.reject_sends(),
        }
    }

    /// Leaves, and appends the values that were sent and not received.
    pub(super) fn leave(self, into: &mut Vec<T>) {
        match self {
            ReceiverFlavor::Unbounded(half) => half.leave(into),
            ReceiverFlavor::Bounded(half, _) => half.leave(into),
            ReceiverFlavor::Shared(mut half) => half.receiver.drain(into),
            ReceiverFlavor::Limited(mut half) => {
                half.reject_sends();
                half.shared.receiver.drain(into);
            }
            ReceiverFlavor::Rendezvous(mut half) => half.receiver.leave(into),
        }
    }

    /// Returns the permits of the values, if each has one.
    pub(super) fn permits(&self) -> Option<Arc<Permits>> {
        match self {
            ReceiverFlavor::Limited(half) => Some(half.permits.clone()),
            ReceiverFlavor::Unbounded(_)
            | ReceiverFlavor::Bounded(..)
            | ReceiverFlavor::Shared(_)
            | ReceiverFlavor::Rendezvous(_) => None,
        }
    }

    /// Blocks the thread until [`take`](Self::take) gives something. Returns `false` if the deadline passed
    /// first.
    #[inline]
    pub(super) fn block(&mut self, deadline: Option<Instant>, end: &'static EndInfo, caller: Caller) -> bool {
        waiting!(self, half => half.block(deadline, end, caller))
    }

    /// Returns the name of the channel.
    pub(super) fn channel(&self) -> usize {
        ask!(self, half => half.channel())
    }

    /// Polls until [`take`](Self::take) gives something.
    #[inline]
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        waiting!(self, half => half.poll(cx))
    }

    /// Returns `true` if a value is there, which stays until it is taken.
    #[inline]
    pub(super) fn has_value(&self) -> bool {
        match self {
            ReceiverFlavor::Rendezvous(half) => half.receiver.promise(),
            _ => self.peek() == Some(true),
        }
    }

    /// Returns `false` if [`take`](Self::take) gives something, now and until it is called.
    #[inline]
    pub(super) fn would_block(&self) -> bool {
        match self {
            ReceiverFlavor::Rendezvous(half) => !half.receiver.is_settled(),
            _ => self.peek().is_none(),
        }
    }

    /// Registers a set's token. Returns `Err` if [`take`](Self::take) gives something.
    #[inline(always)]
    pub(super) fn register_token(&mut self, token: Token) -> Result<(), Token> {
        let is_ready = ask!(self, half => half.peek().is_some());
        if is_ready { Err(token) } else { self.register_after_look(token) }
    }

    /// A separate function, so that a stream with a value costs no call.
    #[inline(never)]
    fn register_after_look(&mut self, token: Token) -> Result<(), Token> {
        waiting!(self, half => register_after_look(half, token))
    }

    /// Takes the token back, unless a sender has taken it. If a waker is registered instead, it is dropped.
    pub(super) fn unregister_token(&mut self) -> Option<Token> {
        waiting!(self, half => unregister_token(half))
    }

    /// Returns `true` if the receiver has found that the sender has left.
    pub(super) fn is_over(&self) -> bool {
        ask!(self, half => half.is_over())
    }

    /// Returns the number of values that there is room for; `None` if there is always room.
    pub(super) fn capacity(&self) -> Option<usize> {
        match self {
            ReceiverFlavor::Unbounded(_) | ReceiverFlavor::Shared(_) => None,
            ReceiverFlavor::Bounded(_, capacity) => Some(*capacity),
            ReceiverFlavor::Limited(half) => Some(half.permits.count),
            ReceiverFlavor::Rendezvous(_) => Some(0),
        }
    }

    /// Returns `Some(true)` if a value is there, and `Some(false)` if the sender has left. At capacity 0 the
    /// sender may withdraw the value.
    pub(super) fn peek(&self) -> Option<bool> {
        ask!(self, half => half.peek())
    }
}
