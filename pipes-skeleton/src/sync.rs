//! Locks, atomics, threads and the clock. They are those of `std` or, under `--cfg pipes_shuttle`, those of a
//! model checker that chooses the next thread at random. No other file names `std::sync` or `std::thread`.
//!
//! In a model, time stands still and no thread yields: only the checker chooses.

#[cfg(pipes_shuttle)]
use shuttle as system;
#[cfg(not(pipes_shuttle))]
use std as system;

use std::cell::Cell;
use std::ops::DerefMut;
use std::panic::{AssertUnwindSafe, catch_unwind};
pub(crate) use std::sync::Arc;
pub(crate) use std::sync::atomic::Ordering;
use std::sync::{OnceLock, PoisonError};
use std::time::{Duration, Instant};
pub(crate) use system::sync::atomic::{AtomicBool, AtomicUsize};
pub(crate) use system::thread::{Builder, Scope, ThreadId, current, scope};

/// A value behind a mutex without poisoning: no panic in this crate leaves the value half-changed.
pub(crate) struct Lock<T>(system::sync::Mutex<T>);

impl<T> Lock<T> {
    pub(crate) fn new(value: T) -> Self {
        Lock(system::sync::Mutex::new(value))
    }

    /// Locks the value. Blocks until no other thread holds the lock.
    pub(crate) fn lock(&self) -> impl DerefMut<Target = T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn into_inner(self) -> T {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts a thread in the scope. Does nothing if the system cannot start one.
pub(crate) fn spawn_scoped<'scope>(scope: &'scope Scope<'scope, '_>, run: impl FnOnce() + Send + 'scope) {
    #[cfg(not(pipes_shuttle))]
    drop(Builder::new().spawn_scoped(scope, run));
    #[cfg(pipes_shuttle)]
    drop(scope.spawn(run));
}

/// Returns the nanoseconds since a fixed time in this process.
pub(crate) fn nanoseconds() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    // 64 bits are enough for five hundred years.
    if cfg!(pipes_shuttle) { 0 } else { START.get_or_init(Instant::now).elapsed().as_nanos() as u64 }
}

/// Returns the deadline of a wait that begins now and may take `timeout`.
pub(crate) fn deadline_in(timeout: Duration) -> Option<Instant> {
    if cfg!(pipes_shuttle) { None } else { Instant::now().checked_add(timeout) }
}

/// Drops a value, and ignores a panic of its destructor.
pub(crate) fn discard(value: impl Sized) {
    // The payload of the panic may panic when it is dropped, so it is forgotten.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(value))).map_err(std::mem::forget);
}

/// The number of yields before a thread sleeps.
const YIELDS: u32 = 6;
/// A yield that takes longer has run a thread that computes. The thread then sleeps without yielding in its
/// next waits: 16 of them after the first late yield, and up to 2048 if yields are late again.
const LATE: Duration = Duration::from_millis(1);
const FEWEST_WITHOUT: u32 = 16;
const MOST_WITHOUT: u32 = 2048;

/// Yields a few times, until `is_ready` returns `true`. The thread that is waited for may need this core.
pub(crate) fn yield_until(is_ready: &dyn Fn() -> bool) {
    std::thread_local! {
        /// The number of next waits without a yield, and that number after the next late yield.
        static WITHOUT: Cell<(u32, u32)> = const { Cell::new((0, FEWEST_WITHOUT)) };
    }
    // A thread that is ending has lost its state, and does not yield.
    let Ok((without, next)) = WITHOUT.try_with(Cell::get) else { return };
    let set = |it: (u32, u32)| WITHOUT.set(it);
    if cfg!(pipes_shuttle) || without > 0 {
        return set((without.saturating_sub(1), next));
    }
    let mut begin = Instant::now();
    for _ in 0..YIELDS {
        std::thread::yield_now();
        let end = Instant::now();
        let (is_late, has_come) = (end.duration_since(begin) > LATE, is_ready());
        if is_late {
            set((next, (next * 2).min(MOST_WITHOUT)));
        } else if has_come && next > FEWEST_WITHOUT {
            set((0, next / 2));
        }
        if is_late || has_come {
            return;
        }
        begin = end;
    }
}
