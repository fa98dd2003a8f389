//! The value that all ends share.

use crate::sync::{ReadGuard, RwLock};
use crate::wait::{Count, Waiters};
use std::fmt;
use std::ops::Deref;

/// The value, and the number of its changes.
pub(super) struct WatchCell<T> {
    value: RwLock<T>,
    pub(super) changes: Waiters,
}

/// A borrow of the latest value of a [`watch()`](crate::watch()). As long as it is held, the sender and those
/// that want to borrow after it are blocked.
#[must_use = "the value is borrowed for as long as this is held"]
pub struct WatchRef<'a, T>(ReadGuard<'a, T>);

impl<T> WatchCell<T> {
    pub(super) fn new(value: T) -> Self {
        WatchCell { value: RwLock::new(value), changes: Waiters::new() }
    }

    pub(super) fn borrow(&self) -> WatchRef<'_, T> {
        WatchRef(self.value.read())
    }

    /// Borrows the value, and returns the number of changes up to this value.
    pub(super) fn borrow_and_count(&self) -> (WatchRef<'_, T>, Count) {
        let value = self.borrow();
        let count = self.changes.count();
        (value, count)
    }

    /// Calls the function with the value, under the lock. If it returns `Some`, that is a change, and wakes
    /// all that wait.
    pub(super) fn modify<R>(&self, modify: impl FnOnce(&mut T) -> Option<R>) -> Option<R> {
        let mut value = self.value.write();
        let result = modify(&mut value);
        let waiting = result.is_some().then(|| self.changes.add()).filter(|marks| !marks.is_empty());
        drop(value);
        if let Some(marks) = waiting {
            drop(self.changes.wake_all(marks));
        }
        result
    }
}

impl<T> Deref for WatchRef<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: fmt::Debug> fmt::Debug for WatchRef<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl<T: fmt::Display> fmt::Display for WatchRef<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, f)
    }
}
