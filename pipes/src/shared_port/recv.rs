//! Receiving from a shared port in a task: one message, or all as a stream.

use super::SharedPort;
use super::line::WaitsAs;
use crate::endpoint::{Later, RecvError, budget, would_complete};
use futures_core::Stream;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

/// A receive from a shared port, in a task; see [`SharedPort::recv_async`].
#[must_use = "futures do nothing unless they are awaited"]
pub struct RecvShared<'a, T>(pub(super) &'a mut SharedPort<T>);

impl<T> Future for RecvShared<'_, T> {
    type Output = Result<T, RecvError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let poll = |port: &mut SharedPort<T>, cx: &mut Context<'_>| {
            port.displace();
            let received = port.poll_recv(cx, WaitsAs::Receive);
            if received.is_ready() {
                // Waking runs user code; if it panics, the message is dropped.
                drop(Later::of(port.displaced.take()));
            }
            received
        };
        budget::receive(&mut *self.0, cx, would_complete, poll)
    }
}

impl<T> Drop for RecvShared<'_, T> {
    fn drop(&mut self) {
        match self.0.displaced.take() {
            Some(displaced) => self.0.replace(displaced),
            None => self.0.leave(WaitsAs::Receive),
        }
    }
}

impl<T> fmt::Debug for RecvShared<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecvShared")
    }
}

/// Gives way to other tasks as [`recv_async`](SharedPort::recv_async) does.
impl<T> Stream for SharedPort<T> {
    type Item = T;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<T>> {
        let poll = |port: &mut Self, cx: &mut Context<'_>| {
            drop(port.displaced.take());
            port.poll_recv(cx, WaitsAs::Stream).map(Result::ok)
        };
        budget::receive(&mut *self, cx, would_complete, poll)
    }
}
