//! Receiving from a shared port in a task: one message, or all as a stream.

use super::SharedPort;
use super::wait_queue::WaiterKind;
use crate::endpoint::RecvError;
use crate::wait::budget;
use futures_core::Stream;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// A receive from a shared port, in a task; see [`SharedPort::recv_async`].
#[must_use = "futures do nothing unless they are awaited"]
pub struct RecvShared<'a, T> {
    pub(super) port: &'a mut SharedPort<T>,
    /// It was polled, so it may wait in the queue.
    pub(super) is_begun: bool,
}

/// Receives, unless the task is to give way.
fn poll<T>(
    port: &mut SharedPort<T>,
    cx: &mut Context<'_>,
    kind: WaiterKind,
    value: &mut Option<T>,
) -> Poll<Result<(), RecvError>> {
    let would_complete = |port: &mut SharedPort<T>| port.is_ready() || port.is_closed();
    budget::receive(port, cx, would_complete, |port, cx| port.poll_recv(cx, kind, value))
}

impl<T> Future for RecvShared<'_, T> {
    type Output = Result<T, RecvError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut value = None;
        self.is_begun = true;
        ready!(poll(self.port, cx, WaiterKind::Receive, &mut value))?;
        Poll::Ready(value.ok_or(RecvError))
    }
}

impl<T> Drop for RecvShared<'_, T> {
    fn drop(&mut self) {
        if self.is_begun {
            self.port.leave();
        }
    }
}

impl<T> fmt::Debug for RecvShared<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecvShared")
    }
}

/// Gives way to other tasks as [`recv_async`](SharedPort::recv_async) does.
///
/// A receiver that was polled in this way and has found nothing keeps its place in the queue until a poll
/// returns a value, it waits in another way, or it is dropped. It may not look again, so a message that wakes
/// it wakes the next receiver as well.
impl<T> Stream for SharedPort<T> {
    type Item = T;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<T>> {
        let mut value = None;
        // An error means that there is none.
        let _closed = ready!(poll(&mut *self, cx, WaiterKind::Stream, &mut value));
        Poll::Ready(value)
    }
}
