//! A pipeline that runs by itself.

use crate::failure::Failure;
use crate::run::crew::Crew;
use crate::sync::discard;
use std::fmt;

/// A pipeline that runs by itself. Dropping it ends the pipeline, and waits for its stages. A handle that an
/// error or a panic of its own pipeline contains keeps both alive, like a cycle of `Arc`s.
#[must_use = "dropping it ends the pipeline"]
pub struct Running(Option<Result<Crew, Failure>>);

impl Running {
    pub(super) fn new(run: Result<Crew, Failure>) -> Self {
        Running(Some(run))
    }

    /// Waits until the pipeline has ended.
    ///
    /// Blocks the thread.
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
    /// The first failure.
    pub fn join(mut self) -> Result<(), Failure> {
        match self.0.take() {
            None => Ok(()),
            Some(run) => run?.join(),
        }
    }

    /// Lets the pipeline run on without this handle.
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
        if let Some(Ok(crew)) = self.0.take() {
            crew.stop();
            // The caller drops the handle, so it is not interested in a failure.
            discard(crew.join());
        }
    }
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running").finish_non_exhaustive()
    }
}
