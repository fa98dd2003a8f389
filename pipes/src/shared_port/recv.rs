//! Receiving from a shared port in a task.

use super::SharedPort;
use super::line::WaitsAs;
use crate::endpoint::{RecvError, budget};
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
            let displaced = port.displace();
            let received = port.poll_recv(cx, WaitsAs::Receive);
            // Waking runs user code; if it panics, the message is dropped.
            drop(displaced);
            received
        };
        budget::receive(&mut *self.0, cx, SharedPort::is_here, poll, Result::is_ok)
    }
}

impl<T> Drop for RecvShared<'_, T> {
    fn drop(&mut self) {
        self.0.leave(WaitsAs::Receive);
    }
}

impl<T> fmt::Debug for RecvShared<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecvShared")
    }
}
