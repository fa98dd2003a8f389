//! Several values in one call, for one of many senders.

use super::permits::Permits;
use super::reserve::SharedSendFuture;
use super::run::{one_by_one, send};
use super::shared::{SharedChan, SharedFlavor};
use super::shared_wait::take_to_send;
use crate::endpoint::{SendError, TrySendError};
use crate::slot::{Outgoing, SharedSender};
use crate::wait::{Caller, PendingWait};
use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

impl<T> SharedChan<T> {
    /// Sends all values of a vector, in order, waiting for room if the stream is bounded.
    ///
    /// Blocks the thread if the stream is bounded; in a task, use
    /// [`send_all_async`](SharedChan::send_all_async) instead.
    ///
    /// Values of other senders may come between them. Afterwards the vector is empty and keeps its memory.
    /// This costs as much as a [`send`](SharedChan::send) of each value.
    ///
    /// ```
    /// let (chan, mut port) = pipes::shared_stream();
    /// chan.send_all(&mut vec![1, 2])?;
    /// assert!(port.try_iter().eq([1, 2]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The port was dropped; the vector contains the values that were not sent. An empty vector is no error.
    #[track_caller]
    pub fn send_all(&self, values: &mut Vec<T>) -> Result<(), SendError<()>> {
        let caller = Location::caller();
        let mut values = Outgoing::of(values);
        let is_sent = match &self.flavor {
            SharedFlavor::Unbounded(sender) => sender.send_all(&mut values),
            SharedFlavor::Bounded(sender, permits) => {
                send_all_bounded(self, (sender, permits), &mut values, caller)
            }
            SharedFlavor::Rendezvous(_) => {
                one_by_one(&mut values, |value| send(self, value, Self::ROOM, caller)).is_ok()
            }
        };
        if is_sent { Ok(()) } else { Err(SendError(())) }
    }

    /// Sends the values of a vector for which there is room now, from the front. Never blocks.
    ///
    /// Values of other senders may come between them.
    ///
    /// ```
    /// use pipes::TrySendError;
    ///
    /// let (chan, _port) = pipes::shared_sync_stream(2);
    /// let mut numbers = vec![1, 2, 3];
    /// assert_eq!(chan.try_send_all(&mut numbers), Err(TrySendError::Full(())));
    /// assert_eq!(numbers, [3], "there was room for two");
    /// ```
    ///
    /// # Errors
    ///
    /// `Full` if there was no room for the rest, or other senders wait for it; `Closed` if the port was
    /// dropped. The vector contains the values that were not sent. An empty vector is no error.
    pub fn try_send_all(&self, values: &mut Vec<T>) -> Result<(), TrySendError<()>> {
        one_by_one(&mut Outgoing::of(values), |value| self.try_send(value))
    }

    /// Sends all values of a vector, in a task, as there is room for them. Values of other senders may come
    /// between them.
    ///
    /// ```
    /// # futures::executor::block_on(async {
    /// let (chan, mut port) = pipes::shared_sync_stream(2);
    /// chan.send_all_async(&mut vec![1, 2]).await?;
    /// assert!(port.try_iter().eq([1, 2]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Cancel safety
    ///
    /// Cancel-safe: dropping the future before it completes sends no more, and the vector then contains the
    /// values that were not sent. With capacity 0, a value that the receiver has already seen counts as sent.
    /// While the future exists, the values belong to it; if it is forgotten, they are leaked.
    ///
    /// # Errors
    ///
    /// The port was dropped; the vector contains the values that were not sent. An empty vector is no error.
    #[track_caller]
    pub fn send_all_async<'a>(&'a self, values: &'a mut Vec<T>) -> SharedSendAllFuture<'a, T> {
        SharedSendAllFuture {
            chan: self,
            values: Outgoing::of(values),
            sending: None,
            wait: PendingWait::new(),
        }
    }
}

/// Sends the values one by one, each when it has a permit. Returns `false` if the receiver has left.
fn send_all_bounded<T>(
    chan: &SharedChan<T>,
    (sender, permits): (&SharedSender<T>, &Permits),
    values: &mut Outgoing<'_, T>,
    caller: Caller,
) -> bool {
    while values.left() > 0 {
        if !take_to_send(permits) {
            chan.wait_to_send(caller);
        }
        let Some(value) = values.take() else { break };
        if let Err(value) = sender.send(value) {
            values.put_back(value);
            return false;
        }
    }
    true
}

/// A send of several values in a task; see [`SharedChan::send_all_async`].
#[must_use = "futures do nothing unless they are awaited"]
pub struct SharedSendAllFuture<'a, T> {
    chan: &'a SharedChan<T>,
    values: Outgoing<'a, T>,
    /// The send of the value that comes next.
    sending: Option<SharedSendFuture<'a, T>>,
    wait: PendingWait,
}

// Values are moved out when they are sent; they are never pinned.
impl<T> Unpin for SharedSendAllFuture<'_, T> {}

impl<T> Future for SharedSendAllFuture<'_, T> {
    /// Polled again after completion, it returns the same.
    type Output = Result<(), SendError<()>>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let SharedSendAllFuture { chan, values, sending, wait } = &mut *self;
        wait.poll(
            cx,
            chan,
            |chan, list| chan.room_end(list),
            |chan, cx| {
                loop {
                    if let Some(send) = sending {
                        let sent = ready!(Pin::new(send).poll(cx));
                        *sending = None;
                        if let Err(error) = sent {
                            values.put_back(error.into_payload());
                            return Poll::Ready(Err(SendError(())));
                        }
                    }
                    let Some(value) = values.take() else { return Poll::Ready(Ok(())) };
                    // To others, the send of all values is the wait.
                    *sending = Some(chan.send_seen_as(value, PendingWait::default()));
                }
            },
        )
    }
}

impl<T> Drop for SharedSendAllFuture<'_, T> {
    fn drop(&mut self) {
        // The future is dropped last: a waker's destructor is its executor's code, and may panic.
        if let Some(value) = self.sending.as_mut().and_then(SharedSendFuture::take_back) {
            self.values.put_back(value);
        }
    }
}

impl<T> fmt::Debug for SharedSendAllFuture<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let left = self.values.left() + usize::from(self.sending.is_some());
        f.debug_struct("SharedSendAllFuture").field("left", &left).finish()
    }
}
