//! The variant of the facade for models, in which a checker chooses the next thread.
//!
//! There are two checkers. `loom` tries all orders of a few steps of a few threads, and knows what each
//! thread may see of memory. `shuttle` chooses at random, and treats memory as sequentially consistent. So it
//! can run whole pipelines, which have too many orders to try them all.
//!
//! # Why the parker is our own
//!
//! In `loom`, `unpark` is no scheduling point and always synchronizes the two threads. So "swap" and "wake"
//! would be one step, and the look after a sleep would need no ordering. Real parking promises less: `park`
//! may return for no reason, and then only the look's own ordering counts. In this parker, a thread is a lock
//! and a condition variable, which are two more objects in the model, and the first `park` of each thread
//! returns at once. As in reality, a thread has one token for `unpark`, which a wait inside another wait uses
//! up.

use super::{Access, Ordering, ThreadId, WakeArc};
pub(crate) use checker::sync::Arc;
pub(crate) use checker::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicUsize};
use checker::sync::{Condvar, Mutex};
pub(crate) use checker::sync::{RwLockReadGuard as ReadGuard, RwLockWriteGuard as WriteGuard};
pub(crate) use checker::thread_local;
#[cfg(not(pipes_shuttle))]
use loom as checker;
#[cfg(pipes_shuttle)]
use shuttle as checker;
use std::cell::Cell;
use std::ops::DerefMut;
use std::thread::current;
use std::time::Instant;

/// A value behind a mutex.
pub(crate) struct Lock<T>(Mutex<T>);

impl<T> Lock<T> {
    pub(crate) fn new(value: T) -> Self {
        Lock(Mutex::new(value))
    }

    /// Locks the value. Blocks until no other thread holds the lock.
    pub(crate) fn lock(&self) -> impl DerefMut<Target = T> {
        self.0.lock().expect("no model panics with the lock")
    }
}

/// A value behind a lock for one writer or many readers.
pub(crate) struct RwLock<T>(checker::sync::RwLock<T>);

impl<T> RwLock<T> {
    pub(crate) fn new(value: T) -> Self {
        RwLock(checker::sync::RwLock::new(value))
    }

    /// Locks the value for reading. Blocks while another thread writes.
    pub(crate) fn read(&self) -> ReadGuard<'_, T> {
        self.0.read().expect("no model panics with the lock")
    }

    /// Locks the value for writing. Blocks until no other thread holds the lock.
    pub(crate) fn write(&self) -> WriteGuard<'_, T> {
        self.0.write().expect("no model panics with the lock")
    }

    /// Locks the value for writing, unless a thread holds the lock. Never blocks.
    pub(crate) fn try_write(&self) -> Option<WriteGuard<'_, T>> {
        self.0.try_write().ok()
    }
}

/// Runs the function in a new thread.
pub(crate) fn spawn(_: &str, run: impl FnOnce() + Send + 'static) {
    checker::thread::spawn(run);
}

std::thread_local! {
    static FLAGS_ARE_TRACKED: Cell<bool> = const { Cell::new(false) };
}

/// Makes the models of this test explore the orderings of a wait's flag from now on. Other models do not:
/// they have too many steps already, and for them the flag is not an object of its own.
pub(crate) fn track_flags() {
    FLAGS_ARE_TRACKED.set(true);
}

/// The flag of a wait, which its waker sets.
pub(crate) struct Flag {
    plain: std::sync::atomic::AtomicBool,
    tracked: Option<AtomicBool>,
}

impl Flag {
    pub(crate) fn new() -> Self {
        let tracked = FLAGS_ARE_TRACKED.get().then(|| AtomicBool::new(false));
        Flag { plain: std::sync::atomic::AtomicBool::new(false), tracked }
    }

    pub(crate) fn load(&self, ordering: Ordering) -> bool {
        // ORDERING: SeqCst here and below: the checker runs one thread at a time.
        self.tracked.as_ref().map_or_else(|| self.plain.load(Ordering::SeqCst), |it| it.load(ordering))
    }

    pub(crate) fn set(&self, ordering: Ordering) {
        // ORDERING: SeqCst: the checker runs one thread at a time.
        self.plain.store(true, Ordering::SeqCst);
        if let Some(tracked) = &self.tracked {
            // The checker models a total order of swaps, but not of swaps and stores together.
            tracked.swap(true, ordering);
        }
    }

    pub(crate) fn take(&self, ordering: Ordering) {
        // ORDERING: SeqCst: the checker runs one thread at a time.
        self.plain.store(false, Ordering::SeqCst);
        if let Some(tracked) = &self.tracked {
            tracked.swap(false, ordering);
        }
    }
}

std::thread_local! {
    static SLEEPS_ARE_TRACKED: Cell<bool> = const { Cell::new(false) };
}

/// Makes the models of this test explore the lock of each sleep from now on. Other models do not, as for
/// flags.
pub(crate) fn track_sleeps() {
    SLEEPS_ARE_TRACKED.set(true);
}

/// The lock of what others see of a thread's sleep. A thread that holds it takes no other step of a model, so
/// the lock need not be the checker's.
pub(crate) struct SleepLock<T> {
    value: std::sync::Mutex<T>,
    tracked: Option<(Mutex<()>, Access)>,
    /// The thread of the system that runs the model: all threads of a model are run by one.
    runner: ThreadId,
}

// SAFETY: the value is behind a mutex. The tracker has no value, and reports accesses that are not ordered.
unsafe impl<T: Send> Send for SleepLock<T> {}
// SAFETY: the same.
unsafe impl<T: Send> Sync for SleepLock<T> {}

impl<T> SleepLock<T> {
    pub(crate) fn new(value: T) -> Self {
        let tracked = SLEEPS_ARE_TRACKED.get().then(|| (Mutex::new(()), Access::new()));
        SleepLock { value: std::sync::Mutex::new(value), tracked, runner: current().id() }
    }

    pub(crate) fn lock_soon(&self) -> Option<SleepGuard<'_, T>> {
        Some(self.lock())
    }

    pub(crate) fn lock(&self) -> SleepGuard<'_, T> {
        let tracked = self.tracked.as_ref().map(|it| it.0.lock().expect("no model panics with the lock"));
        let value = self.value.lock().expect("no model panics with the lock");
        SleepGuard { value, _tracked: tracked }
    }

    /// Returns `false` for a thread of another model.
    pub(crate) fn is_of_this_model(&self) -> bool {
        self.runner == current().id()
    }

    /// Records that the sleeper changes what describes its wait.
    pub(crate) fn owner_changes(&self) {
        self.tracked.iter().for_each(|it| it.1.exclusive());
    }

    /// Records that another thread reads what describes the wait.
    pub(crate) fn reader_looks(&self) {
        self.tracked.iter().for_each(|it| it.1.shared());
    }
}

/// A locked [`SleepLock`].
pub(crate) struct SleepGuard<'a, T> {
    value: std::sync::MutexGuard<'a, T>,
    _tracked: Option<checker::sync::MutexGuard<'a, ()>>,
}

impl<T> std::ops::Deref for SleepGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for SleepGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

/// A thread that can be woken. Its reference count is not the checker's, because the checker drops the
/// variables of a thread in its own order, and the model must not depend on that.
#[derive(Clone)]
pub(crate) struct Thread(WakeArc<(Mutex<bool>, Condvar)>);

thread_local! {
    static ME: Thread = Thread(WakeArc::new((Mutex::new(false), Condvar::new())));
    static WOKEN_FOR_NOTHING: Cell<bool> = Cell::new(false);
}

/// Returns the calling thread, to be unparked.
pub(crate) fn this_thread() -> Thread {
    ME.with(Clone::clone)
}

thread_local! {
    static NUMBER: Cell<usize> = Cell::new(0);
}

/// Gives the calling thread a number.
pub(crate) fn number_this_thread(number: usize) {
    NUMBER.with(|it| it.set(number));
}

/// Returns the number of the calling thread: 0, unless the model gives it another one.
pub(crate) fn thread_number() -> usize {
    NUMBER.with(Cell::get)
}

impl Thread {
    /// Returns the thread of the system that runs the model.
    pub(crate) fn id(&self) -> ThreadId {
        current().id()
    }

    pub(crate) fn name(&self) -> Option<&str> {
        None
    }

    /// Wakes the thread, now or when it next parks.
    pub(crate) fn unpark(&self) {
        let (token, condvar) = &*self.0;
        *token.lock().expect("no model panics with the lock") = true;
        condvar.notify_one();
    }
}

/// Puts the calling thread to sleep until it is unparked. The first time, returns at once.
///
/// Returns `true` if there is a deadline, which passes during the sleep.
pub(crate) fn park(deadline: Option<Instant>) -> bool {
    if deadline.is_some() {
        checker::thread::yield_now();
        return true;
    }
    if !WOKEN_FOR_NOTHING.with(|woken| woken.replace(true)) {
        return false;
    }
    let me = ME.with(Clone::clone);
    let (token, condvar) = &*me.0;
    let mut token = token.lock().expect("no model panics with the lock");
    while !*token {
        token = condvar.wait(token).expect("no model panics with the lock");
    }
    *token = false;
    false
}
