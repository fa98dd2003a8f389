//! Iterators over the values of a port.

use super::port::Port;
use crate::wait::Caller;
use std::iter::FusedIterator;
use std::panic::Location;

/// The values of a port, or of a listener, until the other end is dropped; see [`Port::iter`].
#[derive(Debug)]
pub struct Iter<'a, T>(pub(super) &'a mut Port<T>, pub(super) Caller);

/// The values that are in a port; see [`Port::try_iter`].
#[derive(Debug)]
pub struct TryIter<'a, T>(pub(super) &'a mut Port<T>);

/// The values of a port, or of a listener, until the other end is dropped. The iterator owns the port.
#[derive(Debug)]
pub struct IntoIter<T>(Port<T>, Caller);

impl<T> Iterator for Iter<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.recv_at(self.1).ok()
    }
}

impl<T> Iterator for TryIter<'_, T> {
    type Item = T;

    // The result has no field beside the value, and is copied as the value is. With the reason of
    // `TryRecvError` in it, the compiler copies it in smaller parts.
    //
    // Without optimisation, what is inlined adds its locals to the frame of each caller.
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next(&mut self) -> Option<T> {
        self.0.0.take_value()
    }
}

impl<T> Iterator for IntoIter<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.recv_at(self.1).ok()
    }
}

impl<T> FusedIterator for Iter<'_, T> {}
impl<T> FusedIterator for IntoIter<T> {}

impl<T> IntoIterator for Port<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;

    #[track_caller]
    fn into_iter(self) -> IntoIter<T> {
        IntoIter(self, Location::caller())
    }
}

impl<'a, T> IntoIterator for &'a mut Port<T> {
    type Item = T;
    type IntoIter = Iter<'a, T>;

    #[track_caller]
    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}
