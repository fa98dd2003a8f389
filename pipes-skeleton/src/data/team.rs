//! Teams: the calling thread and others, which work on borrowed data and have ended when the call returns.

use crate::failure::{BuildError, Cause, Failure};
use crate::run::crew::{Crew, Halted};
use crate::sync::{Lock, Scope, scope, spawn_scoped};
use std::mem::take;

/// The threads of one call. The first one that panics stops the others, and its panic is reported.
pub(crate) struct Team {
    name: &'static str,
    pub(crate) crew: Crew,
}

impl Team {
    /// Creates a team for a skeleton of this name.
    ///
    /// # Errors
    ///
    /// The team would have no workers.
    pub(crate) fn new(name: &'static str, workers: usize) -> Result<Self, Failure> {
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
    pub(crate) fn run<Own: Default + Send>(
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
    pub(crate) fn guarded<R>(&self, run: impl FnOnce() -> R) -> Option<R> {
        self.crew.guarded(self.name, run)
    }

    /// Returns an error if the run has been stopped.
    #[inline]
    pub(crate) fn go_on(&self) -> Result<(), Halted> {
        self.crew.go_on()
    }

    /// Ends the call, and returns what was made. After a failure, it is dropped.
    ///
    /// # Errors
    ///
    /// The first failure.
    pub(crate) fn end<M>(self, made: M) -> Result<M, Failure> {
        match self.crew.join() {
            Ok(()) => Ok(made),
            Err(failure) => {
                self.guarded(|| drop(made));
                Err(failure)
            }
        }
    }
}

/// Runs the function in the calling thread and in `others` new ones, each with its own number, from 0. All of
/// them have ended when this returns. There are fewer threads if the system cannot start that many, or when
/// `are_wanted` says that no more are needed.
///
/// Each thread starts two others before it does anything else, unless no more are wanted by then. So a large
/// number of threads starts quickly, and a small amount of work does not wait for threads that it does not
/// need. Panics if the function panics in one of the threads.
fn together(others: usize, are_wanted: impl Fn() -> bool + Sync, run: impl Fn(usize) + Sync) {
    if others == 0 {
        return run(0);
    }
    scope(|scope| member(scope, 0, others, &are_wanted, &run));
}

fn member<'scope>(
    scope: &'scope Scope<'scope, '_>,
    number: usize,
    last: usize,
    are_wanted: &'scope (impl Fn() -> bool + Sync),
    run: &'scope (impl Fn(usize) + Sync),
) {
    let first = number.saturating_mul(2).saturating_add(1);
    for next in [first, first.saturating_add(1)] {
        if next <= last && are_wanted() {
            spawn_scoped(scope, move || member(scope, next, last, are_wanted, run));
        }
    }
    run(number);
}
