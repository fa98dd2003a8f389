//! The results of a pipeline as an iterator.

use super::pipeline::Pipeline;
use crate::failure::Failure;
use crate::run::crew::{Badge, Crew};
use crate::run::supply::Supply;
use crate::sync::discard;
use std::fmt;

impl<T: Send + 'static> IntoIterator for Pipeline<T> {
    type Item = Result<T, Failure>;
    type IntoIter = Items<T>;

    /// Runs the pipeline; the iterator returns its results, and at the end the first failure, if there was
    /// one.
    fn into_iter(self) -> Items<T> {
        Items(self.launch().map_or_else(Run::Failed, |(crew, supply, seat)| Run::On(crew, supply, seat)))
    }
}

/// The items that come out of a pipeline; if it fails, the last item is the failure. Dropping it ends the
/// pipeline, and waits for its stages.
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
pub struct Items<T>(Run<T>);

enum Run<T> {
    On(Crew, Supply<T>, Badge),
    Failed(Failure),
    Over,
}

impl<T> Iterator for Items<T> {
    type Item = Result<T, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Run::On(crew, supply, _) = &mut self.0
            && let Ok(Some(item)) = supply.next(crew)
        {
            // The caller has the item now. Its place is given back when the caller asks for the next one.
            supply.came_out();
            return Some(Ok(item));
        }
        match std::mem::replace(&mut self.0, Run::Over) {
            Run::On(crew, supply, seat) => {
                crew.guarded("sink", || drop(supply));
                drop(seat);
                crew.join().err().map(Err)
            }
            Run::Failed(failure) => Some(Err(failure)),
            Run::Over => None,
        }
    }
}

impl<T> Drop for Items<T> {
    fn drop(&mut self) {
        if let Run::On(crew, supply, seat) = std::mem::replace(&mut self.0, Run::Over) {
            crew.stop();
            crew.guarded("sink", || drop(supply));
            drop(seat);
            // The caller drops the iterator, so it is not interested in a failure.
            discard(crew.join());
        }
    }
}

impl<T> fmt::Debug for Items<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match &self.0 {
            Run::On(..) => "running",
            Run::Failed(_) => "failed",
            Run::Over => "over",
        };
        f.debug_tuple("Items").field(&state).finish()
    }
}
