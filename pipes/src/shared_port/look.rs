//! How a receiver looks for a message, and waits in the queue for one.

use super::SharedPort;
use super::recv::SharedRecvFuture;
use super::shared::Shared;
use super::wait_queue::WaiterKind;
use crate::endpoint::{RecvError, RecvTimeoutError, TryRecvError};
use crate::stream::Port;
use crate::wait::{AwaitedEnd, Caller, DeferredWakes, wait_until};
use std::task::{Context, Poll, Waker};
use std::time::Instant;

/// What is left to do after a look, when the lock is released, in this order. Each of these steps is done
/// even if another one panics. Other receivers are woken first, because a destructor may wait for what they
/// do.
#[expect(dead_code, reason = "they are there to be dropped")]
struct Afterwards {
    next: DeferredWakes,
    senders: DeferredWakes,
    /// The waker that was in the queue.
    left: Option<Waker>,
    /// The waker that did not enter the queue.
    unused: Option<Waker>,
}

/// The receivers' verbs. Each receive has a ticket of its own, so several of them may wait at one receiver.
impl<T> Shared<T> {
    pub(super) fn receive_until(
        &self,
        caller: Caller,
        deadline: impl FnOnce() -> Option<Instant>,
        into: &mut Option<T>,
    ) -> Result<(), RecvTimeoutError> {
        match self.try_receive(into) {
            Err(TryRecvError::Empty(())) => self.wait_and_receive(caller, deadline(), into),
            Err(TryRecvError::Closed) => Err(RecvTimeoutError::Closed),
            Ok(()) => Ok(()),
        }
    }

    /// Returns the name of the channel.
    pub(super) fn channel(&self) -> usize {
        self.buffer.lock().channel()
    }

    /// Receives after a look that has found nothing.
    #[cold]
    pub(super) fn wait_and_receive(
        &self,
        caller: Caller,
        deadline: Option<Instant>,
        into: &mut Option<T>,
    ) -> Result<(), RecvTimeoutError> {
        if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
            return Err(RecvTimeoutError::Timeout(()));
        }
        let awaited = AwaitedEnd { end: SharedPort::<T>::END, channel: self.channel() };
        // This also leaves the queue if a waker panics during the wait.
        let mut receive = SharedRecvFuture::new(self);
        let waited = wait_until(caller, &awaited, || deadline, |cx| receive.poll_into(cx, into));
        drop(receive);
        match waited {
            Some(received) => received.map_err(|RecvError| RecvTimeoutError::Closed),
            None => self.try_receive(into).map_err(|error| match error {
                TryRecvError::Closed => RecvTimeoutError::Closed,
                TryRecvError::Empty(()) => RecvTimeoutError::Timeout(()),
            }),
        }
    }

    /// Receives into `into` if there is a message. A place in the queue is left alone, because a task may
    /// rely on it.
    #[inline]
    pub(super) fn try_receive(&self, into: &mut Option<T>) -> Result<(), TryRecvError> {
        self.look(&mut None, None, into)
    }

    pub(super) fn poll_recv(
        &self,
        ticket: &mut Option<u64>,
        cx: &mut Context<'_>,
        kind: WaiterKind,
        into: &mut Option<T>,
    ) -> Poll<Result<(), RecvError>> {
        match self.look(ticket, Some((cx.waker(), kind)), into) {
            Ok(()) => Poll::Ready(Ok(())),
            Err(TryRecvError::Closed) => Poll::Ready(Err(RecvError)),
            Err(TryRecvError::Empty(())) => Poll::Pending,
        }
    }

    /// Receives into `into` if there is a message, and leaves the place in the queue that the ticket has.
    /// Otherwise enters the queue with the waker, if there is one.
    #[inline(always)]
    fn look(
        &self,
        ticket: &mut Option<u64>,
        waker: Option<(&Waker, WaiterKind)>,
        into: &mut Option<T>,
    ) -> Result<(), TryRecvError> {
        if self.buffer.take(into) {
            // This is woken last, even by a panic.
            let _sender = self.prefetched.received();
            self.leave(ticket);
            return Ok(());
        }
        let (received, afterwards) = self.look_at_port(ticket, waker, into);
        // If a waker panics, the message is dropped.
        drop(afterwards);
        received
    }

    #[inline(never)]
    fn look_at_port(
        &self,
        ticket: &mut Option<u64>,
        waker: Option<(&Waker, WaiterKind)>,
        into: &mut Option<T>,
    ) -> (Result<(), TryRecvError>, Afterwards) {
        // Wakers are their executors' code: they are cloned before the locks are taken, and dropped and woken
        // after.
        let mut waker = waker.map(|(waker, kind)| (waker.clone(), kind));
        let mut port = self.buffer.lock();
        // Another receiver may have filled the buffer.
        let (received, senders) = if self.buffer.take(into) {
            (Ok(()), self.prefetched.received())
        } else {
            let mut senders = DeferredWakes::default();
            let looked = port.try_recv_deferred(into, &mut senders);
            if looked.is_ok() {
                port.fill(Port::prefetch);
            }
            (looked, senders)
        };
        let mut left = None;
        if matches!(received, Err(TryRecvError::Empty(()))) {
            if let Some((waker, kind)) = waker.take() {
                left = self.queue.enter(ticket, waker, kind);
            }
        } else if let Some(ticket) = ticket.take() {
            left = self.queue.remove(ticket);
        }
        let next = self.wake_next_or_register(&mut port);
        drop(port);
        (received, Afterwards { next, senders, left, unused: waker.map(|(waker, _)| waker) })
    }

    /// Leaves the queue, if the ticket has a place there. If its waker was woken already, another one is
    /// woken in its place.
    #[inline]
    pub(super) fn leave(&self, ticket: &mut Option<u64>) {
        if let Some(ticket) = ticket.take() {
            self.leave_place(ticket);
        }
    }

    #[inline(never)]
    fn leave_place(&self, ticket: u64) {
        if self.queue.remove(ticket).is_some() {
            return;
        }
        let _next = self.wake_next_or_register(&mut self.buffer.lock());
    }
}
