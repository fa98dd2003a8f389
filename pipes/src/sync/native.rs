//! The ordinary variant of the facade: `std`.

use super::Ordering;
use crate::discard::discard;
use std::ops::DerefMut;
use std::panic::{AssertUnwindSafe, catch_unwind};
pub(crate) use std::sync::Arc;
use std::sync::PoisonError;
pub(crate) use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicUsize};
use std::thread::Builder;
pub(crate) use std::thread::Thread;
pub(crate) use std::thread_local;
use std::time::Instant;

/// A value behind a mutex without poisoning. No panic in this crate leaves the value half-changed.
pub(crate) struct Lock<T>(std::sync::Mutex<T>);

impl<T> Lock<T> {
    pub(crate) fn new(value: T) -> Self {
        Lock(std::sync::Mutex::new(value))
    }

    /// Locks the value. Blocks until no other thread holds the lock.
    pub(crate) fn lock(&self) -> impl DerefMut<Target = T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs the function in a new thread with this name. If the system cannot start a thread, the function is
/// dropped with everything that it owns.
pub(crate) fn spawn(name: &str, run: impl FnOnce() + Send + 'static) {
    let run = || {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(run)) {
            // The payload of the panic may itself panic when it is dropped, and that would abort the process.
            discard(panic);
        }
    };
    drop(Builder::new().name(name.to_owned()).spawn(run));
}

/// The flag of a wait, which its waker sets.
pub(crate) struct Flag(AtomicBool);

impl Flag {
    pub(crate) fn new() -> Self {
        Flag(AtomicBool::new(false))
    }

    pub(crate) fn load(&self, ordering: Ordering) -> bool {
        self.0.load(ordering)
    }

    pub(crate) fn set(&self, ordering: Ordering) {
        self.0.store(true, ordering);
    }

    /// Clears the flag.
    pub(crate) fn take(&self, ordering: Ordering) {
        self.0.swap(false, ordering);
    }
}

/// Returns the calling thread, to be unparked.
pub(crate) fn this_thread() -> Thread {
    std::thread::current()
}

/// Puts the calling thread to sleep until it is unparked, until the deadline, or for no reason.
///
/// Returns `true` if the deadline has passed.
pub(crate) fn park(deadline: Option<Instant>) -> bool {
    let Some(deadline) = deadline else {
        std::thread::park();
        return false;
    };
    match deadline.checked_duration_since(Instant::now()) {
        None => true,
        Some(left) if left.is_zero() => true,
        Some(left) => {
            std::thread::park_timeout(left);
            false
        }
    }
}
