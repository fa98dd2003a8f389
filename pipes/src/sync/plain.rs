//! Memory whose accesses nothing checks: the ordinary variant's, and that of the model that draws lots.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::ptr::NonNull;

/// A mark beside a piece of memory that says who touches it; here it says nothing and takes no room.
pub(crate) struct Access;

impl Access {
    /// A mark for memory that nobody has touched yet.
    pub(crate) const fn new() -> Self {
        Access
    }

    /// The caller reads what this mark stands for.
    #[inline(always)]
    pub(crate) fn shared(&self) {}

    /// The caller writes what this mark stands for, or takes it away.
    #[inline(always)]
    pub(crate) fn exclusive(&self) {}
}

/// The memory of an atomic is about to be freed.
#[inline(always)]
pub(crate) fn retire<A>(_: &mut A) {}

/// Fresh memory, or the process ends as it does for a `Box` that cannot be had.
///
/// # Safety
///
/// The layout's size is not zero.
#[inline]
pub(crate) unsafe fn allocate(layout: Layout) -> NonNull<u8> {
    // SAFETY: the caller promises a size above zero.
    let memory = unsafe { alloc(layout) };
    NonNull::new(memory).unwrap_or_else(|| handle_alloc_error(layout))
}

/// Gives memory back.
///
/// # Safety
///
/// The memory came from [`allocate`] with this layout, and nobody touches it any more.
#[inline]
pub(crate) unsafe fn release(memory: NonNull<u8>, layout: Layout) {
    // SAFETY: the caller's promise is word for word that of `dealloc`.
    unsafe { dealloc(memory.as_ptr(), layout) }
}

/// The number, of which the caller is the only owner.
#[cfg(any(pipes_shuttle, pipes_exposed))]
pub(crate) fn owned(atomic: &mut super::AtomicUsize) -> usize {
    *atomic.get_mut()
}
