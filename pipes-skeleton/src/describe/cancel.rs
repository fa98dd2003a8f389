//! Ending pipelines from outside, at once or after the items that are in them.

use crate::failure::FailureKind;
use crate::run::threads::Threads;
use crate::sync::{Arc, Lock, discard};
use std::fmt;
use std::mem::take;

/// A handle that ends pipelines, both those that already run and those that start later. Give it to them with
/// [`cancelled_by`](super::Pipeline::cancelled_by). There are two ways to end them:
///
/// | method | items that are in the pipeline | what stages have gathered | the pipeline returns |
/// |---|---|---|---|
/// | [`cancel`](Cancel::cancel) | are dropped | is dropped | [`FailureKind::Cancelled`] |
/// | [`drain`](Cancel::drain) | are finished | is emitted | its results, as if the source had ended |
///
/// ```
/// use pipes_skeleton::{Cancel, from_iter};
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
/// assert!(numbers.expect_err("it has no end").is_cancelled());
/// ```
#[derive(Clone)]
pub struct Cancel(Arc<Lock<State>>);

#[derive(Default)]
struct State {
    cancelled: bool,
    draining: bool,
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
    /// own may call this or [`drain`](Cancel::drain), as in the cookbook's program `summing_up`.
    ///
    /// ```
    /// use pipes_skeleton::{Cancel, from_iter};
    ///
    /// let cancel = Cancel::new();
    /// let (port, running) = from_iter(0_u64..).cancelled_by(&cancel).into_port();
    /// cancel.cancel();
    /// drop(port.into_iter().count());
    /// assert!(running.join().expect_err("it has no end").is_cancelled());
    /// ```
    pub fn cancel(&self) {
        let mut state = self.0.lock();
        state.cancelled = true;
        let runs = take(&mut state.runs);
        drop(state);
        runs.iter().for_each(|threads| threads.fail("", FailureKind::Cancelled));
        discard(runs);
    }

    /// Ends the sources of the pipelines. Items that are in the pipelines are finished, stages such as
    /// [`parallel_gather`](super::Pipeline::parallel_gather) emit what they have gathered, and the pipelines
    /// return their results, as if their sources had ended. Returns at once. A pipeline that starts later has
    /// no items.
    ///
    /// A source ends before it takes its next item. Nothing can interrupt one that is in user code, or blocks
    /// in a `read`, as [`line_chunks`](super::line_chunks) may: the pipeline then waits until that returns,
    /// and what it returns is the last item. [`cancel`](Cancel::cancel) does not wait for a `read`, and may
    /// be called after this. What the source has not taken from a port is dropped with the port. A pipeline
    /// whose items are [`posted`](super::posted()) refuses further ones. An item that waits for a
    /// [`Pace`](super::Pace) still waits for it: at rate 0, until the rate is changed.
    ///
    /// ```
    /// use pipes_skeleton::{Cancel, fold, from_iter};
    ///
    /// let cancel = Cancel::new();
    /// let drains = cancel.clone();
    /// let sums = from_iter(1_u64..)
    ///     .inspect(move |number| {
    ///         if *number == 1000 {
    ///             drains.drain()
    ///         }
    ///     })
    ///     .parallel_gather(2, |_replica| fold(0, |sum, number| sum + number))
    ///     .cancelled_by(&cancel);
    /// assert_eq!(sums.fold(0, |all, sum| all + sum)?, 500_500);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn drain(&self) {
        let mut state = self.0.lock();
        state.draining = true;
        // A cancel may follow, so the runs stay.
        let runs = state.runs.clone();
        drop(state);
        runs.iter().for_each(Threads::drain);
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

    /// Returns `true` if [`drain`](Cancel::drain) was called. This never changes back to `false`. A result is
    /// then that of the items before the drain.
    ///
    /// ```
    /// let cancel = pipes_skeleton::Cancel::new();
    /// assert!(!cancel.is_draining());
    /// cancel.clone().drain();
    /// assert!(cancel.is_draining() && !cancel.is_cancelled());
    /// ```
    pub fn is_draining(&self) -> bool {
        self.0.lock().draining
    }

    /// Adds a run, which is then ended with the others.
    pub(super) fn attach(&self, threads: &Threads) {
        let mut state = self.0.lock();
        if state.cancelled {
            drop(state);
            threads.fail("", FailureKind::Cancelled);
        } else {
            // Runs that are over need not be ended. Dropping them may run user code, so the lock is not
            // held.
            let (on, over): (Vec<_>, Vec<_>) =
                take(&mut state.runs).into_iter().partition(Threads::is_running);
            state.runs = on;
            state.runs.push(threads.clone());
            let draining = state.draining;
            drop(state);
            if draining {
                threads.drain();
            }
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
        let state = self.0.lock();
        f.debug_struct("Cancel")
            .field("cancelled", &state.cancelled)
            .field("draining", &state.draining)
            .finish()
    }
}
