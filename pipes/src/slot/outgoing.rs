//! Values that are sent in runs: they are moved out of a vector from its front.

use std::ptr::NonNull;

/// The values of a vector that are still to be sent, in order.
///
/// While this exists, the vector has the length 0, and each value belongs to this object or was sent. When
/// this is dropped, even by a panic, the values that were not sent belong to the vector again.
pub(crate) struct Outgoing<'a, T> {
    values: &'a mut Vec<T>,
    /// The index of the next value. Those before it were sent.
    sent: usize,
    /// The index behind the last value.
    end: usize,
}

impl<'a, T> Outgoing<'a, T> {
    /// Takes over all values of the vector.
    pub(crate) fn of(values: &'a mut Vec<T>) -> Self {
        let end = values.len();
        // SAFETY: a vector may be shortened to 0. Its values are now those of this object.
        unsafe { values.set_len(0) };
        Outgoing { values, sent: 0, end }
    }

    /// Returns the number of values that are left.
    #[inline(always)]
    pub(crate) fn left(&self) -> usize {
        self.end - self.sent
    }

    /// Takes the next value out.
    #[inline(always)]
    pub(crate) fn take(&mut self) -> Option<T> {
        if self.left() == 0 {
            return None;
        }
        // SAFETY: a value is left.
        let next = unsafe { self.get(0) };
        self.sent += 1;
        // SAFETY: a `T` lies there, which was this object's and no longer is.
        Some(unsafe { next.read() })
    }

    /// Puts a value back that was taken, so that it is the next one again.
    ///
    /// # Panics
    ///
    /// Panics if no value was taken.
    pub(crate) fn put_back(&mut self, value: T) {
        assert!(self.sent > 0, "a value was taken");
        self.sent -= 1;
        // SAFETY: the value that was taken last lay there, in the vector's allocation.
        let place = unsafe { self.values.as_mut_ptr().add(self.sent) };
        // SAFETY: the place lies in the vector's allocation, and is free.
        unsafe { place.write(value) };
    }

    /// Returns the address of the value that is `index` places behind the next one. It may be copied from
    /// there; it remains this object's until [`sent`](Self::sent) says that the copy was sent.
    ///
    /// # Safety
    ///
    /// `index` must be less than [`left`](Self::left).
    #[inline(always)]
    pub(super) unsafe fn get(&self, index: usize) -> NonNull<T> {
        let first = self.values.as_ptr().cast_mut();
        // SAFETY: this value lies in the vector's allocation, because `sent + index` is less than the length
        // that the vector had (caller).
        let value = unsafe { first.add(self.sent + index) };
        // SAFETY: a vector's pointer is not null.
        unsafe { NonNull::new_unchecked(value) }
    }

    /// Notes that copies of the next `count` values were sent.
    ///
    /// # Safety
    ///
    /// At least `count` values must be left, and one copy of each of them must be in use.
    #[inline(always)]
    pub(super) unsafe fn sent(&mut self, count: usize) {
        debug_assert!(count <= self.left());
        self.sent += count;
    }
}

impl<T> Drop for Outgoing<'_, T> {
    #[inline]
    fn drop(&mut self) {
        let left = self.left();
        if left > 0 {
            let values = self.values.as_mut_ptr();
            // SAFETY: a value is left, so `sent` is less than the length that the vector had.
            let next = unsafe { values.add(self.sent) };
            // SAFETY: this number of values lies there, which were not sent. Those before were sent, so their
            // places are free.
            unsafe { next.copy_to(values, left) };
            // SAFETY: this number of values lies at the front of the vector, and belongs to it again.
            unsafe { self.values.set_len(left) };
        }
    }
}
