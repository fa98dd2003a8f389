//! A value with two cache lines of its own, because processors fetch cache lines in pairs.

use std::ops::Deref;

/// A value that shares no cache line with others.
#[repr(align(128))]
pub(crate) struct CachePadded<T>(pub(crate) T);

impl<T> Deref for CachePadded<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}
