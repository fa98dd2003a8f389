//! Teams: the calling thread and others, which work on borrowed data and have ended when the call returns.

use crate::skeleton::failure::{BuildError, Cause, Failure};
use crate::skeleton::run::crew::{Crew, Halted};
use crate::sync::{Lock, together};
use std::mem::take;

/// The threads of one call. The first one that panics stops the others, and its panic is reported.
pub(in crate::skeleton) struct Team {
    name: &'static str,
    pub(in crate::skeleton) crew: Crew,
}

impl Team {
    /// A team for a skeleton of this name.
    ///
    /// # Errors
    ///
    /// The team would have no workers.
    pub(in crate::skeleton) fn new(name: &'static str, workers: usize) -> Result<Self, Failure> {
        if workers == 0 {
            return Err(Failure::new(name.to_owned(), Cause::Build(BuildError::NoReplicas)));
        }
        Ok(Team { name, crew: Crew::new() })
    }

    /// Calls `work` in the calling thread and in `others` new ones, each with its number, from 0, and with
    /// its own `Own`. There are fewer threads if the system cannot start that many, or if `are_wanted` says
    /// that no more are needed. Returns what belonged to the threads when all have ended.
    ///
    /// What belongs to a thread outlives its panic: if the panic dropped it, a destructor that panics too
    /// would abort the process.
    pub(in crate::skeleton) fn run<Own: Default + Send>(
        &self,
        others: usize,
        are_wanted: impl Fn() -> bool + Sync,
        work: impl Fn(usize, &mut Own) -> Result<(), Halted> + Sync,
    ) -> Vec<Own> {
        let owned = Lock::new(Vec::new());
        let member = |number| {
            let mut own = Own::default();
            self.guarded(|| work(number, &mut own));
            owned.lock().push(own);
        };
        self.guarded(|| together(others, || !self.crew.is_stopped() && are_wanted(), member));
        take(&mut *owned.lock())
    }

    /// Runs the user's code; a panic is a failure.
    pub(in crate::skeleton) fn guarded<R>(&self, run: impl FnOnce() -> R) -> Option<R> {
        self.crew.guarded(self.name, run)
    }

    /// Returns an error if the run has been stopped.
    #[inline]
    pub(in crate::skeleton) fn go_on(&self) -> Result<(), Halted> {
        self.crew.go_on()
    }

    /// Ends the call, and returns what was made. After a failure, it is dropped.
    ///
    /// # Errors
    ///
    /// The first failure.
    pub(in crate::skeleton) fn end<M>(self, made: M) -> Result<M, Failure> {
        match self.crew.join() {
            Ok(()) => Ok(made),
            Err(failure) => {
                self.guarded(|| drop(made));
                Err(failure)
            }
        }
    }
}
