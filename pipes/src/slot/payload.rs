//! Room for one payload, in slots that know its type.

use crate::sync::Access;
use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::ptr::NonNull;

/// Room for one payload. The states of the slot say which side may touch it, and when.
pub(super) struct PayloadCell<T> {
    payload: UnsafeCell<MaybeUninit<T>>,
    access: Access,
}

impl<T> PayloadCell<T> {
    /// Creates an empty cell.
    pub(super) fn new() -> Self {
        PayloadCell { payload: UnsafeCell::new(MaybeUninit::uninit()), access: Access::new() }
    }

    /// Moves a payload in.
    ///
    /// # Safety
    ///
    /// The slot's state must give the payload to the caller, and the cell must be empty.
    #[inline(always)]
    pub(super) unsafe fn write(&self, payload: T) {
        self.access.exclusive();
        // SAFETY: the slot's state gives the payload to the caller, so no other thread touches it now
        // (caller).
        unsafe { self.payload.get().cast::<T>().write(payload) };
    }

    /// Copies a payload in.
    ///
    /// # Safety
    ///
    /// As for [`write`](Self::write), and a `T` must lie at `from`. Only one of the two may be used after
    /// this.
    #[inline(always)]
    pub(super) unsafe fn copy_in(&self, from: NonNull<T>) {
        self.access.exclusive();
        let to = self.payload.get().cast::<T>();
        // SAFETY: a `T` lies at `from`, which the caller may copy, and no other thread touches the cell now
        // (caller).
        unsafe { from.as_ptr().copy_to_nonoverlapping(to, 1) };
    }

    /// Moves the payload out.
    ///
    /// # Safety
    ///
    /// The slot's state must give the payload to the caller, and one must have been written since the last
    /// read.
    #[inline(always)]
    pub(super) unsafe fn read(&self) -> T {
        self.access.exclusive();
        // SAFETY: the slot's state gives the payload to the caller, so no other thread touches it now, and
        // one was written since the last read (caller).
        unsafe { self.payload.get().cast::<T>().read() }
    }

    /// Returns the payload, which stays.
    ///
    /// # Safety
    ///
    /// A payload must have been written since the last read. As long as the reference is used, the slot's
    /// state must let the caller look at it, and must not let any thread move it out.
    #[inline(always)]
    pub(super) unsafe fn get(&self) -> &T {
        self.access.shared();
        // SAFETY: a payload is there, and no thread moves it out as long as the reference is used (caller).
        unsafe { &*self.payload.get().cast::<T>() }
    }

    /// Announces that the memory is about to be freed, so that models check that no other thread uses it.
    #[inline(always)]
    pub(super) fn before_free(&self) {
        self.access.exclusive();
    }
}
