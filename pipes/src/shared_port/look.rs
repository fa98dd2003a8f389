//! How a receiver looks for a message, and waits in the queue for one.

use super::wait_queue::WaiterKind;
use super::{RecvShared, SharedPort};
use crate::endpoint::{RecvError, RecvTimeoutError, TryRecvError};
use crate::stream::Port;
use crate::wait::{DeferredWakes, wait_until};
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

impl<T> SharedPort<T> {
    pub(super) fn receive_until(
        &mut self,
        deadline: impl FnOnce() -> Option<Instant>,
        into: &mut Option<T>,
    ) -> Result<(), RecvTimeoutError> {
        let mut received = self.look(None, into);
        if matches!(received, Err(TryRecvError::Empty(()))) {
            let deadline = deadline();
            if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
                return Err(RecvTimeoutError::Timeout(()));
            }
            // This also leaves the queue if a waker panics during the wait.
            let receive = RecvShared { port: self, is_begun: true };
            let waited = wait_until(|| deadline, |cx| receive.port.poll_recv(cx, WaiterKind::Receive, into));
            drop(receive);
            received = match waited {
                Some(received) => received.map_err(|RecvError| TryRecvError::Closed),
                None => self.look(None, into),
            };
        }
        received.map_err(|error| match error {
            TryRecvError::Closed => RecvTimeoutError::Closed,
            TryRecvError::Empty(()) => RecvTimeoutError::Timeout(()),
        })
    }

    pub(super) fn poll_recv(
        &mut self,
        cx: &mut Context<'_>,
        kind: WaiterKind,
        into: &mut Option<T>,
    ) -> Poll<Result<(), RecvError>> {
        match self.look(Some((cx.waker(), kind)), into) {
            Ok(()) => Poll::Ready(Ok(())),
            Err(TryRecvError::Closed) => Poll::Ready(Err(RecvError)),
            Err(TryRecvError::Empty(())) => Poll::Pending,
        }
    }

    /// Receives into `into` if there is a message; otherwise enters the queue with the waker, if there is
    /// one. A look without a waker leaves a place in the queue alone, because a task may rely on it.
    #[inline]
    pub(super) fn look(
        &mut self,
        waker: Option<(&Waker, WaiterKind)>,
        into: &mut Option<T>,
    ) -> Result<(), TryRecvError> {
        if self.shared.buffer.take(into) {
            // This is woken last, even by a panic.
            let _sender = self.shared.prefetched.received();
            if self.ticket.is_some_and(|ticket| waker.is_some() || !self.shared.queue.contains(ticket)) {
                self.leave();
            }
            return Ok(());
        }
        let (received, afterwards) = self.look_at_port(waker, into);
        // If a waker panics, the message is dropped.
        drop(afterwards);
        received
    }

    #[inline(never)]
    fn look_at_port(
        &mut self,
        waker: Option<(&Waker, WaiterKind)>,
        into: &mut Option<T>,
    ) -> (Result<(), TryRecvError>, Afterwards) {
        // Wakers are their executors' code: they are cloned before the locks are taken, and dropped and woken
        // after.
        let mut waker = waker.map(|(waker, kind)| (waker.clone(), kind));
        let is_poll = waker.is_some();
        let mut port = self.shared.buffer.lock();
        // Another receiver may have filled the buffer.
        let (received, senders) = if self.shared.buffer.take(into) {
            (Ok(()), self.shared.prefetched.received())
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
                left = self.shared.queue.enter(&mut self.ticket, waker, kind);
            }
        } else if let Some(ticket) = self.ticket.take_if(|_| is_poll) {
            left = self.shared.queue.remove(ticket);
        }
        let next = self.shared.wake_next_or_register(&mut port);
        drop(port);
        (received, Afterwards { next, senders, left, unused: waker.map(|(waker, _)| waker) })
    }

    /// Leaves the queue, if it waits there. If this receiver was woken already, another one is woken in its
    /// place.
    pub(super) fn leave(&mut self) {
        let Some(ticket) = self.ticket.take() else { return };
        if self.shared.queue.remove(ticket).is_some() {
            return;
        }
        let _next = self.shared.wake_next_or_register(&mut self.shared.buffer.lock());
    }
}
