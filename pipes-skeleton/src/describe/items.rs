//! The results of a pipeline as an iterator.

use super::pipeline::Pipeline;
use crate::failure::Failure;
use crate::run::input::Input;
use crate::run::threads::{ThreadGuard, Threads};
use crate::sync::discard;
use std::fmt;

impl<T: Send + 'static> IntoIterator for Pipeline<T> {
    type Item = Result<T, Failure>;
    type IntoIter = Items<T>;

    /// Runs the pipeline. The iterator returns its results and, if the pipeline fails, the first failure at
    /// the end.
    fn into_iter(self) -> Items<T> {
        Items(
            self.launch()
                .map_or_else(State::Failed, |(threads, input, guard)| State::On(threads, input, guard)),
        )
    }
}

/// An iterator over the results of a pipeline. If the pipeline fails, the last item is the failure. Dropping
/// the iterator ends the pipeline, and waits for its stages.
///
/// ```
/// use pipes_skeleton::from_iter;
///
/// let mut squares =
///     from_iter(1..).parallel(2, |number| number * number).in_order().into_iter();
/// assert_eq!(squares.next().unwrap().unwrap(), 1);
/// assert_eq!(squares.next().unwrap().unwrap(), 4);
/// drop(squares);
/// ```
#[must_use = "dropping the items ends the pipeline"]
pub struct Items<T>(State<T>);

enum State<T> {
    On(Threads, Input<T>, ThreadGuard),
    Failed(Failure),
    Over,
}

impl<T> Iterator for Items<T> {
    type Item = Result<T, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        if let State::On(threads, input, _) = &mut self.0
            && let Ok(Some(item)) = input.next(threads)
        {
            // The item is completed. Its permit is released when the caller requests the next one.
            input.count_completed();
            return Some(Ok(item));
        }
        match std::mem::replace(&mut self.0, State::Over) {
            State::On(threads, input, guard) => {
                threads.catch_panic("sink", || drop(input));
                drop(guard);
                threads.join().err().map(Err)
            }
            State::Failed(failure) => Some(Err(failure)),
            State::Over => None,
        }
    }
}

impl<T> Drop for Items<T> {
    fn drop(&mut self) {
        if let State::On(threads, input, guard) = std::mem::replace(&mut self.0, State::Over) {
            threads.stop();
            threads.catch_panic("sink", || drop(input));
            drop(guard);
            // The caller drops the iterator, and with it a failure.
            discard(threads.join());
        }
    }
}

impl<T> fmt::Debug for Items<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match &self.0 {
            State::On(..) => "running",
            State::Failed(_) => "failed",
            State::Over => "over",
        };
        f.debug_tuple("Items").field(&state).finish()
    }
}
