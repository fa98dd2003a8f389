//! Iterators over the values that a receiver of a shared port gets.

use super::SharedPort;
use crate::wait::Caller;
use std::iter::FusedIterator;
use std::panic::Location;

/// The values that a receiver gets until the stream has closed; see [`SharedPort::iter`].
#[derive(Debug)]
pub struct SharedIter<'a, T>(&'a SharedPort<T>, Caller);

/// The values that are in a shared port; see [`SharedPort::try_iter`].
#[derive(Debug)]
pub struct SharedTryIter<'a, T>(&'a SharedPort<T>);

/// The values that a receiver gets until the stream has closed. The iterator owns the receiver.
#[derive(Debug)]
pub struct SharedIntoIter<T>(SharedPort<T>, Caller);

impl<T> SharedPort<T> {
    /// Returns an iterator over the values that this receiver gets until the sender is dropped.
    ///
    /// Blocks the thread; in a task, use the port as a stream instead.
    ///
    /// ```
    /// let (mut chan, port) = pipes::stream();
    /// let port = port.into_shared();
    /// (1..=3).try_for_each(|number| chan.send(number))?;
    /// drop(chan);
    /// assert_eq!(port.iter().sum::<i32>(), 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn iter(&self) -> SharedIter<'_, T> {
        SharedIter(self, Location::caller())
    }

    /// Returns an iterator over the values that are here, as far as this receiver gets them. Never blocks,
    /// except for the moment in which another receiver has the lock.
    ///
    /// Values that are sent in the meantime are included, so it does not end if the senders keep up.
    ///
    /// ```
    /// let (mut chan, port) = pipes::stream();
    /// let port = port.into_shared();
    /// chan.send_all(&mut vec![1, 2])?;
    /// assert!(port.try_iter().eq([1, 2]), "what is there");
    /// assert_eq!(port.try_iter().next(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn try_iter(&self) -> SharedTryIter<'_, T> {
        SharedTryIter(self)
    }
}

impl<T> Iterator for SharedIter<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.recv_at(self.1).ok()
    }
}

impl<T> Iterator for SharedTryIter<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.try_recv().ok()
    }
}

impl<T> Iterator for SharedIntoIter<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.recv_at(self.1).ok()
    }
}

impl<T> FusedIterator for SharedIter<'_, T> {}
impl<T> FusedIterator for SharedIntoIter<T> {}

impl<T> IntoIterator for SharedPort<T> {
    type Item = T;
    type IntoIter = SharedIntoIter<T>;

    #[track_caller]
    fn into_iter(self) -> SharedIntoIter<T> {
        SharedIntoIter(self, Location::caller())
    }
}

impl<'a, T> IntoIterator for &'a SharedPort<T> {
    type Item = T;
    type IntoIter = SharedIter<'a, T>;

    #[track_caller]
    fn into_iter(self) -> SharedIter<'a, T> {
        self.iter()
    }
}
