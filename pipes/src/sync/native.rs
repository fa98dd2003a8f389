//! The ordinary variant of the facade: `std`.

use super::{HAS_THREADS, Ordering, StaticLock, lock_soon};
use crate::discard::discard;
use std::ops::DerefMut;
use std::panic::{AssertUnwindSafe, catch_unwind};
pub(crate) use std::sync::Arc;
pub(crate) use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicUsize};
use std::sync::{PoisonError, TryLockError};
pub(crate) use std::sync::{RwLockReadGuard as ReadGuard, RwLockWriteGuard as WriteGuard};
use std::thread::Builder;
pub(crate) use std::thread::Thread;
#[cfg(unix)]
pub(crate) use std::thread::sleep;
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

/// The lock of what others see of a thread's sleep.
pub(crate) struct SleepLock<T>(StaticLock<T>);

impl<T> SleepLock<T> {
    pub(crate) fn new(value: T) -> Self {
        SleepLock(StaticLock::new(value))
    }

    /// Locks the value, unless another thread holds it for long.
    pub(crate) fn lock_soon(&self) -> Option<impl DerefMut<Target = T>> {
        lock_soon(&self.0)
    }

    /// Locks the value. Blocks until no other thread holds the lock.
    pub(crate) fn lock(&self) -> impl DerefMut<Target = T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns `false` for a thread of another model.
    #[inline(always)]
    pub(crate) fn is_of_this_model(&self) -> bool {
        true
    }

    /// Records in models that the sleeper changes what describes its wait.
    #[inline(always)]
    pub(crate) fn owner_changes(&self) {}

    /// Records in models that another thread reads what describes the wait.
    #[inline(always)]
    pub(crate) fn reader_looks(&self) {}
}

/// A value behind a lock for one writer or many readers, without poisoning.
pub(crate) struct RwLock<T>(std::sync::RwLock<T>);

impl<T> RwLock<T> {
    pub(crate) fn new(value: T) -> Self {
        RwLock(std::sync::RwLock::new(value))
    }

    /// Locks the value for reading. Blocks while another thread writes, or waits to write.
    pub(crate) fn read(&self) -> ReadGuard<'_, T> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the value for writing. Blocks until no other thread holds the lock.
    pub(crate) fn write(&self) -> WriteGuard<'_, T> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the value for writing, unless a thread holds the lock. Never blocks.
    pub(crate) fn try_write(&self) -> Option<WriteGuard<'_, T>> {
        match self.0.try_write() {
            Ok(guard) => Some(guard),
            Err(TryLockError::Poisoned(error)) => Some(error.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
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

/// Returns the number of the calling thread. The threads have 0, 1, 2, …, in the order of their first calls.
pub(crate) fn thread_number() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        // ORDERING: Relaxed: the numbers differ, and nothing else is read by them.
        static NUMBER: usize = NEXT.fetch_add(1, Ordering::Relaxed);
    }
    NUMBER.try_with(|number| *number).unwrap_or_default()
}

/// Puts the calling thread to sleep until it is unparked, until the deadline, or for no reason.
///
/// Returns `true` if the deadline has passed.
pub(crate) fn park(deadline: Option<Instant>) -> bool {
    // Some methods block only sometimes, such as the send of a stream, so they compile.
    if !HAS_THREADS {
        panic!("a web page must not block its thread: use an async method, such as `send_async`");
    }
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
