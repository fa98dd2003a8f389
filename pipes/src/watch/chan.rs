//! The sending end.

use super::cell::{WatchCell, WatchRef};
use super::port::WatchPort;
use crate::endpoint::SendError;
use crate::sync::Arc;
use std::fmt;
use std::mem::replace;

/// The sending end of a [`watch()`](crate::watch()). Dropping it closes the channel.
#[doc(alias = "Sender")]
#[must_use = "dropping a WatchChan closes it"]
pub struct WatchChan<T>(Arc<WatchCell<T>>);

impl<T> WatchChan<T> {
    pub(super) fn new(cell: Arc<WatchCell<T>>) -> Self {
        WatchChan(cell)
    }

    /// Puts a value in the place of the latest one, which is dropped. Wakes all receivers that wait.
    ///
    /// Blocks the thread while a receiver borrows the value.
    ///
    /// ```
    /// let (chan, mut port) = pipes::watch(0);
    /// chan.send(1)?;
    /// chan.send(2)?;
    /// port.changed()?;
    /// assert_eq!(*port.borrow(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// There is no receiver; the error contains the value, and the latest one stays. A later send succeeds if
    /// there is a receiver again.
    pub fn send(&self, value: T) -> Result<(), SendError<T>> {
        if self.is_closed() {
            return Err(SendError(value));
        }
        // The earlier value is dropped without the lock.
        drop(self.0.modify(|latest| Some(replace(latest, value))));
        Ok(())
    }

    /// Changes the value in its place, whether there is a receiver or not. Wakes all receivers that wait if
    /// the function returns `true`; otherwise they see what it has changed only when they borrow the value.
    /// Returns what the function returns.
    ///
    /// Blocks the thread while a receiver borrows the value. The function runs with the lock, so it must not
    /// use this channel. If it panics, the value stays as it is then, and no receiver is woken.
    ///
    /// ```
    /// let (chan, port) = pipes::watch(7);
    /// let raise = |to: i32| {
    ///     chan.send_if_modified(|highest| {
    ///         let higher = to > *highest;
    ///         *highest = to.max(*highest);
    ///         higher
    ///     })
    /// };
    /// assert!(!raise(5));
    /// assert!(!port.is_ready());
    /// assert!(raise(9));
    /// assert!(port.is_ready());
    /// assert_eq!(*port.borrow(), 9);
    /// ```
    pub fn send_if_modified(&self, modify: impl FnOnce(&mut T) -> bool) -> bool {
        self.0.modify(|latest| modify(latest).then_some(())).is_some()
    }

    /// Borrows the latest value. As long as the borrow is held, a send blocks, and in this thread it never
    /// returns.
    ///
    /// ```
    /// let (chan, _port) = pipes::watch("latest");
    /// assert_eq!(*chan.borrow(), "latest");
    /// ```
    pub fn borrow(&self) -> WatchRef<'_, T> {
        self.0.borrow()
    }

    /// Returns a new receiver, which has seen the latest value. Blocks the thread while another one changes
    /// the value.
    ///
    /// ```
    /// let (chan, port) = pipes::watch(1);
    /// drop(port);
    /// assert!(chan.send(2).is_err(), "there is no receiver");
    /// let port = chan.subscribe();
    /// assert!(!port.is_ready());
    /// assert!(chan.send(3).is_ok());
    /// assert!(port.is_ready());
    /// ```
    pub fn subscribe(&self) -> WatchPort<T> {
        WatchPort::new(self.0.clone())
    }

    /// Returns `true` if there is no receiver. Both answers may already be stale, because receivers come and
    /// go.
    ///
    /// ```
    /// let (chan, port) = pipes::watch(1);
    /// assert!(!chan.is_closed());
    /// drop(port);
    /// assert!(chan.is_closed());
    /// ```
    pub fn is_closed(&self) -> bool {
        // Each receiver has a count of the cell.
        Arc::strong_count(&self.0) == 1
    }
}

impl<T> Drop for WatchChan<T> {
    fn drop(&mut self) {
        drop(self.0.changes.close());
    }
}

impl<T> fmt::Debug for WatchChan<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WatchChan").field("closed", &self.is_closed()).finish()
    }
}
