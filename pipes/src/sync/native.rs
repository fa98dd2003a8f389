//! The ordinary variant of the facade: `std`.

use super::{Ordering, discard};
use std::cell::Cell;
use std::hash::{BuildHasher, RandomState};
use std::hint::spin_loop;
use std::ops::DerefMut;
use std::panic::{AssertUnwindSafe, catch_unwind};
pub(crate) use std::sync::Arc;
use std::sync::PoisonError;
pub(crate) use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicUsize};
use std::thread::Builder;
pub(super) use std::thread::Thread;

pub(super) use std::thread_local;
use std::time::{Duration, Instant};

/// A value behind a mutex without poisoning: no panic in this crate leaves the value half-changed.
pub(crate) struct Lock<T>(std::sync::Mutex<T>);

impl<T> Lock<T> {
    pub(crate) fn new(value: T) -> Self {
        Lock(std::sync::Mutex::new(value))
    }

    /// Locks the value; waits until no other thread has it.
    pub(crate) fn lock(&self) -> impl DerefMut<Target = T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs the function in a new thread with this name. If the system cannot start a thread, the function is
/// dropped with all that it owns.
pub(crate) fn spawn(name: &str, run: impl FnOnce() + Send + 'static) {
    let run = || {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(run)) {
            // The payload of the panic may itself panic when it is dropped, and that would abort the process.
            discard(panic);
        }
    };
    drop(Builder::new().name(name.to_owned()).spawn(run));
}

/// The flag of a wait's mark.
pub(super) struct Flag(AtomicBool);

impl Flag {
    pub(super) fn new() -> Self {
        Flag(AtomicBool::new(false))
    }

    pub(super) fn load(&self, ordering: Ordering) -> bool {
        self.0.load(ordering)
    }

    pub(super) fn set(&self, ordering: Ordering) {
        self.0.store(true, ordering);
    }

    /// Clears the flag.
    pub(super) fn take(&self, ordering: Ordering) {
        self.0.swap(false, ordering);
    }
}

/// The calling thread, to be unparked.
pub(super) fn this_thread() -> Thread {
    std::thread::current()
}

/// A pseudo-random number below `count`, or 0 if `count` is 0: xorshift (Marsaglia, 2003), with one state for
/// each thread.
pub(crate) fn chance(count: usize) -> usize {
    thread_local! {
        static STATE: Cell<u32> = const { Cell::new(0) };
    }
    let next = STATE.try_with(|state| {
        let mut it = match state.get() {
            // The first number of the thread: its state begins with a random value that is never 0.
            0 => RandomState::new().hash_one(()) as u32 | 1,
            it => it,
        };
        it ^= it << 13;
        it ^= it >> 17;
        it ^= it << 5;
        state.set(it);
        it
    });
    // The upper half of the product: as even as a remainder, without a division.
    ((u64::from(next.unwrap_or(0)) * count as u64) >> 32) as usize
}

/// Pauses for a few microseconds, so that other threads get ahead with memory for which they compete. If two
/// threads touch a cache line in turn, each of them waits for it longer than a send takes; one thread alone
/// does about a hundred sends in the time of this pause.
#[cold]
pub(crate) fn stand_back() {
    const MOMENT: Duration = Duration::from_micros(3);
    let begin = Instant::now();
    while begin.elapsed() < MOMENT {
        spin_loop();
    }
}

/// Puts the calling thread to sleep until it is unparked, until the deadline, or for no reason.
///
/// Returns true if the deadline has passed.
pub(super) fn park(deadline: Option<Instant>) -> bool {
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
