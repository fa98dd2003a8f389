//! The ordinary variant of the facade: `std`.

use super::{Ordering, discard};
use std::cell::Cell;
use std::hash::{BuildHasher, RandomState};
use std::hint::spin_loop;
use std::ops::DerefMut;
use std::panic::{AssertUnwindSafe, catch_unwind};
pub(crate) use std::sync::Arc;
pub(crate) use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicUsize};
use std::sync::{OnceLock, PoisonError};
pub(super) use std::thread::Thread;
pub(crate) use std::thread::ThreadId;
use std::thread::{Builder, Scope, scope};

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

    /// Returns the value, of which the caller is the only owner.
    pub(crate) fn into_inner(self) -> T {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs the function in a new thread with this name, and with a stack of this size or of the usual one. If
/// the system cannot start a thread, the function is dropped with all that it owns.
pub(crate) fn spawn(name: &str, stack_size: Option<usize>, run: impl FnOnce() + Send + 'static) {
    let run = || {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(run)) {
            // The payload of the panic may itself panic when it is dropped, and that would abort the process.
            discard(panic);
        }
    };
    // The name of a thread cannot contain zeros.
    let mut thread = Builder::new().name(name.replace('\0', ""));
    if let Some(bytes) = stack_size {
        thread = thread.stack_size(bytes);
    }
    drop(thread.spawn(run));
}

/// Runs the function in the calling thread and in `others` new ones, each with its own number, from 0. All of
/// them have ended when this returns. There are fewer threads if the system cannot start that many, or when
/// `are_wanted` says that no more are needed.
///
/// Each thread starts two others before it does anything else, unless no more are wanted by then. So a large
/// number of threads starts quickly, and a small amount of work does not wait for threads that it does not
/// need.
///
/// # Panics
///
/// Panics if the function panics in one of the threads.
pub(crate) fn together(others: usize, are_wanted: impl Fn() -> bool + Sync, run: impl Fn(usize) + Sync) {
    if others == 0 {
        return run(0);
    }
    scope(|scope| member(scope, 0, others, &are_wanted, &run));
}

fn member<'scope>(
    scope: &'scope Scope<'scope, '_>,
    number: usize,
    last: usize,
    are_wanted: &'scope (impl Fn() -> bool + Sync),
    run: &'scope (impl Fn(usize) + Sync),
) {
    let first = number.saturating_mul(2).saturating_add(1);
    for next in [first, first.saturating_add(1)] {
        if next <= last && are_wanted() {
            let begun =
                Builder::new().spawn_scoped(scope, move || member(scope, next, last, are_wanted, run));
            drop(begun);
        }
    }
    run(number);
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

/// The id of the calling thread.
pub(crate) fn thread_id() -> ThreadId {
    this_thread().id()
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

/// Nanoseconds since a fixed moment in this process.
pub(crate) fn nanoseconds() -> u64 {
    static MOMENT: OnceLock<Instant> = OnceLock::new();
    // This is enough for five hundred years.
    MOMENT.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

/// The deadline of a wait that begins now and should succeed within `patience`.
pub(crate) fn giving_up_after(patience: Duration) -> Option<Instant> {
    Instant::now().checked_add(patience)
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
