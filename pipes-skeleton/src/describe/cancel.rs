//! Cancelling from outside.

use crate::failure::Cause;
use crate::run::crew::Crew;
use crate::sync::{Arc, Lock, discard};
use std::fmt;
use std::mem::take;

/// A handle that ends the pipelines to which it was given with
/// [`cancelled_by`](super::Pipeline::cancelled_by), both those that already run and those that start later.
/// They report [`Cause::Cancelled`].
///
/// ```
/// use pipes_skeleton::{Cancel, Cause, from_iter};
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
/// assert!(matches!(numbers.expect_err("it has no end").cause(), Cause::Cancelled));
/// ```
#[derive(Clone)]
pub struct Cancel(Arc<Lock<Ends>>);

#[derive(Default)]
struct Ends {
    cancelled: bool,
    crews: Vec<Crew>,
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
        Cancel(Arc::new(Lock::new(Ends::default())))
    }

    /// Ends the pipelines. Items that are being processed are finished; waiting items are dropped.
    ///
    /// ```
    /// use pipes_skeleton::{Cancel, Cause, from_iter};
    ///
    /// let cancel = Cancel::new();
    /// let (port, running) = from_iter(0_u64..).cancelled_by(&cancel).into_port();
    /// cancel.cancel();
    /// drop(port.into_iter().count());
    /// assert!(matches!(
    ///     running.join().expect_err("it has no end").cause(),
    ///     Cause::Cancelled
    /// ));
    /// ```
    pub fn cancel(&self) {
        let mut ends = self.0.lock();
        ends.cancelled = true;
        let crews = take(&mut ends.crews);
        drop(ends);
        crews.iter().for_each(|crew| crew.fail("", Cause::Cancelled));
        discard(crews);
    }

    /// Returns `true` once [`cancel`](Cancel::cancel) was called. `true` stays true.
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

    /// Attaches a run, which is cancelled with the others.
    pub(super) fn attach(&self, crew: &Crew) {
        let mut ends = self.0.lock();
        if ends.cancelled {
            drop(ends);
            crew.fail("", Cause::Cancelled);
        } else {
            // Runs that are over need not be cancelled. What they own may be the user's, so it is dropped
            // without the lock.
            let (on, over): (Vec<_>, Vec<_>) = take(&mut ends.crews).into_iter().partition(Crew::is_at_work);
            ends.crews = on;
            ends.crews.push(crew.clone());
            drop(ends);
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
