//! The only way in which a thread waits.
//!
//! A wait *looks* whether something has come, and registers its waker with the source; then it *sleeps* until
//! the waker is called, and looks again. [`wait_until`] does both in turn. No other function of this crate
//! parks a thread, and no other file can: `park` is not visible outside of this folder.
//!
//! # What may run between the look and the sleep
//!
//! The user's code. A look may drop the waker of a task that was registered before, or call a `Readiness`
//! that the user has written; the deadline of a stage may be the user's as well. All of these may put the
//! thread to sleep: by `std::thread::park`, by a channel of the standard library, by a receive of this crate.
//! A thread has one token for `park`, and any of these sleeps uses it up, even if it was meant for the wait
//! around it.
//!
//! So a wait does not rely on the token. Each wait has a *mark*, which its waker sets before it unparks the
//! thread, and which only this wait takes away. The wait checks the mark after the last call of the user's
//! code, and takes it away before each further look. So if the waker is called after the registration, the
//! wait looks again:
//!
//! - if it is called before the check, the mark is set, and the thread does not sleep;
//! - if it is called after the check, the token is there, because no code runs any more that could use it up,
//!   and the sleep ends at once.
//!
//! One mark for each thread would not be enough: a wait inside the user's code would take away the mark of
//! the wait around it.

use crate::sync::{Flag, Ordering, Thread, WakeArc, park, this_thread, thread_local};
use std::cell::Cell;
use std::ops::Deref;
use std::task::{Context, Poll, Wake, Waker};
use std::time::Instant;

/// Blocks the thread until `poll` is ready. `poll` registers the waker that it gets. It is called again each
/// time that the waker was called, and sometimes for no reason. None: the deadline has passed, and `poll` was
/// not ready.
///
/// `deadline` is called before each sleep. Both functions may run the user's code.
pub(crate) fn wait_until<R>(
    mut deadline: impl FnMut() -> Option<Instant>,
    mut poll: impl FnMut(&mut Context<'_>) -> Poll<R>,
) -> Option<R> {
    let sleeper = Sleeper::lend();
    let mut cx = Context::from_waker(&sleeper.waker);
    loop {
        if let Poll::Ready(found) = poll(&mut cx) {
            return Some(found);
        }
        let deadline = deadline();
        // From here on no user code runs.
        let is_late = if sleeper.mark.is_set() { has_passed(deadline) } else { park(deadline) };
        sleeper.mark.take_away();
        if is_late {
            return None;
        }
    }
}

/// A deadline also ends a wait whose own look has called its waker.
fn has_passed(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|deadline| deadline <= Instant::now())
}

/// The mark of a wait, which its waker sets.
struct Mark {
    woken: Flag,
    thread: Thread,
}

impl Mark {
    /// Takes the mark away, before a look.
    fn take_away(&self) {
        // ORDERING: Acquire pairs with `wake`: the look sees what had come when the waker was called. It is a
        // swap and not a store, because a store could remove a mark without seeing what came before it.
        self.woken.take(Ordering::Acquire);
    }

    /// Was the waker called? The call may belong to an earlier wait, which only costs a look.
    fn is_set(&self) -> bool {
        // ORDERING: Relaxed: if other code of this thread has used the token up, that code has seen the
        // unpark, and with it the mark that was set before; otherwise the token is still there.
        self.woken.load(Ordering::Relaxed)
    }
}

impl Wake for Mark {
    fn wake(self: WakeArc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &WakeArc<Self>) {
        // ORDERING: Release pairs with `take_away`: the next look sees what has come.
        self.woken.set(Ordering::Release);
        self.thread.unpark();
    }
}

/// A mark and the waker that sets it, for one wait at a time.
struct Sleeper {
    mark: WakeArc<Mark>,
    waker: Waker,
}

thread_local! {
    /// The sleeper of this thread's last wait, which the next wait reuses. It is `None` during a wait, so
    /// that a wait inside that one gets another sleeper. Reusing it saves an allocation, and a structure that
    /// has registered its waker need not register it again.
    #[allow(clippy::missing_const_for_thread_local, reason = "the checkers' have no constants")]
    static IDLE: Cell<Option<Sleeper>> = Cell::new(None);
}

impl Sleeper {
    fn lend() -> Lent {
        // A thread that is ending has no thread-local to keep one in.
        let idle = IDLE.try_with(Cell::take).ok().flatten();
        Lent(Some(idle.unwrap_or_else(|| {
            let mark = WakeArc::new(Mark { woken: Flag::new(), thread: this_thread() });
            Sleeper { waker: mark.clone().into(), mark }
        })))
    }
}

/// A sleeper in use, which becomes idle when this is dropped.
struct Lent(Option<Sleeper>);

impl Deref for Lent {
    type Target = Sleeper;

    fn deref(&self) -> &Sleeper {
        self.0.as_ref().expect("only the destructor takes the sleeper out")
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let sleeper = self.0.take();
        // A thread that is ending drops its sleeper instead.
        let _ = IDLE.try_with(|idle| idle.set(sleeper));
    }
}
