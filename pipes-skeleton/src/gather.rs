//! Stages that combine items.

use super::stage::Processed;
use std::task::Waker;
use std::time::Instant;

/// Combines items. It keeps some of them, and can emit results when it takes an item, at a deadline that it
/// sets, and at the end.
///
/// It processes one item at a time, and the items that it emits begin a new order.
/// [`Pipeline::gather`](super::Pipeline::gather) makes it a stage, and
/// [`parallel_gather`](super::Pipeline::parallel_gather) the replica of one. [`fold`] creates one from a
/// function; [`Batching`](super::Batching) is another example.
///
/// ```
/// use pipes_skeleton::{Gather, Processed, from_iter};
///
/// /// Joins words to lines of at least ten letters.
/// #[derive(Default)]
/// struct Lines(String);
///
/// impl Gather<&'static str> for Lines {
///     type Out = String;
///
///     fn take(
///         &mut self,
///         word: &'static str,
///         emit: &mut impl FnMut(String) -> Processed,
///     ) -> Processed {
///         self.0 += word;
///         if self.0.len() >= 10 { emit(std::mem::take(&mut self.0)) } else { Ok(()) }
///     }
///
///     fn finish(&mut self, emit: &mut impl FnMut(String) -> Processed) -> Processed {
///         emit(std::mem::take(&mut self.0))
///     }
/// }
///
/// let lines = from_iter(["Anna", "Berta", "Cäsar", "Dora"])
///     .gather(Lines::default())
///     .collect()
///     .expect("none fails");
/// assert_eq!(lines, ["AnnaBertaCäsar", "Dora"]);
/// ```
pub trait Gather<In> {
    /// The items that it emits.
    type Out;

    /// Takes an item.
    ///
    /// # Errors
    ///
    /// Any error ends the pipeline, like an error of a [`Stage`](super::Stage).
    fn take(&mut self, item: In, emit: &mut impl FnMut(Self::Out) -> Processed) -> Processed;

    /// Returns when [`wake`](Gather::wake) is to be called if no item comes before. This is called before the
    /// stage waits and each time it is woken, so return a fixed time, not one relative to now. If the
    /// deadline can change while the stage waits, see [`register`](Gather::register).
    fn deadline(&self) -> Option<Instant> {
        None
    }

    /// Called before each wait. Another thread that changes the deadline must wake this waker. Otherwise the
    /// stage waits for the old deadline, or for the next item.
    fn register(&mut self, waker: &Waker) {
        let _ = waker;
    }

    /// Called when the [`deadline`](Gather::deadline) has passed.
    ///
    /// # Errors
    ///
    /// Any error ends the pipeline; see [`take`](Gather::take).
    fn wake(&mut self, emit: &mut impl FnMut(Self::Out) -> Processed) -> Processed {
        let _ = emit;
        Ok(())
    }

    /// Called when there are no more items, and not if the pipeline fails or is cancelled.
    ///
    /// # Errors
    ///
    /// Any error ends the pipeline; see [`take`](Gather::take).
    fn finish(&mut self, emit: &mut impl FnMut(Self::Out) -> Processed) -> Processed {
        let _ = emit;
        Ok(())
    }
}

/// Creates a [`Gather`] that folds all items into an accumulator, and emits it at the end.
///
/// ```
/// use pipes_skeleton::{fold, from_iter};
///
/// let sums = from_iter(1..=100).parallel_gather(2, |_| fold(0, |sum, number| sum + number));
/// assert_eq!(sums.reduce(|sum, other| sum + other)?, Some(5050));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Write the type of the items in the closure, as here: the compiler looks at the closure before it knows the
/// pipeline.
///
/// If the function panics, which ends the pipeline, the accumulator is lost.
pub fn fold<In, A, F: FnMut(A, In) -> A>(first: A, f: F) -> Fold<A, F> {
    Fold { all: Some(first), f }
}

/// Folds items into an accumulator; see [`fold`].
#[derive(Debug, Clone)]
pub struct Fold<A, F> {
    /// `None` while the function runs, and at the end.
    all: Option<A>,
    f: F,
}

impl<In, A, F: FnMut(A, In) -> A> Gather<In> for Fold<A, F> {
    type Out = A;

    #[inline]
    fn take(&mut self, item: In, _: &mut impl FnMut(A) -> Processed) -> Processed {
        self.all = self.all.take().map(|all| (self.f)(all, item));
        Ok(())
    }

    fn finish(&mut self, emit: &mut impl FnMut(A) -> Processed) -> Processed {
        self.all.take().map_or(Ok(()), emit)
    }
}
