//! Cancellation from outside a pipeline.

use crate::failure::FailureKind;
use crate::run::threads::Threads;
use crate::sync::{Arc, Lock, discard};
use std::fmt;
use std::mem::take;

/// A handle that ends pipelines, both those that already run and those that start later. Give it to them with
/// [`cancelled_by`](super::Pipeline::cancelled_by). They report [`FailureKind::Cancelled`].
///
/// ```
/// use pipes_skeleton::{Cancel, FailureKind, from_iter};
///
/// let cancel = Cancel::new();
/// let numbers = from_iter(0..).cancelled_by(&cancel).for_each({
///     let cancel = cancel.clone();
///     move |number| {
///         if number == 1000 {
///             cancel.cancel()
///         }
///     }
/// });
/// assert!(matches!(numbers.expect_err("it has no end").kind(), FailureKind::Cancelled));
/// ```
#[derive(Clone)]
pub struct Cancel(Arc<Lock<State>>);

#[derive(Default)]
struct State {
    cancelled: bool,
    runs: Vec<Threads>,
}

impl Cancel {
    /// Creates a handle.
    ///
    /// ```
    /// use pipes_skeleton::{Cancel, from_iter};
    ///
    /// let cancel = Cancel::new();
    /// let sum =
    ///     from_iter(1..=4).cancelled_by(&cancel).fold(0, |sum, number| sum + number)?;
    /// assert_eq!(sum, 10, "it was not cancelled");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new() -> Self {
        Cancel(Arc::new(Lock::new(State::default())))
    }

    /// Ends the pipelines. Items that are being processed are finished; waiting items are dropped, and what
    /// stages have gathered is not emitted. Returns at once. A handler of Ctrl-C that runs in a thread of its
    /// own may call this, as in the cookbook's program `summing_up`.
    ///
    /// ```
    /// use pipes_skeleton::{Cancel, FailureKind, from_iter};
    ///
    /// let cancel = Cancel::new();
    /// let (port, running) = from_iter(0_u64..).cancelled_by(&cancel).into_port();
    /// cancel.cancel();
    /// drop(port.into_iter().count());
    /// assert!(matches!(
    ///     running.join().expect_err("it has no end").kind(),
    ///     FailureKind::Cancelled
    /// ));
    /// ```
    pub fn cancel(&self) {
        let mut state = self.0.lock();
        state.cancelled = true;
        let runs = take(&mut state.runs);
        drop(state);
        runs.iter().for_each(|threads| threads.fail("", FailureKind::Cancelled));
        discard(runs);
    }

    /// Returns `true` if [`cancel`](Cancel::cancel) was called. This never changes back to `false`.
    ///
    /// ```
    /// let cancel = pipes_skeleton::Cancel::new();
    /// assert!(!cancel.is_cancelled());
    /// cancel.clone().cancel();
    /// assert!(cancel.is_cancelled());
    /// ```
    pub fn is_cancelled(&self) -> bool {
        self.0.lock().cancelled
    }

    /// Adds a run, which is then cancelled with the others.
    pub(super) fn attach(&self, threads: &Threads) {
        let mut state = self.0.lock();
        if state.cancelled {
            drop(state);
            threads.fail("", FailureKind::Cancelled);
        } else {
            // Runs that are over need not be cancelled. Dropping them may run user code, so the lock is not
            // held.
            let (on, over): (Vec<_>, Vec<_>) =
                take(&mut state.runs).into_iter().partition(Threads::is_running);
            state.runs = on;
            state.runs.push(threads.clone());
            drop(state);
            discard(over);
        }
    }
}

impl Default for Cancel {
    fn default() -> Self {
        Cancel::new()
    }
}

impl fmt::Debug for Cancel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cancel").field("cancelled", &self.is_cancelled()).finish()
    }
}
