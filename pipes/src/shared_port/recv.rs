//! Receiving from a shared port in a task: one message, or all as a stream.

use super::SharedPort;
use super::shared::Shared;
use super::wait_queue::WaiterKind;
use crate::endpoint::RecvError;
use crate::wait::{EndList, PendingWait, budget};
use futures_core::{FusedStream, Stream};
use std::fmt;
use std::future::Future;
use std::mem::take;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// A receive from a shared port, in a task; see [`SharedPort::recv_async`].
#[must_use = "futures do nothing unless they are awaited"]
pub struct SharedRecvFuture<'a, T> {
    shared: &'a Shared<T>,
    /// Its place in the queue, if it waits.
    ticket: Option<u64>,
    wait: PendingWait,
}

impl<'a, T> SharedRecvFuture<'a, T> {
    #[track_caller]
    pub(super) fn new(shared: &'a Shared<T>) -> Self {
        SharedRecvFuture { shared, ticket: None, wait: PendingWait::new() }
    }

    pub(super) fn poll_into(
        &mut self,
        cx: &mut Context<'_>,
        into: &mut Option<T>,
    ) -> Poll<Result<(), RecvError>> {
        self.shared.poll_recv(&mut self.ticket, cx, WaiterKind::Receive, into)
    }

    /// Polls for a task, which others may want to see.
    pub(super) fn poll_seen<R>(
        &mut self,
        cx: &mut Context<'_>,
        poll: impl FnOnce(&mut Self, &mut Context<'_>) -> Poll<R>,
    ) -> Poll<R> {
        let list = |it: &Self, list: &mut EndList| list.add(SharedPort::<T>::END, it.shared.channel());
        let mut wait = take(&mut self.wait);
        let polled = wait.poll(cx, self, list, poll);
        self.wait = wait;
        polled
    }

    /// Returns `true` if a poll would find a message or the end.
    pub(super) fn would_complete(&mut self) -> bool {
        self.shared.is_ready() || self.shared.is_closed()
    }
}

impl<T> Future for SharedRecvFuture<'_, T> {
    type Output = Result<T, RecvError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut value = None;
        ready!(self.poll_seen(cx, |it, cx| {
            budget::receive(it, cx, Self::would_complete, |it, cx| it.poll_into(cx, &mut value))
        }))?;
        Poll::Ready(value.ok_or(RecvError))
    }
}

impl<T> Drop for SharedRecvFuture<'_, T> {
    fn drop(&mut self) {
        self.shared.leave(&mut self.ticket);
    }
}

impl<T> fmt::Debug for SharedRecvFuture<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedRecvFuture")
    }
}

/// Gives way to other tasks as [`recv_async`](SharedPort::recv_async) does.
///
/// A receiver that was polled in this way and has found nothing keeps its place in the queue until a poll
/// returns, or it is dropped; receives by its methods have places of their own. It may not look again, so a
/// message that wakes it wakes the next receiver as well.
impl<T> Stream for SharedPort<T> {
    type Item = T;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<T>> {
        let SharedPort { shared, ticket, .. } = &mut *self;
        let would_complete = |_: &mut Option<u64>| shared.is_ready() || shared.is_closed();
        let mut value = None;
        // An error means that there is none.
        let _closed = ready!(budget::receive(ticket, cx, would_complete, |ticket, cx| {
            shared.poll_recv(ticket, cx, WaiterKind::Stream, &mut value)
        }));
        self.is_over = value.is_none();
        Poll::Ready(value)
    }
}

/// It is terminated when it has returned `None` as a stream.
impl<T> FusedStream for SharedPort<T> {
    fn is_terminated(&self) -> bool {
        self.is_over
    }
}
