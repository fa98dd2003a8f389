//! The one way in which a thread waits.
//!
//! A wait *looks* whether there is something for it and leaves its waker where that will come from; then it
//! *sleeps* until the waker is called, and looks again. [`wait_until`] does both in turns. No other function
//! of this crate parks a thread, and no other file can: `park` is not visible outside of this folder.
//!
//! # What may run between the look and the sleep
//!
//! Code of the user's. A look may drop the waker of a task that was registered before, or ask a `Readiness`
//! that the user has written; the deadline of a stage may be the user's as well. All of that may itself put
//! the thread to sleep: by `std::thread::park`, by a channel of the standard library, by a receive of this
//! crate. A thread has one token, which any of these sleeps uses up, also when it was meant for the wait
//! around it.
//!
//! So a wait does not rely on the token. Each wait has a *mark* that its waker sets before it unparks the
//! thread, and that only this wait takes away. The wait looks at the mark once more after the last code that
//! may be the user's, and takes it away before each further look. So whenever the waker is called after the
//! registration, the wait looks again:
//!
//! - before that, the mark is there, and the thread does not sleep;
//! - after that, the token is there, because nothing runs any more that could use it up, and the sleep ends
//!   at once.
//!
//! A mark for each thread would not be enough. A wait inside the user's code would take away the mark of the
//! one around it.

use super::{Flag, Ordering, Thread, WakeArc, park, this_thread, thread_local};
use std::cell::Cell;
use std::ops::Deref;
use std::task::{Context, Poll, Wake, Waker};
use std::time::Instant;

/// Blocks the thread until `poll` is ready. `poll` registers the waker that it is given; it is called again
/// whenever that was called, and sometimes for no reason. None: `poll` was not ready when the deadline had
/// passed.
///
/// The deadline is asked for before each sleep. Both functions may run code of the user's.
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
        // From here on nothing of the user's runs.
        let is_late = if sleeper.mark.is_set() { has_passed(deadline) } else { park(deadline) };
        sleeper.mark.take_away();
        if is_late {
            return None;
        }
    }
}

/// A deadline ends also a wait that its own look has called the waker of.
fn has_passed(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|deadline| deadline <= Instant::now())
}

/// What the waker of a wait leaves for it.
struct Mark {
    woken: Flag,
    thread: Thread,
}

impl Mark {
    /// Before a look.
    fn take_away(&self) {
        // ORDERING: Acquire pairs with `wake`: the look sees what had come when the waker was called. A swap
        // and no store, because a store would lose a mark without seeing what it stands for.
        self.woken.take(Ordering::Acquire);
    }

    /// Was the waker called? Perhaps in the name of an earlier wait, which costs a look.
    fn is_set(&self) -> bool {
        // ORDERING: Relaxed: if the token was used up by other code of this thread, that code has seen the
        // unpark, and with it the mark that was set before; otherwise the token is still there.
        self.woken.load(Ordering::Relaxed)
    }
}

impl Wake for Mark {
    fn wake(self: WakeArc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &WakeArc<Self>) {
        // ORDERING: Release pairs with `take_away`: what has come is seen by the next look.
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
    /// The sleeper of this thread's last wait, which the next one uses again; none while it waits, so that a
    /// wait inside of that one has another. To be the same each time spares an allocation, and spares those
    /// that know its waker to register it again.
    #[allow(clippy::missing_const_for_thread_local, reason = "the checkers' have no constants")]
    static IDLE: Cell<Option<Sleeper>> = Cell::new(None);
}

impl Sleeper {
    fn lend() -> Lent {
        // A thread that is being torn down has nothing to keep one in.
        let idle = IDLE.try_with(Cell::take).ok().flatten();
        Lent(Some(idle.unwrap_or_else(|| {
            let mark = WakeArc::new(Mark { woken: Flag::new(), thread: this_thread() });
            Sleeper { waker: mark.clone().into(), mark }
        })))
    }
}

/// A sleeper in use, which is idle again when this is dropped.
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
        // As in `lend`.
        let _ = IDLE.try_with(|idle| idle.set(sleeper));
    }
}
