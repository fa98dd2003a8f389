//! The threads that sleep, and what each of them waits for: what [`inspect`](crate::inspect) shows.
//!
//! # States
//!
//! Each [`SleepCell`] is *awake* or *asleep*:
//!
//! | from | to | by |
//! |---|---|---|
//! | awake | asleep | its thread, before it parks: [`SleepCell::sleep`] |
//! | asleep | awake | its thread, after it has parked: [`Sleeping::end`] |
//!
//! # Access
//!
//! A cell that is asleep points to the description of its wait, on its thread's stack. Other threads
//! follow that pointer only under the cell's lock. Its thread takes the same lock before it goes on, so
//! the description is there, and does not change, as long as a reader holds the lock. A reader that finds
//! the cell awake does not follow the pointer. Nor does one in a process that was forked meanwhile, which
//! has a copy of the cell, but not its thread.

use super::ends::{Caller, EndList, Ends};
use super::wake_flag::WakeFlag;
use crate::sync::{SleepLock, StaticLock, Thread, ThreadId, WakeArc, WakeWeak, lock_soon};
use std::mem::ManuallyDrop;
use std::process;
use std::ptr::NonNull;
use std::time::Instant;

/// A thread that can sleep. It has one for each wait inside a wait.
pub(crate) struct SleepCell {
    flag: WakeArc<WakeFlag>,
    /// The process in which the thread runs. In a process that was forked from it there is no such thread,
    /// and its stack may have another use.
    process: u32,
    asleep: SleepLock<Option<Asleep>>,
}

/// A sleep: where, since when, for how long, and for what.
struct Asleep {
    caller: Caller,
    since: Instant,
    deadline: Option<Instant>,
    ends: NonNull<dyn Ends>,
    /// With what the thread panics when it wakes up.
    panics_with: Option<String>,
}

// SAFETY: the pointer is followed only as the access rule says, and what it leads to is made to be read by
// other threads, see `Ends`.
unsafe impl Send for Asleep {}

/// A sleep as another thread sees it.
pub(crate) struct Seen {
    pub(crate) thread: Thread,
    pub(crate) caller: Caller,
    pub(crate) since: Instant,
    pub(crate) deadline: Option<Instant>,
    pub(crate) ends: EndList,
    /// Its waker was called, and it has not gone on yet.
    pub(crate) is_woken: bool,
}

impl SleepCell {
    /// Creates a cell for the thread of this flag, which is awake. It is listed until it is dropped.
    pub(super) fn new(flag: WakeArc<WakeFlag>) -> WakeArc<Self> {
        let cell = WakeArc::new(SleepCell { flag, process: process::id(), asleep: SleepLock::new(None) });
        register(&cell);
        cell
    }

    /// Marks the thread as asleep until the result ends. Does nothing if another thread does not stop
    /// looking at it.
    pub(super) fn sleep<'a>(
        &'a self,
        caller: Caller,
        since: Instant,
        deadline: Option<Instant>,
        ends: &'a dyn Ends,
    ) -> Option<Sleeping<'a>> {
        let ends = NonNull::from(ends);
        // SAFETY: this changes only the lifetime. `Sleeping` borrows the description and takes the pointer
        // back when it ends or is dropped, and it is not forgotten otherwise.
        let ends = unsafe { std::mem::transmute::<NonNull<dyn Ends + 'a>, NonNull<dyn Ends>>(ends) };
        self.asleep.owner_changes();
        *self.asleep.lock_soon()? = Some(Asleep { caller, since, deadline, ends, panics_with: None });
        Some(Sleeping(self))
    }

    /// Returns the sleep, if the thread is asleep.
    fn look(&self) -> Option<Seen> {
        let asleep = self.asleep.lock_soon()?;
        let Asleep { caller, since, deadline, ends: described, .. } = asleep.as_ref()?;
        self.asleep.reader_looks();
        let mut ends = EndList::default();
        // SAFETY: the thread is asleep and cannot go on before this lock is released, so the description
        // lives and does not change.
        unsafe { described.as_ref() }.list(&mut ends);
        Some(Seen {
            thread: self.flag.thread.clone(),
            caller,
            since: *since,
            deadline: *deadline,
            ends,
            is_woken: self.flag.is_set(),
        })
    }
}

/// Marks a thread as asleep. Only [`wait_until`](super::wait_until) has one, around its sleep.
pub(super) struct Sleeping<'a>(&'a SleepCell);

impl Sleeping<'_> {
    /// Marks the thread as awake. Returns the text with which it has to panic, if another thread says so.
    pub(super) fn end(self) -> Option<String> {
        ManuallyDrop::new(self).wake()
    }

    fn wake(&self) -> Option<String> {
        let asleep = self.0.asleep.lock().take();
        self.0.asleep.owner_changes();
        asleep?.panics_with
    }
}

impl Drop for Sleeping<'_> {
    fn drop(&mut self) {
        self.wake();
    }
}

/// All sleepers that may exist. Those of threads that have ended are removed when the list grows.
static SLEEPERS: StaticLock<Vec<WakeWeak<SleepCell>>> = StaticLock::new(Vec::new());

fn register(cell: &WakeArc<SleepCell>) {
    // Without the list, the thread is not seen.
    let Some(mut sleepers) = lock_soon(&SLEEPERS) else { return };
    if sleepers.len() == sleepers.capacity() {
        sleepers.retain(|it| it.strong_count() > 0);
        let living = sleepers.len();
        sleepers.reserve(living.max(16));
    }
    sleepers.push(WakeArc::downgrade(cell));
}

/// Returns the sleeps of all threads that are asleep.
pub(crate) fn look_at_sleepers() -> Vec<Seen> {
    living().iter().filter_map(|it| it.look()).collect()
}

/// Ends the sleep of this thread that began at this time, if it still lasts: the method in which it sleeps
/// panics with this text.
pub(crate) fn end_sleep(thread: ThreadId, since: Instant, text: &str) {
    for cell in living().iter().filter(|it| it.flag.thread.id() == thread) {
        let Some(mut asleep) = cell.asleep.lock_soon() else { continue };
        if let Some(asleep) = asleep.as_mut().filter(|it| it.since == since) {
            asleep.panics_with = Some(text.to_owned());
            cell.flag.thread.unpark();
        }
    }
}

/// Returns the cells of the threads of this process.
fn living() -> Vec<WakeArc<SleepCell>> {
    let Some(sleepers) = lock_soon(&SLEEPERS) else { return Vec::new() };
    let mut living: Vec<_> = sleepers.iter().filter_map(WakeWeak::upgrade).collect();
    drop(sleepers);
    let process = process::id();
    living.retain(|it| it.process == process && it.asleep.is_of_this_model());
    living
}
