//! The variant of the facade for models, in which a checker says which thread comes next.
//!
//! There are two. `loom` tries all orders of a few steps of a few threads, and knows what each of them may
//! see of memory. `shuttle` draws lots, and takes memory for one that all see alike; so it can run whole
//! pipelines, which have too many orders to try them all.
//!
//! # Why the parker is our own
//!
//! To `loom` its own `unpark` is no scheduling point and always joins what the two threads have seen, so that
//! "swap" and "wake" are one step and a re-check after sleeping needs no ordering. Real parking promises
//! less: `park` may return for no reason, and then the re-check is all there is. Here a thread is a lock and
//! a condition variable, which the model sees as two more objects, and the first `park` of each thread
//! returns at once. What unparks a thread is one token, as in reality: a wait inside of another one uses it
//! up.

use super::{Ordering, WakeArc};
pub(crate) use checker::sync::Arc;
pub(crate) use checker::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicUsize};
use checker::sync::{Condvar, Mutex};
pub(crate) use checker::thread::ThreadId;
pub(super) use checker::thread_local;
#[cfg(not(pipes_shuttle))]
use loom as checker;
#[cfg(pipes_shuttle)]
use shuttle as checker;
use std::cell::Cell;
use std::ops::DerefMut;
use std::time::{Duration, Instant};

/// A value behind a lock.
pub(crate) struct Lock<T>(Mutex<T>);

impl<T> Lock<T> {
    pub(crate) fn new(value: T) -> Self {
        Lock(Mutex::new(value))
    }

    /// Waits for the value.
    pub(crate) fn lock(&self) -> impl DerefMut<Target = T> {
        self.0.lock().expect("no model panics with the lock")
    }

    /// The value, of which the caller is the only owner.
    pub(crate) fn into_inner(self) -> T {
        self.0.into_inner().expect("no model panics with the lock")
    }
}

/// Runs the function in a thread of its own.
pub(crate) fn spawn(_: &str, run: impl FnOnce() + Send + 'static) {
    checker::thread::spawn(run);
}

/// Runs the function in the calling thread. This checker's threads cannot borrow; and the system may have
/// none left in the ordinary variant as well.
#[cfg(not(pipes_shuttle))]
pub(crate) fn together(_: usize, _: impl Fn() -> bool + Sync, run: impl Fn(usize) + Sync) {
    run(0);
}

/// Runs the function in the calling thread and in so many others, in each with a number of its own.
#[cfg(pipes_shuttle)]
pub(crate) fn together(others: usize, are_wanted: impl Fn() -> bool + Sync, run: impl Fn(usize) + Sync) {
    let run = &run;
    checker::thread::scope(|scope| {
        for number in (1..=others).filter(|_| are_wanted()) {
            scope.spawn(move || run(number));
        }
        run(0);
    });
}

std::thread_local! {
    static MARKS_ARE_TRACKED: Cell<bool> = const { Cell::new(false) };
}

/// From now on the models of this test explore what the mark of a wait orders. To the others that would only
/// be more steps, of which there are too many already; they see the mark in the order of the steps around it.
pub(crate) fn track_marks() {
    MARKS_ARE_TRACKED.set(true);
}

/// The mark of a wait.
pub(super) struct Flag {
    plain: std::sync::atomic::AtomicBool,
    tracked: Option<AtomicBool>,
}

impl Flag {
    pub(super) fn new() -> Self {
        let tracked = MARKS_ARE_TRACKED.get().then(|| AtomicBool::new(false));
        Flag { plain: std::sync::atomic::AtomicBool::new(false), tracked }
    }

    pub(super) fn load(&self, ordering: Ordering) -> bool {
        // ORDERING: SeqCst here and below: the checker runs one thread at a time.
        self.tracked.as_ref().map_or_else(|| self.plain.load(Ordering::SeqCst), |it| it.load(ordering))
    }

    pub(super) fn set(&self, ordering: Ordering) {
        // ORDERING: SeqCst, as in `load`.
        self.plain.store(true, Ordering::SeqCst);
        if let Some(tracked) = &self.tracked {
            // The checker knows one order of swaps, but not of swaps and stores.
            tracked.swap(true, ordering);
        }
    }

    pub(super) fn take(&self, ordering: Ordering) {
        // ORDERING: SeqCst, as in `load`.
        self.plain.store(false, Ordering::SeqCst);
        if let Some(tracked) = &self.tracked {
            tracked.swap(false, ordering);
        }
    }
}

/// A thread that can be woken. Counted without the checker: it lets go of a thread's variables in an order of
/// its own, of which the model must not depend.
#[derive(Clone)]
pub(super) struct Thread(WakeArc<(Mutex<bool>, Condvar)>);

thread_local! {
    static ME: Thread = Thread(WakeArc::new((Mutex::new(false), Condvar::new())));
    static WOKEN_FOR_NOTHING: Cell<bool> = Cell::new(false);
    static MAY_ADD: Cell<bool> = Cell::new(true);
}

/// Which thread this is.
pub(crate) fn thread_id() -> ThreadId {
    checker::thread::current().id()
}

/// The calling thread, to be unparked.
pub(super) fn this_thread() -> Thread {
    ME.with(Clone::clone)
}

impl Thread {
    /// Wakes the thread, now or when it next parks.
    pub(super) fn unpark(&self) {
        let (token, bell) = &*self.0;
        *token.lock().expect("no model panics with the lock") = true;
        bell.notify_one();
    }
}

/// Puts the calling thread to sleep until it is unparked, or, the first time, for nothing.
///
/// A deadline passes during the sleep: true.
pub(super) fn park(deadline: Option<Instant>) -> bool {
    if deadline.is_some() {
        checker::thread::yield_now();
        return true;
    }
    if !WOKEN_FOR_NOTHING.with(|woken| woken.replace(true)) {
        return false;
    }
    let me = ME.with(Clone::clone);
    let (token, bell) = &*me.0;
    let mut token = token.lock().expect("no model panics with the lock");
    while !*token {
        token = bell.wait(token).expect("no model panics with the lock");
    }
    *token = false;
    false
}

/// Time stands still: what happens must not depend on it.
pub(crate) fn nanoseconds() -> u64 {
    0
}

/// The model has all the patience there is: who does not come back in it would never come back.
pub(crate) fn giving_up_after(_: Duration) -> Option<Instant> {
    None
}

/// The model does not linger: it explores the sleep.
pub(crate) fn linger(_: bool, _: impl FnMut() -> bool) -> bool {
    false
}

/// Never waits: whatever waiting would hide is to be explored.
pub(crate) fn step_aside(_: impl FnMut() -> bool) -> bool {
    false
}

/// How many threads there are in a model, at most.
pub(crate) const MOST_ADDERS: usize = 4;

/// A thread may add every other time, so that both ways are explored.
pub(crate) fn may_add() -> bool {
    MAY_ADD.with(|may| may.replace(!may.get()))
}

/// Chance is always the same: the model has to explore one execution again with another order.
pub(crate) fn chance(_: usize) -> usize {
    0
}

/// The model has nothing to gain from it.
pub(crate) fn stand_back() {}
