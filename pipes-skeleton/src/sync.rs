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

    /// Locks the value, waiting until no other thread has it.
    pub(crate) fn lock(&self) -> impl DerefMut<Target = T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn into_inner(self) -> T {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts a thread in the scope, unless the system cannot start one.
pub(crate) fn spawn_scoped<'scope>(scope: &'scope Scope<'scope, '_>, run: impl FnOnce() + Send + 'scope) {
    #[cfg(not(pipes_shuttle))]
    drop(Builder::new().spawn_scoped(scope, run));
    #[cfg(pipes_shuttle)]
    drop(scope.spawn(run));
}

/// Returns the nanoseconds since a fixed moment in this process.
pub(crate) fn nanoseconds() -> u64 {
    static MOMENT: OnceLock<Instant> = OnceLock::new();
    // 64 bits are enough for five hundred years.
    if cfg!(pipes_shuttle) { 0 } else { MOMENT.get_or_init(Instant::now).elapsed().as_nanos() as u64 }
}

/// Returns the deadline of a wait that begins now and should succeed within `patience`.
pub(crate) fn deadline_in(patience: Duration) -> Option<Instant> {
    if cfg!(pipes_shuttle) { None } else { Instant::now().checked_add(patience) }
}

/// Drops a value that may be the user's. A panic of its destructor is ignored, so that the caller can go on.
pub(crate) fn discard(value: impl Sized) {
    // The payload of the panic may itself panic when it is dropped, so it is forgotten.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(value))).map_err(std::mem::forget);
}

/// The number of yields before a thread sleeps.
const YIELDS: u32 = 6;
/// A yield that takes longer has let a program run that computes. The thread then sleeps without yielding in
/// its next waits: 16 of them after the first late yield, and up to 2048 if yields are late again.
const LATE: Duration = Duration::from_millis(1);
const FEWEST_WITHOUT: u32 = 16;
const MOST_WITHOUT: u32 = 2048;

/// Yields a few times, until `arrived` returns `true`: the thread that is waited for may want this core.
pub(crate) fn step_aside(arrived: &dyn Fn() -> bool) {
    std::thread_local! {
        /// The number of waits that are still without a yield, and that number after the next late one.
        static WITHOUT: Cell<(u32, u32)> = const { Cell::new((0, FEWEST_WITHOUT)) };
    }
    // A thread that is ending has lost its state, so it does not yield.
    let Ok((without, next)) = WITHOUT.try_with(Cell::get) else { return };
    let set = |it: (u32, u32)| WITHOUT.set(it);
    if cfg!(pipes_shuttle) || without > 0 {
        return set((without.saturating_sub(1), next));
    }
    let mut begin = Instant::now();
    for _ in 0..YIELDS {
        std::thread::yield_now();
        let end = Instant::now();
        let (is_late, came) = (end.duration_since(begin) > LATE, arrived());
        if is_late {
            set((next, (next * 2).min(MOST_WITHOUT)));
        } else if came && next > FEWEST_WITHOUT {
            set((0, next / 2));
        }
        if is_late || came {
            return;
        }
        begin = end;
    }
}
