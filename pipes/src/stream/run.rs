//! Sending several values in one call.

use super::chan::{Chan, SenderFlavor};
use super::shared::SharedChan;
use crate::endpoint::{SendError, TrySendError};
use crate::slot::{BoundedSender, Outgoing, Sent};
use crate::wait::{Caller, EndInfo, PendingWait, Waitable};
use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

impl<T> Chan<T> {
    /// Sends all values of a vector, in order, waiting for room if the stream is bounded.
    ///
    /// Blocks the thread if the stream is bounded; in a task, use [`send_all_async`](Chan::send_all_async)
    /// instead.
    ///
    /// Afterwards the vector is empty and keeps its memory. The values are sent in runs: as many in one step
    /// as there is room for in a row, up to the end of a block of the stream. A step costs one swap, like a
    /// single [`send`](Chan::send), and wakes the receiver at most once. With capacity 0, the values are sent
    /// one by one, each when it is taken. For the other side, see [`recv_many`](crate::Port::recv_many).
    ///
    /// If a waker that is woken or dropped here panics, the values that were not sent are in the vector. With
    /// capacity 0, the one that was being sent may be dropped.
    ///
    /// `SinkExt` of the crate `futures` has a method of the same name: for that one, write
    /// `SinkExt::send_all(&mut chan, …)`.
    ///
    /// ```
    /// let (mut chan, mut port) = pipes::stream();
    /// let mut words = vec!["one", "two", "three"];
    /// chan.send_all(&mut words)?;
    /// assert!(words.is_empty());
    /// assert!(port.try_iter().eq(["one", "two", "three"]));
    ///
    /// drop(port);
    /// words.push("four");
    /// assert!(chan.send_all(&mut words).is_err());
    /// assert_eq!(words, ["four"], "what was not sent is still there");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The port was dropped; the vector contains the values that were not sent. An empty vector is no error.
    #[track_caller]
    pub fn send_all(&mut self, values: &mut Vec<T>) -> Result<(), SendError<()>> {
        let caller = Location::caller();
        let mut values = Outgoing::of(values);
        let is_sent = match &mut self.0 {
            SenderFlavor::Unbounded(sender) => sender.send_all(&mut values),
            SenderFlavor::Bounded(sender, _) => matches!(sender.send_all(&mut values, caller), Sent::Done),
            SenderFlavor::Rendezvous(chan) => {
                let end = BoundedSender::<T>::ROOM;
                one_by_one(&mut values, |value| send(chan, value, end, caller)).is_ok()
            }
        };
        if is_sent { Ok(()) } else { Err(SendError(())) }
    }

    /// Sends the values of a vector for which there is room now, from the front. Never blocks.
    ///
    /// With capacity 0 there is room for one value while the receiver waits.
    ///
    /// ```
    /// use pipes::TrySendError;
    ///
    /// let (mut chan, _port) = pipes::sync_stream(2);
    /// let mut numbers = vec![1, 2, 3];
    /// assert_eq!(chan.try_send_all(&mut numbers), Err(TrySendError::Full(())));
    /// assert_eq!(numbers, [3], "there was room for two");
    /// ```
    ///
    /// # Errors
    ///
    /// `Full` if there was no room for the rest, in a bounded stream only; `Closed` if the port was dropped.
    /// The vector contains the values that were not sent. An empty vector is no error.
    pub fn try_send_all(&mut self, values: &mut Vec<T>) -> Result<(), TrySendError<()>> {
        let mut values = Outgoing::of(values);
        match &mut self.0 {
            SenderFlavor::Unbounded(sender) => {
                if sender.send_all(&mut values) {
                    Ok(())
                } else {
                    Err(TrySendError::Closed(()))
                }
            }
            SenderFlavor::Bounded(sender, _) => match sender.try_send_all(&mut values) {
                Sent::Done => Ok(()),
                Sent::Full(()) => Err(TrySendError::Full(())),
                Sent::Gone(()) => Err(TrySendError::Closed(())),
            },
            SenderFlavor::Rendezvous(chan) => one_by_one(&mut values, |value| chan.try_send(value)),
        }
    }

    /// Sends all values of a vector, in a task, as there is room for them.
    ///
    /// ```
    /// # futures::executor::block_on(async {
    /// let (mut chan, mut port) = pipes::sync_stream(2);
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
    pub fn send_all_async<'a>(&'a mut self, values: &'a mut Vec<T>) -> SendAllFuture<'a, T> {
        SendAllFuture { chan: self, values: Outgoing::of(values), meeting: None, wait: PendingWait::new() }
    }
}

/// Sends the values one by one with this function, up to the first that is not sent.
pub(super) fn one_by_one<T>(
    values: &mut Outgoing<'_, T>,
    mut send: impl FnMut(T) -> Result<(), TrySendError<T>>,
) -> Result<(), TrySendError<()>> {
    while let Some(value) = values.take() {
        let (value, error) = match send(value) {
            Ok(()) => continue,
            Err(TrySendError::Full(value)) => (value, TrySendError::Full(())),
            Err(TrySendError::Closed(value)) => (value, TrySendError::Closed(())),
        };
        values.put_back(value);
        return Err(error);
    }
    Ok(())
}

/// Sends a value, waiting for room, for [`one_by_one`].
pub(super) fn send<T>(
    chan: &SharedChan<T>,
    value: T,
    end: &'static EndInfo,
    caller: Caller,
) -> Result<(), TrySendError<T>> {
    chan.offer(value, end, caller).map_err(|error| TrySendError::Closed(error.into_payload()))
}

/// A send of several values in a task; see [`Chan::send_all_async`].
#[must_use = "futures do nothing unless they are awaited"]
pub struct SendAllFuture<'a, T> {
    chan: &'a mut Chan<T>,
    values: Outgoing<'a, T>,
    /// At capacity 0, the value that is being sent. It is moved out when it is offered.
    meeting: Option<Option<T>>,
    wait: PendingWait,
}

// Values are moved out when they are sent; they are never pinned.
impl<T> Unpin for SendAllFuture<'_, T> {}

impl<T> Future for SendAllFuture<'_, T> {
    /// Polled again after completion, it returns the same.
    type Output = Result<(), SendError<()>>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let SendAllFuture { chan, values, meeting, wait } = &mut *self;
        let is_sent = ready!(wait.poll(cx, *chan, Chan::room_end, |chan, cx| match &mut chan.0 {
            SenderFlavor::Unbounded(sender) => Poll::Ready(sender.send_all(values)),
            SenderFlavor::Bounded(sender, _) => poll_bounded(sender, values, cx),
            SenderFlavor::Rendezvous(chan) => poll_offers(chan, values, meeting, cx),
        }));
        Poll::Ready(if is_sent { Ok(()) } else { Err(SendError(())) })
    }
}

/// Sends the values when there is room. Ready with `false` if the receiver has left.
fn poll_bounded<T>(
    sender: &mut BoundedSender<T>,
    values: &mut Outgoing<'_, T>,
    cx: &mut Context<'_>,
) -> Poll<bool> {
    loop {
        match sender.try_send_all(values) {
            Sent::Done => return Poll::Ready(true),
            Sent::Gone(()) => return Poll::Ready(false),
            Sent::Full(()) => ready!(sender.waiting().poll(cx)),
        }
    }
}

/// Offers the values one after the other. Ready with `false` if the receiver has left.
fn poll_offers<T>(
    chan: &mut SharedChan<T>,
    values: &mut Outgoing<'_, T>,
    meeting: &mut Option<Option<T>>,
    cx: &mut Context<'_>,
) -> Poll<bool> {
    loop {
        if let Some(value) = meeting {
            ready!(chan.poll_offer(cx, value));
            if let Some(value) = meeting.take().flatten() {
                values.put_back(value);
                return Poll::Ready(false);
            }
        }
        match values.take() {
            None => return Poll::Ready(true),
            value => *meeting = Some(value),
        }
    }
}

impl<T> Drop for SendAllFuture<'_, T> {
    fn drop(&mut self) {
        let value = match (self.meeting.take(), &mut self.chan.0) {
            (Some(None), SenderFlavor::Rendezvous(chan)) => chan.take_back(),
            (value, _) => value.flatten(),
        };
        if let Some(value) = value {
            self.values.put_back(value);
        }
    }
}

impl<T> fmt::Debug for SendAllFuture<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let left = self.values.left() + usize::from(self.meeting.is_some());
        f.debug_struct("SendAllFuture").field("left", &left).finish()
    }
}
