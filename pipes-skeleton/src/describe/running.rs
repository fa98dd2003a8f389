//! A running pipeline whose results go to a port.

use crate::failure::Failure;
use crate::run::threads::Threads;
use crate::sync::discard;
use std::fmt;

/// A handle to a running pipeline. Dropping it ends the pipeline, and waits for its stages. If an error or a
/// panic of the pipeline contains the handle, both stay alive, like a cycle of `Arc`s.
#[must_use = "dropping it ends the pipeline"]
pub struct Running(Option<Result<Threads, Failure>>);

impl Running {
    pub(super) fn new(run: Result<Threads, Failure>) -> Self {
        Running(Some(run))
    }

    /// Blocks until the pipeline has ended.
    ///
    /// ```
    /// use pipes_skeleton::from_iter;
    ///
    /// let (port, running) = from_iter(1..=3).into_port();
    /// assert_eq!(port.into_iter().sum::<i32>(), 6);
    /// running.join()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the first failure.
    pub fn join(mut self) -> Result<(), Failure> {
        match self.0.take() {
            None => Ok(()),
            Some(run) => run?.join(),
        }
    }

    /// Lets the pipeline continue without this handle.
    ///
    /// ```
    /// use pipes_skeleton::from_iter;
    ///
    /// let (port, running) = from_iter(1..=3).into_port();
    /// running.detach();
    /// assert_eq!(port.into_iter().sum::<i32>(), 6);
    /// ```
    pub fn detach(mut self) {
        self.0 = None;
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(Ok(threads)) = self.0.take() {
            threads.stop();
            // The caller drops the handle, and with it a failure.
            discard(threads.join());
        }
    }
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running").finish_non_exhaustive()
    }
}
