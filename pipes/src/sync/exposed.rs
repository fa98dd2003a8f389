//! An address with a tag, where an atomic pointer cannot be added to: in the model checkers, and with
//! compilers before 1.91. In this variant, it is a number with exposed provenance.

use super::{AtomicUsize, Ordering, owned};
use std::cell::Cell;
use std::marker::PhantomData;
use std::ptr::with_exposed_provenance_mut;

/// An address with a tag in its low bits, in one atomic word. Each step returns what the word said before.
pub(crate) struct AtomicTagged<T>(AtomicUsize, PhantomData<Cell<*mut T>>);

impl<T> AtomicTagged<T> {
    pub(crate) fn new(word: *mut T) -> Self {
        AtomicTagged(AtomicUsize::new(word.expose_provenance()), PhantomData)
    }

    #[inline(always)]
    pub(crate) fn load(&self, ordering: Ordering) -> *mut T {
        with_exposed_provenance_mut(self.0.load(ordering))
    }

    /// Adds to the tag.
    #[inline(always)]
    pub(crate) fn add(&self, tag: usize, ordering: Ordering) -> *mut T {
        with_exposed_provenance_mut(self.0.fetch_add(tag, ordering))
    }

    /// Sets bits of the tag.
    #[inline(always)]
    pub(crate) fn set(&self, tag: usize, ordering: Ordering) -> *mut T {
        with_exposed_provenance_mut(self.0.fetch_or(tag, ordering))
    }

    #[inline(always)]
    pub(crate) fn compare_exchange(
        &self,
        old: *mut T,
        new: *mut T,
        success: Ordering,
        failure: Ordering,
    ) -> Result<*mut T, *mut T> {
        self.0
            .compare_exchange(old.addr(), new.expose_provenance(), success, failure)
            .map(with_exposed_provenance_mut)
            .map_err(with_exposed_provenance_mut)
    }

    /// Returns the word, of which the caller is the only owner. All other accesses must have happened before.
    pub(crate) fn get(&mut self) -> *mut T {
        with_exposed_provenance_mut(owned(&mut self.0))
    }
}
