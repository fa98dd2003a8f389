//! Receiving from a shared port in a task: one message, or all as a stream.

use super::SharedPort;
use super::line::WaitsAs;
use crate::endpoint::{Later, RecvError, budget};
use futures_core::Stream;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

/// A receive from a shared port, in a task; see [`SharedPort::recv_async`].
#[must_use = "futures do nothing unless they are awaited"]
pub struct RecvShared<'a, T> {
    pub(super) port: &'a mut SharedPort<T>,
    /// A task that waits as a stream, in whose place this receive waits. It is woken when this has received,
    /// and waits again if this is dropped before.
    pub(super) displaced: Option<Waker>,
}

impl<T> Future for RecvShared<'_, T> {
    type Output = Result<T, RecvError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let RecvShared { port, displaced } = &mut *self;
        let poll = |port: &mut &mut SharedPort<T>, cx: &mut Context<'_>| {
            if let Some(waker) = port.displace() {
                // There is none from before: only this receive has used the port since.
                *displaced = Some(waker);
            }
            let received = port.poll_recv(cx, WaitsAs::Receive);
            if received.is_ready() {
                // Waking runs user code; if it panics, the message is dropped.
                drop(Later::of(displaced.take()));
            }
            received
        };
        budget::receive(port, cx, |port| port.is_ready(), poll, Result::is_ok)
    }
}

impl<T> Drop for RecvShared<'_, T> {
    fn drop(&mut self) {
        match self.displaced.take() {
            Some(displaced) => self.port.replace(displaced),
            None => self.port.leave(WaitsAs::Receive),
        }
    }
}

impl<T> fmt::Debug for RecvShared<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecvShared")
    }
}

impl<T> Stream for SharedPort<T> {
    type Item = T;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<T>> {
        let poll =
            |port: &mut Self, cx: &mut Context<'_>| port.poll_recv(cx, WaitsAs::Stream).map(Result::ok);
        budget::receive(&mut *self, cx, |port| port.is_ready(), poll, Option::is_some)
    }
}
