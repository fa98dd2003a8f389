//! Memory whose accesses the model checker checks.

use super::model::{AtomicPtr, AtomicU32, AtomicUsize};
use loom::cell::UnsafeCell;
use std::alloc::Layout;
use std::ptr::NonNull;

/// A tracker beside a piece of memory. Two accesses that are not ordered make the model fail.
pub(crate) struct Access(UnsafeCell<()>);

impl Access {
    /// Creates a tracker for memory that no thread has touched yet.
    pub(crate) fn new() -> Self {
        Access(UnsafeCell::new(()))
    }

    /// Records that the caller reads the memory that is tracked.
    pub(crate) fn shared(&self) {
        self.0.with(|_| ());
    }

    /// Records that the caller writes or frees the memory that is tracked.
    pub(crate) fn exclusive(&self) {
        self.0.with_mut(|_| ());
    }
}

/// Announces that the memory of an atomic is about to be freed. The accesses of all other threads must have
/// happened before.
pub(crate) fn before_free(atomic: &mut impl BeforeFree) {
    atomic.before_free();
}

/// An atomic of the model.
pub(crate) trait BeforeFree {
    /// See [`before_free`].
    fn before_free(&mut self);
}

impl<T> BeforeFree for AtomicPtr<T> {
    fn before_free(&mut self) {
        self.with_mut(|_| ());
    }
}

impl BeforeFree for AtomicUsize {
    fn before_free(&mut self) {
        self.with_mut(|_| ());
    }
}

impl BeforeFree for AtomicU32 {
    fn before_free(&mut self) {
        self.with_mut(|_| ());
    }
}

/// Allocates memory, which the model reports if it is never released.
///
/// # Safety
///
/// The layout's size must not be zero.
pub(crate) unsafe fn allocate(layout: Layout) -> NonNull<u8> {
    // SAFETY: the layout's size is not zero (caller).
    NonNull::new(unsafe { loom::alloc::alloc(layout) }).expect("the model has memory")
}

/// Gives memory back.
///
/// # Safety
///
/// The memory must have come from [`allocate`] with this layout, and must not be used again.
pub(crate) unsafe fn release(memory: NonNull<u8>, layout: Layout) {
    // SAFETY: the memory came from `alloc` with this layout, and is not used again (caller).
    unsafe { loom::alloc::dealloc(memory.as_ptr(), layout) }
}

/// Returns the number, of which the caller is the only owner. The accesses of all other threads must have
/// happened before.
pub(crate) fn owned(atomic: &mut AtomicUsize) -> usize {
    atomic.with_mut(|number| *number)
}
