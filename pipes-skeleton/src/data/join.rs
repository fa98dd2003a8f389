//! Joins, which collect the results of the parts of a problem.
//!
//! Each join holds the destination of its own result, which is in the join of the problem that it is part of.
//! So neither a stack frame nor a thread waits for parts: the worker that adds the last missing result
//! continues with that problem.

use crate::sync::{Arc, Lock};

/// A problem whose parts are not all solved.
pub(crate) struct Join<R>(Lock<Gathered<R>>);

struct Gathered<R> {
    results: Vec<Option<R>>,
    missing: usize,
    /// The destination of the result of the problem.
    parent: Option<Destination<R>>,
}

/// The destination of one part's result.
pub(crate) struct Destination<R> {
    join: Arc<Join<R>>,
    index: usize,
}

impl<R> Join<R> {
    pub(crate) fn new(parts: usize, parent: Option<Destination<R>>) -> Arc<Self> {
        let results = (0..parts).map(|_| None).collect();
        Arc::new(Join(Lock::new(Gathered { results, missing: parts, parent })))
    }

    fn take_parent(&self) -> Option<Destination<R>> {
        self.0.lock().parent.take()
    }
}

impl<R> Destination<R> {
    /// Creates the destination of a part's result. Each is created once.
    pub(crate) fn of(join: &Arc<Join<R>>, index: usize) -> Self {
        Destination { join: join.clone(), index }
    }

    /// Adds the result of the part. If it was the last one missing, returns all results, and the destination
    /// of the result of the problem.
    pub(crate) fn put(self, result: R) -> Option<(Vec<R>, Option<Destination<R>>)> {
        let mut gathered = self.join.0.lock();
        gathered.results[self.index] = Some(result);
        gathered.missing -= 1;
        if gathered.missing > 0 {
            return None;
        }
        let results = gathered.results.drain(..).flatten().collect();
        Some((results, gathered.parent.take()))
    }
}

impl<R> Drop for Join<R> {
    /// Drops the parents one after another. This is a loop and not a recursion, because there may be any
    /// number of them.
    fn drop(&mut self) {
        let mut parent = self.take_parent();
        while let Some(destination) = parent.take() {
            // If another thread still holds the join, that thread drops it.
            parent = Arc::try_unwrap(destination.join).ok().and_then(|join| join.take_parent());
        }
    }
}
