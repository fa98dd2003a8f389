//! Reserving room for several values at once, in a stream with many senders.

use super::permit::{Permit, Room};
use super::permits::{Held, Permits, Request};
use super::shared::SharedChan;
use super::shared_wait::room_of;
use crate::endpoint::{SendError, TrySendError};
use crate::slot::SharedSender;
use crate::wait::{EndList, Ends, PendingWait};
use std::fmt;
use std::future::{Future, poll_fn};
use std::panic::Location;

/// Room for several values in a stream with many senders: an iterator of permits for one value each; see
/// [`SharedChan::reserve_many`]. Dropping it gives the room back for which no permit was taken.
#[must_use = "dropping the permits gives the room back"]
pub struct PermitIter<'a, T> {
    sender: &'a SharedSender<T>,
    /// `None` in an unbounded stream.
    held: Option<Held<'a>>,
    left: usize,
}

impl<T> SharedChan<T> {
    /// Reserves room for `count` values, waiting until there is room for all of them. In an unbounded stream
    /// there always is.
    ///
    /// Blocks the thread; in a task, use [`reserve_many_async`](SharedChan::reserve_many_async) instead.
    ///
    /// Senders get room in the order in which they begin to wait, so those that come later wait until there
    /// was room for all `count` values. Values of other senders may come between those that are sent with the
    /// permits.
    ///
    /// ```
    /// let (chan, mut port) = pipes::shared_sync_stream(2);
    /// let permits = chan.reserve_many(2)?;
    /// assert!(chan.try_send("other").is_err(), "the room is reserved");
    /// for (permit, word) in permits.zip(["hello", "world"]) {
    ///     permit.send(word)?;
    /// }
    /// assert!(port.try_iter().eq(["hello", "world"]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The port was dropped.
    ///
    /// # Panics
    ///
    /// Panics if `count` exceeds the [capacity](SharedChan::capacity), or if the capacity is 0.
    #[track_caller]
    pub fn reserve_many(&self, count: usize) -> Result<PermitIter<'_, T>, SendError<()>> {
        let (sender, permits) = self.room_for(count);
        let caller = Location::caller();
        let held = permits.and_then(|permits| permits.take_many(count, room_of(sender), caller));
        iter(sender, held, count).ok_or(SendError(()))
    }

    /// Reserves room for `count` values if there is room for all of them now. Never blocks.
    ///
    /// ```
    /// use pipes::TrySendError;
    ///
    /// let (chan, _port) = pipes::shared_sync_stream(2);
    /// chan.send(1)?;
    /// assert_eq!(chan.try_reserve_many(2).map(drop), Err(TrySendError::Full(())));
    /// let mut permits = chan.try_reserve_many(1)?;
    /// permits.next().expect("there is one").send(2)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Full` if there is not so much room, or other senders wait for it; `Closed` if the port was dropped.
    ///
    /// # Panics
    ///
    /// Panics if `count` exceeds the [capacity](SharedChan::capacity), or if the capacity is 0.
    #[track_caller]
    pub fn try_reserve_many(&self, count: usize) -> Result<PermitIter<'_, T>, TrySendError<()>> {
        let (sender, permits) = self.room_for(count);
        let held = match permits {
            None => None,
            Some(permits) => match permits.try_take(count) {
                None if !self.is_closed() => return Err(TrySendError::Full(())),
                held => held,
            },
        };
        iter(sender, held, count).ok_or(TrySendError::Closed(()))
    }

    /// Reserves room for `count` values, in a task.
    ///
    /// ```
    /// # futures::executor::block_on(async {
    /// let (chan, mut port) = pipes::shared_sync_stream(2);
    /// for (permit, number) in chan.reserve_many_async(2).await?.zip(1..) {
    ///     permit.send(number)?;
    /// }
    /// assert!(port.try_iter().eq([1, 2]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Cancel safety
    ///
    /// Cancel-safe: a future that is dropped loses its place in the queue, and the room that it was granted
    /// goes to the next sender. A future that was polled and is neither polled again nor dropped keeps both.
    ///
    /// # Errors
    ///
    /// The port was dropped.
    ///
    /// # Panics
    ///
    /// Panics if `count` exceeds the [capacity](SharedChan::capacity), or if the capacity is 0.
    #[track_caller]
    pub fn reserve_many_async(
        &self,
        count: usize,
    ) -> impl Future<Output = Result<PermitIter<'_, T>, SendError<()>>> + use<'_, T> {
        let (sender, permits) = self.room_for(count);
        let mut request = permits.map(|permits| Request::new(permits, count));
        let mut wait = PendingWait::new();
        async move {
            let held = match &mut request {
                None => None,
                Some(request) => {
                    let list = |_: &_, list: &mut EndList| room_of(sender).list(list);
                    Some(poll_fn(|cx| wait.poll(cx, request, list, Request::poll)).await)
                }
            };
            iter(sender, held, count).ok_or(SendError(()))
        }
    }

    /// Returns the sender, and the permits if the stream is bounded and any are wanted.
    #[track_caller]
    fn room_for(&self, count: usize) -> (&SharedSender<T>, Option<&Permits>) {
        let (sender, permits) = self.room();
        if let Some(permits) = permits {
            let capacity = permits.count;
            assert!(count <= capacity, "room for {count} values, where the capacity is {capacity}");
        }
        (sender, permits.filter(|_| count > 0).map(|permits| &**permits))
    }
}

/// Returns the permits, unless the port was dropped.
fn iter<'a, T>(
    sender: &'a SharedSender<T>,
    held: Option<Held<'a>>,
    left: usize,
) -> Option<PermitIter<'a, T>> {
    (!sender.receiver_has_left()).then_some(PermitIter { sender, held, left })
}

impl<'a, T> Iterator for PermitIter<'a, T> {
    type Item = Permit<'a, T>;

    fn next(&mut self) -> Option<Permit<'a, T>> {
        self.left = self.left.checked_sub(1)?;
        let held = self.held.as_mut().and_then(Held::take_one);
        Some(Permit(Room::OfOne(self.sender, held)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<T> ExactSizeIterator for PermitIter<'_, T> {}

impl<T> std::iter::FusedIterator for PermitIter<'_, T> {}

impl<T> fmt::Debug for PermitIter<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_closed = self.sender.receiver_has_left();
        f.debug_struct("PermitIter").field("left", &self.left).field("closed", &is_closed).finish()
    }
}
