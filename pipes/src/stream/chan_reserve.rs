//! Reserving room in a stream with one sender before there is a value.

use super::arm::ChanRequest;
use super::chan::Chan;
use super::permit::{Permit, Room};
use crate::endpoint::{Readiness, SendError, SendTimeoutError, TrySendError};
use std::future::Future;
use std::time::{Duration, Instant};

impl<T> Chan<T> {
    /// Waits until there is room for one value. In an unbounded stream there always is.
    ///
    /// Blocks the thread; in a task, use [`reserve_async`](Chan::reserve_async) instead.
    ///
    /// With a [`Permit`] a send does not wait. So the value can be made, or taken from elsewhere, when it is
    /// known that it can be sent. The room stays if the permit is dropped, because this chan is the only
    /// sender.
    ///
    /// ```
    /// let (mut chan, mut port) = pipes::sync_stream(1);
    /// chan.reserve()?.send(1)?;
    /// assert_eq!(port.recv(), Ok(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The port was dropped.
    ///
    /// # Panics
    ///
    /// Panics if the capacity is 0.
    #[track_caller]
    pub fn reserve(&mut self) -> Result<Permit<'_, T>, SendError<()>> {
        let mut request = self.room();
        request.wait(None);
        request.permit().ok_or(SendError(()))
    }

    /// Returns a permit if there is room for one value now. Never blocks.
    ///
    /// ```
    /// use pipes::TrySendError;
    ///
    /// let (mut chan, _port) = pipes::sync_stream(1);
    /// chan.try_reserve()?.send(1)?;
    /// assert_eq!(chan.try_reserve().map(drop), Err(TrySendError::Full(())));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Full` if there is no room; `Closed` if the port was dropped.
    ///
    /// # Panics
    ///
    /// Panics if the capacity is 0.
    #[track_caller]
    pub fn try_reserve(&mut self) -> Result<Permit<'_, T>, TrySendError<()>> {
        let request = self.room();
        if request.would_block() {
            return Err(TrySendError::Full(()));
        }
        request.permit().ok_or(TrySendError::Closed(()))
    }

    /// Waits until there is room for one value, for at most `timeout`.
    ///
    /// Blocks the thread; in a task, use [`reserve_async`](Chan::reserve_async) under a timeout instead.
    ///
    /// A timeout too long for the clock waits forever.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let (mut chan, _port) = pipes::sync_stream(1);
    /// chan.send(1)?;
    /// assert!(chan.reserve_timeout(Duration::from_millis(1)).is_err(), "there is no room");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Timeout` if there was no room in time; `Closed` if the port was dropped.
    ///
    /// # Panics
    ///
    /// Panics if the capacity is 0.
    #[track_caller]
    pub fn reserve_timeout(&mut self, timeout: Duration) -> Result<Permit<'_, T>, SendTimeoutError<()>> {
        self.reserve_until(Instant::now().checked_add(timeout))
    }

    /// Waits until there is room for one value, until the deadline at the latest.
    ///
    /// Blocks the thread; in a task, use [`reserve_async`](Chan::reserve_async) under a timeout instead.
    ///
    /// ```
    /// use std::time::{Duration, Instant};
    ///
    /// let (mut chan, _port) = pipes::sync_stream(1);
    /// let deadline = Instant::now() + Duration::from_millis(1);
    /// chan.reserve_deadline(deadline)?.send(1)?;
    /// assert!(chan.reserve_deadline(deadline).is_err(), "there is no room");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`reserve_timeout`](Chan::reserve_timeout).
    ///
    /// # Panics
    ///
    /// Panics if the capacity is 0.
    #[track_caller]
    pub fn reserve_deadline(&mut self, deadline: Instant) -> Result<Permit<'_, T>, SendTimeoutError<()>> {
        self.reserve_until(Some(deadline))
    }

    #[track_caller]
    fn reserve_until(&mut self, deadline: Option<Instant>) -> Result<Permit<'_, T>, SendTimeoutError<()>> {
        let mut request = self.room();
        if !request.wait(deadline) {
            return Err(SendTimeoutError::Timeout(()));
        }
        request.permit().ok_or(SendTimeoutError::Closed(()))
    }

    /// Waits, in a task, until there is room for one value.
    ///
    /// ```
    /// # futures::executor::block_on(async {
    /// let (mut chan, mut port) = pipes::sync_stream(1);
    /// chan.reserve_async().await?.send("hello")?;
    /// assert_eq!(port.recv_async().await, Ok("hello"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Cancel safety
    ///
    /// Cancel-safe: the future borrows the chan and changes nothing.
    ///
    /// # Errors
    ///
    /// The port was dropped.
    ///
    /// # Panics
    ///
    /// Panics if the capacity is 0.
    #[track_caller]
    pub fn reserve_async(&mut self) -> impl Future<Output = Result<Permit<'_, T>, SendError<()>>> {
        let mut request = self.room();
        async {
            request.ready().await;
            request.permit().ok_or(SendError(()))
        }
    }

    #[track_caller]
    fn room(&mut self) -> ChanRequest<'_, T> {
        assert!(!self.is_rendezvous(), "a stream of capacity 0 never has room to wait for");
        ChanRequest(self)
    }
}

impl<'a, T> ChanRequest<'a, T> {
    /// Returns the permit for room that is there, unless the port was dropped.
    fn permit(self) -> Option<Permit<'a, T>> {
        (!self.is_closed()).then(|| Permit(Room::OfAll(self.0)))
    }
}
