//! Joins, in which the results of a division's parts come together.
//!
//! Each division holds the destination of its own result, which is in another division. So neither a stack
//! frame nor a thread waits for parts: the worker that brings the last missing result goes on with the
//! division above.

use crate::sync::{Arc, Lock};

/// A division whose parts are not all solved.
pub(crate) struct Join<R>(Lock<Gathered<R>>);

struct Gathered<R> {
    results: Vec<Option<R>>,
    missing: usize,
    /// The destination of the division's own result.
    above: Option<Destination<R>>,
}

/// The destination of one part's result.
pub(crate) struct Destination<R> {
    join: Arc<Join<R>>,
    index: usize,
}

impl<R> Join<R> {
    pub(crate) fn new(parts: usize, above: Option<Destination<R>>) -> Arc<Self> {
        let results = (0..parts).map(|_| None).collect();
        Arc::new(Join(Lock::new(Gathered { results, missing: parts, above })))
    }

    fn take_above(&self) -> Option<Destination<R>> {
        self.0.lock().above.take()
    }
}

impl<R> Destination<R> {
    /// Returns the destination of a part's result. Each is made once.
    pub(crate) fn of(join: &Arc<Join<R>>, index: usize) -> Self {
        Destination { join: join.clone(), index }
    }

    /// Puts the result in. If it was the last one missing, returns all results, and the destination of the
    /// division's own result.
    pub(crate) fn put(self, result: R) -> Option<(Vec<R>, Option<Destination<R>>)> {
        let mut gathered = self.join.0.lock();
        gathered.results[self.index] = Some(result);
        gathered.missing -= 1;
        if gathered.missing > 0 {
            return None;
        }
        let results = gathered.results.drain(..).flatten().collect();
        Some((results, gathered.above.take()))
    }
}

impl<R> Drop for Join<R> {
    /// Divisions that were given up are dropped one after the other, from below. This is a loop and not a
    /// recursion, because there may be any number of them.
    fn drop(&mut self) {
        let mut above = self.take_above();
        while let Some(destination) = above.take() {
            // If another thread still holds it, that thread drops it.
            above = Arc::try_unwrap(destination.join).ok().and_then(|join| join.take_above());
        }
    }
}
