//! The only way in which a thread waits.
//!
//! A wait *looks* whether something has come, and registers its waker with the source; then it *sleeps* until
//! the waker is called, and looks again. [`wait_until`] does both in turn. No other function of this crate
//! parks a thread.
//!
//! # What may run between the look and the sleep
//!
//! The user's code. A look may drop the waker of a task that was registered before, or call a `Readiness`
//! that the user has written; the function that says when the deadline is may be the user's as well. All of
//! these may put the thread to sleep: by `std::thread::park`, by a channel of the standard library, by a
//! receive of this crate. A thread has one token for `park`, and any of these sleeps uses it up, even if it
//! was meant for the wait around it.
//!
//! So a wait does not rely on the token. Each wait has a *flag*, which its waker sets before it unparks the
//! thread, and which only this wait clears. The wait checks the flag after the last call of the user's code,
//! and clears it before each further look. So if the waker is called after the registration, the wait looks
//! again:
//!
//! - if it is called before the check, the flag is set, and the thread does not sleep;
//! - if it is called after the check, the token is there, because no code runs any more that could use it up,
//!   and the sleep ends at once.
//!
//! One flag for each thread would not be enough: a wait inside the user's code would clear the flag of the
//! wait around it.

use super::ends::{Caller, Ends};
use super::sleepers::{SleepCell, Sleeping};
use super::steps::Sleeps;
use super::wake_flag::WakeFlag;
use crate::sync::{WakeArc, panicking, park, this_thread, thread_local};
use std::cell::Cell;
use std::ops::Deref;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

/// Blocks the thread until `poll` is ready. `poll` registers the waker that it gets. It is called again each
/// time the waker was called, and sometimes for no reason. Returns `None` if the deadline passed first.
///
/// `deadline` is called before each sleep. Both functions may run the user's code. `caller` and
/// `ends` describe the wait to other threads while this one sleeps.
pub(crate) fn wait_until<R>(
    caller: Caller,
    ends: &dyn Ends,
    mut deadline: impl FnMut() -> Option<Instant>,
    mut poll: impl FnMut(&mut Context<'_>) -> Poll<R>,
) -> Option<R> {
    let parker = Parker::borrow();
    let mut cx = Context::from_waker(&parker.waker);
    let mut since = None;
    let mut sleeps = Sleeps::default();
    loop {
        if let Poll::Ready(found) = poll(&mut cx) {
            return Some(found);
        }
        let deadline = deadline();
        // From here on no user code runs.
        let mut sleep = || {
            sleeps.begin(caller, ends);
            let since = *since.get_or_insert_with(Instant::now);
            let sleeping = parker.cell.sleep(caller, since, deadline, ends);
            let is_late = park(deadline);
            match sleeping.and_then(Sleeping::end) {
                // A thread that was woken meanwhile looks again.
                Some(text) if !panicking() && !parker.flag.is_set() => panic!("{text}"),
                _ => is_late,
            }
        };
        let is_late = if parker.flag.is_set() { has_passed(deadline) } else { sleep() };
        parker.flag.clear();
        if is_late {
            return None;
        }
    }
}

/// Returns `true` if the deadline has passed. It also ends a wait whose own look has called its waker.
fn has_passed(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|deadline| deadline <= Instant::now())
}

/// A flag, the waker that sets it, and what others see of the sleep, for one wait at a time.
struct Parker {
    flag: WakeArc<WakeFlag>,
    waker: Waker,
    cell: WakeArc<SleepCell>,
}

thread_local! {
    /// The parker of this thread's last wait, which the next wait reuses. It is `None` during a wait, so
    /// that a wait inside that one gets another parker. Reusing it saves an allocation, and a structure that
    /// has registered its waker need not register it again.
    #[allow(clippy::missing_const_for_thread_local, reason = "the checkers' have no constants")]
    static IDLE: Cell<Option<Parker>> = Cell::new(None);
}

impl Parker {
    fn borrow() -> BorrowedParker {
        // A thread that is ending has no thread-local to keep one in.
        let idle = IDLE.try_with(Cell::take).ok().flatten();
        BorrowedParker(Some(idle.unwrap_or_else(|| {
            let flag = WakeFlag::new(this_thread());
            Parker { waker: flag.clone().into(), cell: SleepCell::new(flag.clone()), flag }
        })))
    }
}

/// A parker in use, which becomes idle when this is dropped.
struct BorrowedParker(Option<Parker>);

impl Deref for BorrowedParker {
    type Target = Parker;

    fn deref(&self) -> &Parker {
        self.0.as_ref().expect("only the destructor takes the parker out")
    }
}

impl Drop for BorrowedParker {
    fn drop(&mut self) {
        let parker = self.0.take();
        // A thread that is ending drops its parker instead.
        let _ = IDLE.try_with(|idle| idle.set(parker));
    }
}
