//! The receiving end.

use super::cell::{WatchCell, WatchRef};
use crate::endpoint::{
    Closed, Member, Readiness, Receive, RecvError, RecvFuture, RecvTimeoutError, Sealed, TryRecvError,
    turn_of_port,
};
use crate::slot::{Token, register_token, unregister_token};
use crate::sync::Arc;
use crate::wait::{Count, EndInfo, EndList, Entry, Look, Waitable, Waiting};
use std::fmt;
use std::panic::Location;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

/// One of the receiving ends of a [`watch()`](crate::watch()).
///
/// In a [`PortSet`](crate::PortSet), in `select!` and for code that is generic over receivers, what it
/// receives is `()`: the value has changed. A clone has seen what this one has seen.
#[doc(alias = "Receiver")]
#[must_use = "a WatchPort does nothing unless it is looked at"]
pub struct WatchPort<T> {
    cell: Arc<WatchCell<T>>,
    /// The number of changes that it has seen.
    seen: Count,
    /// Its entry among those that wait for a change, if it has one.
    entry: Option<Entry>,
}

impl<T> WatchPort<T> {
    const END: &'static EndInfo = &EndInfo::receiver::<T>("WatchPort");

    /// Creates a receiver that has seen the latest value.
    pub(super) fn new(cell: Arc<WatchCell<T>>) -> Self {
        let (_, seen) = cell.borrow_and_count();
        WatchPort { cell, seen, entry: None }
    }

    fn look(&self) -> Look {
        self.cell.changes.look(self.seen)
    }

    fn waiting(&mut self) -> Waiting<'_> {
        self.cell.changes.waiting(self.seen, &mut self.entry, 1)
    }

    /// Waits until the value has changed since this receiver has seen it, and marks it as seen.
    ///
    /// Blocks the thread; in a task, use [`changed_async`](WatchPort::changed_async) instead.
    ///
    /// ```
    /// let (chan, mut port) = pipes::watch(1);
    /// std::thread::spawn(move || chan.send(2));
    /// assert_eq!(port.changed(), Ok(()));
    /// assert_eq!(*port.borrow(), 2);
    /// assert!(port.changed().is_err(), "the chan was dropped, and its last value was seen");
    /// ```
    ///
    /// # Errors
    ///
    /// The chan was dropped, and this receiver has seen the last value.
    #[track_caller]
    pub fn changed(&mut self) -> Result<(), RecvError> {
        Receive::recv(self)
    }

    /// The receive of `select!`, which works without an import of [`Receive`], and through a reference.
    #[doc(hidden)]
    pub fn recv(&mut self) -> Result<(), RecvError> {
        self.changed()
    }

    #[doc(hidden)]
    #[track_caller]
    pub fn __recv(&mut self) -> Result<(), RecvError> {
        Receive::__recv(self)
    }

    /// Waits until the value has changed, for at most `timeout`, and marks it as seen.
    ///
    /// Blocks the thread; in a task, use [`changed_async`](WatchPort::changed_async) under a timeout instead.
    ///
    /// ```
    /// use pipes::RecvTimeoutError;
    /// use std::time::Duration;
    ///
    /// let (_chan, mut port) = pipes::watch(1);
    /// let late = port.changed_timeout(Duration::from_millis(1));
    /// assert_eq!(late, Err(RecvTimeoutError::Timeout(())));
    /// ```
    ///
    /// # Errors
    ///
    /// `Timeout` if it has not changed in time; `Closed` if the chan was dropped, and this receiver has seen
    /// the last value.
    #[track_caller]
    pub fn changed_timeout(&mut self, timeout: Duration) -> Result<(), RecvTimeoutError> {
        Receive::recv_timeout(self, timeout).map_err(|error| error.map(drop))
    }

    /// Waits, in a task, until the value has changed, and marks it as seen.
    ///
    /// From time to time the future gives way to other tasks, although the value has changed; see
    /// [`Receive`](crate::Receive#blocking-async-or-both).
    ///
    /// ```
    /// # futures::executor::block_on(async {
    /// let (chan, mut port) = pipes::watch(1);
    /// std::thread::spawn(move || chan.send(2));
    /// assert_eq!(port.changed_async().await, Ok(()));
    /// assert_eq!(*port.borrow(), 2);
    /// # });
    /// ```
    ///
    /// # Cancel safety
    ///
    /// Cancel-safe: a change that it has not reported is still a change.
    ///
    /// # Errors
    ///
    /// The chan was dropped, and this receiver has seen the last value.
    #[track_caller]
    pub fn changed_async(&mut self) -> RecvFuture<&mut Self> {
        Receive::recv_async(self)
    }

    /// Borrows the latest value. Does not mark it as seen.
    ///
    /// Blocks the thread while the sender changes the value, or waits to do so. As long as the borrow is
    /// held, the sender is blocked. So a thread that holds a borrow must not borrow the value again: if the
    /// sender waits in between, neither goes on.
    ///
    /// ```
    /// let (chan, mut port) = pipes::watch(1);
    /// chan.send(2)?;
    /// assert_eq!(*port.borrow(), 2);
    /// assert!(port.changed().is_ok(), "it was not marked as seen");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn borrow(&self) -> WatchRef<'_, T> {
        self.cell.borrow()
    }

    /// Borrows the latest value, and marks it as seen. Blocks as [`borrow`](WatchPort::borrow) does.
    ///
    /// ```
    /// let (chan, mut port) = pipes::watch(1);
    /// chan.send(2)?;
    /// assert_eq!(*port.borrow_and_update(), 2);
    /// assert!(!port.is_ready());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn borrow_and_update(&mut self) -> WatchRef<'_, T> {
        let (value, count) = self.cell.borrow_and_count();
        self.seen = count;
        value
    }

    /// Returns `true` if the value has changed since this receiver has seen it. `true` stays true until it is
    /// marked as seen; `false` may already be stale.
    ///
    /// ```
    /// let (chan, port) = pipes::watch(1);
    /// assert!(!port.is_ready(), "the initial value counts as seen");
    /// chan.send(1)?;
    /// assert!(port.is_ready(), "it was sent, though it is the same");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "has_changed")]
    pub fn is_ready(&self) -> bool {
        self.look() == Look::Event
    }

    /// Returns `true` if the chan was dropped and this receiver has seen the last value. `true` stays true;
    /// `false` may already be stale.
    ///
    /// ```
    /// let (chan, port) = pipes::watch(1);
    /// drop(chan);
    /// assert!(port.is_closed());
    /// ```
    pub fn is_closed(&self) -> bool {
        self.look() == Look::Closed
    }
}

impl<T> Receive for &mut WatchPort<T> {
    type Message = ();

    fn try_recv(self) -> Result<(), TryRecvError<Self>> {
        match self.cell.changes.look_and_count(self.seen) {
            (Look::Nothing, _) => Err(TryRecvError::Empty(self)),
            (Look::Closed, _) => Err(TryRecvError::Closed),
            (Look::Event, count) => {
                self.seen = count;
                Ok(())
            }
        }
    }
}

impl<T> Readiness for WatchPort<T> {
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.waiting().poll(cx)
    }

    fn wait(&mut self, deadline: Option<Instant>) -> bool {
        self.waiting().block(deadline, Self::END, Location::caller())
    }

    fn is_ready(&self) -> bool {
        WatchPort::is_ready(self)
    }

    fn is_closed(&self) -> bool {
        WatchPort::is_closed(self)
    }

    fn would_block(&self) -> bool {
        self.look() == Look::Nothing
    }

    fn ends(&self, list: &mut EndList) {
        list.add(Self::END, self.cell.changes.channel());
    }
}

impl<T> Sealed for WatchPort<T> {}

impl<T> Member for WatchPort<T> {
    type Message = ();

    fn turn(place: &mut Option<Self>) -> Option<Result<(), Closed>> {
        turn_of_port(place, |port| Receive::try_recv(port).map_err(|error| error.map(drop)))
    }

    fn register_token(&mut self, token: Token) -> Result<(), Token> {
        register_token(&mut self.waiting(), token)
    }

    fn unregister_token(&mut self) -> Option<Token> {
        unregister_token(&mut self.waiting())
    }
}

impl<T> Clone for WatchPort<T> {
    fn clone(&self) -> Self {
        WatchPort { cell: self.cell.clone(), seen: self.seen, entry: None }
    }
}

impl<T> Drop for WatchPort<T> {
    fn drop(&mut self) {
        drop(self.waiting().take_back());
    }
}

impl<T> fmt::Debug for WatchPort<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let look = self.look();
        f.debug_struct("WatchPort")
            .field("changed", &(look == Look::Event))
            .field("closed", &(look == Look::Closed))
            .finish()
    }
}
