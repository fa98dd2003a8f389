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

/// A value behind a lock. A panic of somebody who held it does not matter to the next: nothing in this crate
/// leaves it half-done.
pub(crate) struct Lock<T>(std::sync::Mutex<T>);

impl<T> Lock<T> {
    pub(crate) fn new(value: T) -> Self {
        Lock(std::sync::Mutex::new(value))
    }

    /// Waits for the value.
    pub(crate) fn lock(&self) -> impl DerefMut<Target = T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The value, of which the caller is the only owner.
    pub(crate) fn into_inner(self) -> T {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs the function in a thread of its own, which has this name. If the system has none left, the function
/// is dropped with all that it owns.
pub(crate) fn spawn(name: &str, run: impl FnOnce() + Send + 'static) {
    let run = || {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(run)) {
            // What it panics with may panic when it is dropped, and a thread that ends like that ends the
            // process.
            discard(panic);
        }
    };
    // A thread's name has no zeros.
    drop(Builder::new().name(name.replace('\0', "")).spawn(run));
}

/// Runs the function in the calling thread and in so many others, in each with a number of its own, from 0.
/// All have ended when this returns. There are fewer if the system has not enough threads, or when no more
/// are wanted.
///
/// Each thread begins two others before it does anything else, unless by then there is nothing left for them.
/// So many threads are there soon, and little work is not kept waiting for many.
///
/// # Panics
///
/// If one of them does.
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

/// The mark of a wait.
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

    /// Takes it away, if it was set.
    pub(super) fn take(&self, ordering: Ordering) {
        self.0.swap(false, ordering);
    }
}

/// Which thread this is.
pub(crate) fn thread_id() -> ThreadId {
    this_thread().id()
}

/// The calling thread, to be unparked.
pub(super) fn this_thread() -> Thread {
    std::thread::current()
}

/// A number below `count`, or 0, that nobody can foresee who does not try to: xorshift (Marsaglia, 2003), a
/// state a thread.
pub(crate) fn chance(count: usize) -> usize {
    thread_local! {
        static STATE: Cell<u32> = const { Cell::new(0) };
    }
    let next = STATE.try_with(|state| {
        let mut it = match state.get() {
            // The thread's first: of a state of its own, which is never 0.
            0 => RandomState::new().hash_one(()) as u32 | 1,
            it => it,
        };
        it ^= it << 13;
        it ^= it >> 17;
        it ^= it << 5;
        state.set(it);
        it
    });
    next.unwrap_or(0) as usize % count.max(1)
}

/// Leaves memory that others are busy with to them, for a few microseconds. Whenever two threads touch a line
/// of memory in turn each of them waits for it longer than a send takes; one at a time they get a hundred
/// sends done in that while.
#[cold]
pub(crate) fn stand_back() {
    const MOMENT: Duration = Duration::from_micros(3);
    let begin = Instant::now();
    while begin.elapsed() < MOMENT {
        spin_loop();
    }
}

/// Nanoseconds since some moment.
pub(crate) fn nanoseconds() -> u64 {
    static MOMENT: OnceLock<Instant> = OnceLock::new();
    // Enough for five hundred years.
    MOMENT.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

/// When a wait that should not be in vain is given up, if it begins now.
pub(crate) fn giving_up_after(patience: Duration) -> Option<Instant> {
    Instant::now().checked_add(patience)
}

/// Puts the calling thread to sleep until it is unparked, until the deadline, or for no reason.
///
/// True: the deadline has passed.
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
