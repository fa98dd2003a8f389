//! Sending from a task that waits for room.

use super::chan::{Chan, SenderFlavor};
use crate::endpoint::SendError;
use crate::wait::PendingWait;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// Returns the outcome of a send which puts the value back if the receiver has left.
pub(super) fn sent_unless<T>(back: Option<T>) -> Result<(), SendError<T>> {
    match back {
        None => Ok(()),
        Some(value) => Err(SendError(value)),
    }
}

/// A send in a task; see [`Chan::send_async`].
///
/// Dropped before it completes, it sends nothing and drops the value. With capacity 0 a receiver that has
/// already seen the value still takes it.
#[must_use = "futures do nothing unless they are awaited"]
pub struct SendFuture<'a, T> {
    chan: &'a mut Chan<T>,
    /// The value, until it is sent or offered.
    value: Option<T>,
    /// `true` as long as the send has no outcome.
    open: bool,
    wait: PendingWait,
}

impl<'a, T> SendFuture<'a, T> {
    #[track_caller]
    pub(super) fn new(chan: &'a mut Chan<T>, value: T) -> Self {
        SendFuture { chan, value: Some(value), open: true, wait: PendingWait::new() }
    }

    /// Returns the value, unless it was sent.
    ///
    /// ```
    /// let (mut chan, _port) = pipes::sync_stream(1);
    /// chan.send(1)?;
    /// let sending = chan.send_async(2);
    /// assert_eq!(sending.into_inner(), Some(2), "it was not sent");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_inner(mut self) -> Option<T> {
        self.take_back()
    }

    /// Ends the send, and returns the value if it is not sent.
    fn take_back(&mut self) -> Option<T> {
        let open = std::mem::replace(&mut self.open, false);
        match (self.value.take(), &mut self.chan.0) {
            (None, SenderFlavor::Rendezvous(chan)) if open => chan.take_back(),
            (value, _) => value,
        }
    }
}

// The value is moved out when it is sent; it is never pinned.
impl<T> Unpin for SendFuture<'_, T> {}

impl<T> Future for SendFuture<'_, T> {
    /// Polled again after completion, it returns `Ok`.
    type Output = Result<(), SendError<T>>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let SendFuture { chan, value, open, wait } = &mut *self;
        if !*open {
            return Poll::Ready(Ok(()));
        }
        ready!(wait.poll(cx, *chan, Chan::room_end, |chan, cx| {
            match &mut chan.0 {
                SenderFlavor::Unbounded(sender) => {
                    *value = value.take().and_then(|value| sender.send(value).err());
                    Poll::Ready(())
                }
                SenderFlavor::Bounded(sender, _) => sender.poll_send(cx, value),
                SenderFlavor::Rendezvous(chan) => chan.poll_offer(cx, value),
            }
        }));
        *open = false;
        Poll::Ready(sent_unless(value.take()))
    }
}

impl<T> Drop for SendFuture<'_, T> {
    fn drop(&mut self) {
        drop(self.take_back());
    }
}

impl<T> fmt::Debug for SendFuture<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SendFuture").field("done", &!self.open).finish()
    }
}
