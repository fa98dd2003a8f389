//! Sending, when there may be no room.

use crate::endpoint::{SendError, SendTimeoutError};
use crate::slot::{BroadcastRing, Claimed, Sent};
use crate::wait::{Awaited, AwaitedEnd, Caller, EndInfo, Ends, PendingWait, spin_then_yield, wait_until};
use std::fmt;
use std::future::Future;
use std::mem::take;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;

/// A send in a task; see [`BroadcastChan::send_async`](crate::BroadcastChan::send_async).
///
/// Dropped before it completes, it sends nothing and drops the value.
#[must_use = "futures do nothing unless they are awaited"]
pub struct BroadcastSendFuture<'a, T> {
    ring: &'a BroadcastRing<Claimed<T>>,
    /// The value, until the send has an outcome.
    value: Option<T>,
    /// The ticket of its entry in the line of senders, if it has one.
    ticket: Option<u64>,
    wait: PendingWait,
}

/// What a sender waits for.
pub(super) fn awaited<T>(ring: &BroadcastRing<Claimed<T>>) -> AwaitedEnd {
    let end = const { &EndInfo::sender::<T>("BroadcastChan", Awaited::Room) };
    AwaitedEnd { end, channel: ring.channel() }
}

impl<'a, T> BroadcastSendFuture<'a, T> {
    #[track_caller]
    pub(super) fn new(ring: &'a BroadcastRing<Claimed<T>>, value: T) -> Self {
        BroadcastSendFuture { ring, value: Some(value), ticket: None, wait: PendingWait::new() }
    }

    /// Returns the value, unless it was sent.
    ///
    /// ```
    /// let (chan, _port) = pipes::broadcast(1);
    /// chan.send(1)?;
    /// let sending = chan.send_async(2);
    /// assert_eq!(sending.into_inner(), Some(2), "it was not sent");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_inner(mut self) -> Option<T> {
        self.leave_line();
        self.value.take()
    }

    /// Gives up its place in the line, before the value is returned. If the waker of the next one panicked in
    /// the destructor of the future, what is being returned would leak.
    fn leave_line(&mut self) {
        self.ring.give_up(self.ticket.take());
    }

    /// Sends the value if there is room. If a waker panics, the value was sent, or is still here.
    fn try_send(&mut self) -> Poll<Result<(), SendError<T>>> {
        let Some(value) = self.value.take() else { return Poll::Ready(Ok(())) };
        match self.ring.send(value, &mut self.ticket) {
            Sent::Done => Poll::Ready(Ok(())),
            Sent::Full(value) => {
                self.value = Some(value);
                Poll::Pending
            }
            Sent::Gone(value) => {
                self.value = Some(value);
                self.leave_line();
                Poll::Ready(self.value.take().map_or(Ok(()), |value| Err(SendError(value))))
            }
        }
    }

    /// Sends the value if there is room. Otherwise enters the line.
    fn poll_send(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), SendError<T>>> {
        loop {
            let sent = self.try_send();
            // A waker is its executor's code: it is cloned before the lock is taken.
            if sent.is_ready() || !self.ring.request(&mut self.ticket, Some(cx.waker().clone())) {
                return sent;
            }
        }
    }

    /// Waits in the thread until the send has an outcome, or until the deadline.
    pub(super) fn block(
        mut self,
        caller: Caller,
        deadline: impl FnOnce() -> Option<Instant>,
    ) -> Result<(), SendTimeoutError<T>> {
        let mut outcome = self.try_send();
        if outcome.is_pending() {
            let deadline = deadline();
            if deadline.is_none_or(|deadline| deadline > Instant::now()) {
                let room = |ahead| self.ring.may_have_room(ahead);
                if spin_then_yield(self.ring.capacity(), || room(0), room) {
                    outcome = self.try_send();
                }
                if outcome.is_pending() {
                    let awaited = awaited(self.ring);
                    if let Some(sent) = wait_until(caller, &awaited, || deadline, |cx| self.poll_send(cx)) {
                        outcome = Poll::Ready(sent);
                    }
                }
            }
        }
        self.leave_line();
        match (outcome, self.value.take()) {
            (Poll::Pending, Some(value)) => Err(SendTimeoutError::Timeout(value)),
            (Poll::Ready(Err(error)), _) => Err(SendTimeoutError::Closed(error.into_payload())),
            (Poll::Ready(Ok(())), _) | (Poll::Pending, None) => Ok(()),
        }
    }
}

// The value is moved out when it is sent; it is never pinned.
impl<T> Unpin for BroadcastSendFuture<'_, T> {}

impl<T> Future for BroadcastSendFuture<'_, T> {
    /// Polled again after completion, it returns `Ok`.
    type Output = Result<(), SendError<T>>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut wait = take(&mut self.wait);
        let polled = wait.poll(cx, &mut *self, |it, list| awaited(it.ring).list(list), Self::poll_send);
        self.wait = wait;
        polled
    }
}

impl<T> Drop for BroadcastSendFuture<'_, T> {
    fn drop(&mut self) {
        self.leave_line();
    }
}

impl<T> fmt::Debug for BroadcastSendFuture<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BroadcastSendFuture").field("done", &self.value.is_none()).finish()
    }
}
