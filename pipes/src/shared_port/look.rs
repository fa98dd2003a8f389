//! How a receiver looks for a message, waits in the line for one, and keeps one.

use super::SharedPort;
use super::group::Stock;
use super::line::WaitsAs;
use crate::endpoint::{Later, RecvError, RecvTimeoutError, TryRecvError};
use crate::sync::wait_until;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

/// What is left to do after a look, without the lock, in this order. Each of these steps is done even if
/// another one panics. Other receivers are woken first, because a destructor may wait for what they do.
#[expect(dead_code, reason = "they are there to be dropped")]
struct Afterwards {
    next: Later,
    senders: Later,
    /// The waker that was in the line.
    left: Option<Waker>,
    /// The waker that did not enter the line.
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
            // A task that waits as a stream relies on its waker, so it is woken when this thread no longer
            // waits.
            self.displace();
            let _displaced = Later::of(self.displaced.take());
            // This also leaves the line if a waker panics during the wait.
            let receive = self.recv_async();
            let waited = wait_until(|| deadline, |cx| receive.0.poll_recv(cx, WaitsAs::Receive, into));
            drop(receive);
            received = match waited {
                Some(received) => received.map_err(|RecvError| TryRecvError::Closed),
                None => self.try_recv_into(into),
            };
        }
        received.map_err(|error| match error {
            TryRecvError::Closed => RecvTimeoutError::Closed,
            TryRecvError::Empty(()) => RecvTimeoutError::Timeout(()),
        })
    }

    pub(super) fn try_recv_into(&mut self, into: &mut Option<T>) -> Result<(), TryRecvError> {
        let received = self.look(None, into);
        self.leave(WaitsAs::Receive);
        received
    }

    pub(super) fn poll_recv(
        &mut self,
        cx: &mut Context<'_>,
        waits_as: WaitsAs,
        into: &mut Option<T>,
    ) -> Poll<Result<(), RecvError>> {
        match self.look(Some((cx.waker(), waits_as)), into) {
            Ok(()) => Poll::Ready(Ok(())),
            Err(TryRecvError::Closed) => Poll::Ready(Err(RecvError)),
            Err(TryRecvError::Empty(())) => Poll::Pending,
        }
    }

    /// Receives into `into` if there is a message; otherwise enters the line with the waker, if there is one.
    /// A stream stays in the line until it is polled, because it relies on its waker.
    #[inline]
    pub(super) fn look(
        &mut self,
        waker: Option<(&Waker, WaitsAs)>,
        into: &mut Option<T>,
    ) -> Result<(), TryRecvError> {
        if !self.kept.get_mut().is_empty() {
            *into = self.kept.get_mut().pop();
            // If a waker panics, the message is dropped.
            drop(self.release(None));
            return Ok(());
        }
        if self.group.tray.take(into) {
            self.has_received(waker.is_some());
            return Ok(());
        }
        let (received, afterwards) = self.look_at_stock(waker, false, into);
        // If a waker panics, the message is dropped.
        drop(afterwards);
        received
    }

    /// What follows a receive from the tray without a look at the stock.
    #[inline]
    fn has_received(&mut self, is_poll: bool) {
        // This is woken last, also by a panic.
        let _sender = self.group.ahead.received();
        if self.standing.is_some() {
            self.leave(WaitsAs::Receive);
            if is_poll {
                self.leave(WaitsAs::Stream);
            }
        }
    }

    #[inline(never)]
    fn look_at_stock(
        &mut self,
        waker: Option<(&Waker, WaitsAs)>,
        is_to_keep: bool,
        into: &mut Option<T>,
    ) -> (Result<(), TryRecvError>, Afterwards) {
        // Wakers are their executors' code: they are cloned before the locks are taken, and dropped and woken
        // after.
        let mut waker = waker.map(|(waker, waits_as)| (waker.clone(), waits_as));
        let is_poll = waker.is_some();
        let mut stock = self.group.tray.lock();
        // Another receiver may have filled the tray.
        let (received, senders) = if self.group.tray.take(into) {
            (Ok(()), self.group.ahead.received())
        } else {
            let mut senders = Later::default();
            let looked = stock.take(into, &mut senders);
            if looked.is_ok() {
                stock.fill(Stock::take_ahead);
            }
            (looked, senders)
        };
        if is_to_keep && received.is_ok() {
            stock.keep();
        }
        let mut left = None;
        if matches!(received, Err(TryRecvError::Empty(()))) {
            if let Some((waker, waits_as)) = waker.take() {
                left = self.group.line.stand(&mut self.standing, waker, waits_as);
            }
        } else if let Some(standing) = self.standing.take_if(|it| is_poll || it.waits_as == WaitsAs::Receive)
        {
            left = self.group.line.leave(standing);
        }
        let next = self.group.look_after_the_rest(&mut stock);
        drop(stock);
        (received, Afterwards { next, senders, left, unused: waker.map(|(waker, _)| waker) })
    }

    /// Takes a message and keeps it for this receiver's next receive, unless one is kept; if there is none,
    /// enters the line with the waker, if there is one. Returns true if a receive would not block.
    pub(super) fn keep(&mut self, waker: Option<&Waker>) -> bool {
        if !self.kept.get_mut().is_empty() {
            return true;
        }
        let waker = waker.map(|waker| (waker, WaitsAs::Stream));
        let mut found = None;
        // If a waker panics, the message is kept.
        let (received, _afterwards) = self.look_at_stock(waker, true, &mut found);
        if let Some(message) = found {
            self.kept.get_mut().push(message);
        }
        !matches!(received, Err(TryRecvError::Empty(())))
    }

    /// No longer keeps a message: it was received, or is given back. Returns the receivers to wake, which
    /// find that message, or that no other one is kept at the end of the stream.
    #[inline(never)]
    fn release(&self, given_back: Option<T>) -> Later {
        let mut stock = self.group.tray.lock();
        stock.release(given_back);
        self.group.look_after_the_rest(&mut stock)
    }

    /// Gives the message back that it keeps, for any receiver. Returns the receivers to wake.
    pub(super) fn give_back(&mut self) -> Later {
        if self.kept.get_mut().is_empty() {
            return Later::default();
        }
        let message = self.kept.get_mut().pop();
        self.release(message)
    }

    /// Takes a task that waits as a stream out of the line. It relies on its waker, which is to be called, or
    /// put [back](Self::replace).
    pub(super) fn displace(&mut self) {
        let stream = self.standing.take_if(|it| it.waits_as == WaitsAs::Stream);
        if let Some(waker) = stream.and_then(|standing| self.group.line.leave(standing)) {
            self.displaced = Some(waker);
        }
    }

    /// Puts a task that was displaced back into the line, in place of what waits there. If this receiver was
    /// woken already, another one is woken in its place.
    pub(super) fn replace(&mut self, displaced: Waker) {
        let mut stock = self.group.tray.lock();
        let left = self.group.line.stand(&mut self.standing, displaced, WaitsAs::Stream);
        let next = self.group.look_after_the_rest(&mut stock);
        drop(stock);
        drop((next, left));
    }

    /// Leaves the line, if it waits in this way. If this receiver was woken already, another one is woken in
    /// its place.
    pub(super) fn leave(&mut self, waits_as: WaitsAs) {
        let Some(standing) = self.standing.take_if(|it| it.waits_as == waits_as) else { return };
        let waker = self.group.line.leave(standing);
        if waker.is_some() {
            return;
        }
        let _next = self.group.look_after_the_rest(&mut self.group.tray.lock());
    }
}
