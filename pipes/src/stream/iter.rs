//! Iterators over the values of a port.

use super::port::Port;
use std::iter::FusedIterator;

/// The values of a port until its chan is dropped; see [`Port::iter`]; also those of a listener.
#[derive(Debug)]
pub struct Iter<'a, T>(pub(super) &'a mut Port<T>);

/// The values of a port that are there; see [`Port::try_iter`].
#[derive(Debug)]
pub struct TryIter<'a, T>(pub(super) &'a mut Port<T>);

/// The values of a port, or of a listener, which it owns, until the chan is dropped.
#[derive(Debug)]
pub struct IntoIter<T>(Port<T>);

impl<T> Iterator for Iter<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.recv().ok()
    }
}

impl<T> Iterator for TryIter<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        // The end is not taken, because the port, as a stream, has not returned it yet.
        if self.0.is_ready() { self.0.try_recv().ok() } else { None }
    }
}

impl<T> Iterator for IntoIter<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.recv().ok()
    }
}

impl<T> FusedIterator for Iter<'_, T> {}
impl<T> FusedIterator for IntoIter<T> {}

impl<T> IntoIterator for Port<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;

    fn into_iter(self) -> IntoIter<T> {
        IntoIter(self)
    }
}

impl<'a, T> IntoIterator for &'a mut Port<T> {
    type Item = T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}
