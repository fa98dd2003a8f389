//! Stages that put items together.

use super::stage::Processed;
use std::task::Waker;
use std::time::Instant;

/// What puts items together: it keeps some, and emits what it makes of them when it likes; at a moment of its own, if it likes, and at
/// the end.
///
/// It works on one item after the other, and what it emits begins a new order. [`Pipeline::gather`](super::Pipeline::gather) makes a stage
/// of it; [`Batching`](super::Batching) is one.
///
/// ```
/// use pipes::skeleton::{Gather, Processed, from_iter};
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
    /// What items become.
    type Out;

    /// Takes an item.
    ///
    /// # Errors
    ///
    /// Any error ends the pipeline, as for a [`Stage`](super::Stage).
    fn take(&mut self, item: In, emit: &mut impl FnMut(Self::Out) -> Processed) -> Processed;

    /// When it is to be woken, if no item comes before. It is asked again and again while it waits: a moment, not a time from now on.
    fn deadline(&self) -> Option<Instant> {
        None
    }

    /// Whom to wake when the deadline has changed, for those that are changed from outside; called before each wait.
    #[doc(hidden)]
    fn watch(&mut self, waker: &Waker) {
        let _ = waker;
    }

    /// The moment has come.
    ///
    /// # Errors
    ///
    /// As for [`take`](Gather::take).
    fn wake(&mut self, emit: &mut impl FnMut(Self::Out) -> Processed) -> Processed {
        let _ = emit;
        Ok(())
    }

    /// There are no more items.
    ///
    /// # Errors
    ///
    /// As for [`take`](Gather::take).
    fn finish(&mut self, emit: &mut impl FnMut(Self::Out) -> Processed) -> Processed {
        let _ = emit;
        Ok(())
    }
}
