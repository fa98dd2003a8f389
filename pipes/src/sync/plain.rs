//! Memory without checked accesses, for the ordinary variant and for the checker that chooses the order of
//! threads at random.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::ptr::NonNull;

/// A tracker beside a piece of memory, which records its accesses in models. In this variant, it does nothing
/// and has size zero.
pub(crate) struct Access;

impl Access {
    /// Creates a tracker for memory that no thread has touched yet.
    pub(crate) const fn new() -> Self {
        Access
    }

    /// Records that the caller reads the memory that is tracked.
    #[inline(always)]
    pub(crate) fn shared(&self) {}

    /// Records that the caller writes or frees the memory that is tracked.
    #[inline(always)]
    pub(crate) fn exclusive(&self) {}
}

/// Announces that the memory of an atomic is about to be freed.
#[inline(always)]
pub(crate) fn before_free<A>(_: &mut A) {}

/// Allocates memory. If there is no memory, the process is aborted, as it is for a `Box`.
///
/// # Safety
///
/// The layout's size must not be zero.
#[inline]
pub(crate) unsafe fn allocate(layout: Layout) -> NonNull<u8> {
    // SAFETY: the layout's size is not zero (caller).
    let memory = unsafe { alloc(layout) };
    NonNull::new(memory).unwrap_or_else(|| handle_alloc_error(layout))
}

/// Gives memory back.
///
/// # Safety
///
/// The memory must have come from [`allocate`] with this layout, and must not be used again.
#[inline]
pub(crate) unsafe fn release(memory: NonNull<u8>, layout: Layout) {
    // SAFETY: the memory came from `alloc` with this layout, and is not used again (caller).
    unsafe { dealloc(memory.as_ptr(), layout) }
}

/// Returns the number, of which the caller is the only owner.
#[cfg(any(pipes_shuttle, pipes_exposed))]
pub(crate) fn owned(atomic: &mut super::AtomicUsize) -> usize {
    *atomic.get_mut()
}
