//! An address with a tag, in the ordinary variant.
#![allow(clippy::incompatible_msrv, reason = "older compilers take `exposed.rs`; see the build script")]

use super::{AtomicPtr, Ordering};

/// An address with a tag in its low bits, in one atomic word. Each step returns what the word said before.
pub(crate) struct AtomicTagged<T>(AtomicPtr<T>);

impl<T> AtomicTagged<T> {
    pub(crate) fn new(word: *mut T) -> Self {
        AtomicTagged(AtomicPtr::new(word))
    }

    #[inline(always)]
    pub(crate) fn load(&self, ordering: Ordering) -> *mut T {
        self.0.load(ordering)
    }

    /// Adds to the tag.
    #[inline(always)]
    pub(crate) fn add(&self, tag: usize, ordering: Ordering) -> *mut T {
        self.0.fetch_byte_add(tag, ordering)
    }

    /// Sets bits of the tag.
    #[inline(always)]
    pub(crate) fn set(&self, tag: usize, ordering: Ordering) -> *mut T {
        self.0.fetch_or(tag, ordering)
    }

    #[inline(always)]
    pub(crate) fn compare_exchange(
        &self,
        old: *mut T,
        new: *mut T,
        success: Ordering,
        failure: Ordering,
    ) -> Result<*mut T, *mut T> {
        self.0.compare_exchange(old, new, success, failure)
    }

    /// Returns the word, of which the caller is the only owner.
    pub(crate) fn get(&mut self) -> *mut T {
        *self.0.get_mut()
    }
}
