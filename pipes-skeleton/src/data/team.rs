//! Teams: the calling thread and others, which work on borrowed data and have ended when the call returns.

use crate::failure::{BuildError, Failure, FailureKind};
use crate::run::setting::Setting;
use crate::run::threads::{Stopped, Threads};
use crate::sync::{Lock, Scope, scope, spawn_scoped};
use std::mem::take;

/// The threads of one call. The first one that panics stops the others, and its panic is reported.
pub(crate) struct Team {
    name: &'static str,
    pub(crate) threads: Threads,
}

impl Team {
    /// Creates a team for a skeleton of this name.
    ///
    /// # Errors
    ///
    /// Returns an error if the team would have no workers.
    pub(crate) fn new(name: &'static str, workers: usize) -> Result<Self, Failure> {
        if workers == 0 {
            return Err(Failure::new(name.to_owned(), FailureKind::Build(BuildError::NoReplicas)));
        }
        Ok(Team { name, threads: Threads::new(Setting::default()) })
    }

    /// Calls `work` in the calling thread and in `others` new ones, each with its number, from 0, and with a
    /// state of its own. There are fewer threads if the system cannot start all of them, or if `are_wanted`
    /// returns `false`. Waits until all have ended, and returns their states.
    ///
    /// The state of a thread is not dropped by a panic of the thread, because a destructor that panics then
    /// would abort the process.
    pub(crate) fn run<State: Default + Send>(
        &self,
        others: usize,
        are_wanted: impl Fn() -> bool + Sync,
        work: impl Fn(usize, &mut State) -> Result<(), Stopped> + Sync,
    ) -> Vec<State> {
        let states = Lock::new(Vec::new());
        let member = |number| {
            let mut state = State::default();
            self.catch_panic(|| work(number, &mut state));
            states.lock().push(state);
        };
        self.catch_panic(|| together(others, || !self.threads.is_stopped() && are_wanted(), member));
        take(&mut *states.lock())
    }

    /// Runs user code. Reports a panic as a failure, and returns `None`.
    pub(crate) fn catch_panic<R>(&self, run: impl FnOnce() -> R) -> Option<R> {
        self.threads.catch_panic(self.name, run)
    }

    /// Returns an error if the team was stopped.
    #[inline]
    pub(crate) fn check_stopped(&self) -> Result<(), Stopped> {
        self.threads.check_stopped()
    }

    /// Ends the call, and returns `results`.
    ///
    /// # Errors
    ///
    /// Returns the first failure. The results are dropped.
    pub(crate) fn end<R>(self, results: R) -> Result<R, Failure> {
        match self.threads.join() {
            Ok(()) => Ok(results),
            Err(failure) => {
                self.catch_panic(|| drop(results));
                Err(failure)
            }
        }
    }
}

/// Runs the function in the calling thread and in `others` new ones, each with its own number, from 0. All of
/// them have ended when this returns. There are fewer threads if the system cannot start all of them, or if
/// `are_wanted` returns `false`.
///
/// Each thread first starts two others, while `are_wanted` returns `true`. So a large number of threads
/// starts quickly, and a small amount of work does not wait for threads that it does not need. Panics if the
/// function panics in one of the threads.
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
