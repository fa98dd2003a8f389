//! Stages, which process items.

use super::failure::BoxError;

/// The result of processing an item: `Ok`, or the error that ends the pipeline.
pub type Processed = Result<(), BoxError>;

/// A stage of a pipeline. For each item, it emits any number of items.
///
/// Any `FnMut(In) -> Out` is a stage that emits one item for each. [`filter`], [`filter_map`], [`flat_map`],
/// [`inspect`] and [`fallible`] create other stages, and [`then`](Stage::then) combines two stages into one,
/// which runs in one thread. Implement this trait for a struct to write a stage with a state.
///
/// ```
/// use pipes_skeleton::{Processed, Stage};
///
/// /// Numbers the lines that are not empty.
/// struct Numbered(usize);
///
/// impl Stage<String> for Numbered {
///     type Out = (usize, String);
///
///     fn process(
///         &mut self,
///         line: String,
///         emit: &mut impl FnMut(Self::Out) -> Processed,
///     ) -> Processed {
///         if line.is_empty() {
///             return Ok(());
///         }
///         self.0 += 1;
///         emit((self.0, line))
///     }
/// }
///
/// let lines = ["one", "", "two"].map(String::from);
/// let numbered = pipes_skeleton::from_iter(lines)
///     .stage(Numbered(0))
///     .collect()
///     .expect("nothing fails");
/// assert_eq!(numbered, [(1, "one".into()), (2, "two".into())]);
/// ```
pub trait Stage<In> {
    /// The items that it emits.
    type Out;

    /// Processes an item and emits results. Each result is sent at once. In a farm, and after one until the
    /// order is restored, results are sent when the item is done.
    ///
    /// # Errors
    ///
    /// Any error ends the pipeline, and is returned to the caller of the pipeline with the name of the stage.
    /// So does a panic. An error of `emit` means that the pipeline is about to end. Return it; it does not
    /// count as a failure of this stage.
    fn process(&mut self, item: In, emit: &mut impl FnMut(Self::Out) -> Processed) -> Processed;

    /// Combines two stages into one: this one, then `next`.
    fn then<Next: Stage<Self::Out>>(self, next: Next) -> Then<Self, Next>
    where
        Self: Sized,
    {
        Then(self, next)
    }
}

impl<In, Out, F: FnMut(In) -> Out> Stage<In> for F {
    type Out = Out;

    #[inline]
    fn process(&mut self, item: In, emit: &mut impl FnMut(Out) -> Processed) -> Processed {
        emit(self(item))
    }
}

/// Two stages in one; see [`Stage::then`].
#[derive(Debug, Clone)]
pub struct Then<A, B>(A, B);

impl<In, A: Stage<In>, B: Stage<A::Out>> Stage<In> for Then<A, B> {
    type Out = B::Out;

    #[inline]
    fn process(&mut self, item: In, emit: &mut impl FnMut(B::Out) -> Processed) -> Processed {
        let Then(first, second) = self;
        first.process(item, &mut |item| second.process(item, emit))
    }
}

/// Creates a stage that keeps the items for which the function returns `true`.
///
/// ```
/// use pipes_skeleton::{filter, from_iter};
///
/// let even =
///     from_iter(0..6).parallel_with(2, |_| filter(|number| number % 2 == 0)).in_order();
/// assert_eq!(even.collect()?, [0, 2, 4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn filter<In, P: FnMut(&In) -> bool>(holds: P) -> Filter<P> {
    Filter(holds)
}

/// A stage that keeps some items; see [`filter`].
#[derive(Debug, Clone)]
pub struct Filter<P>(P);

impl<In, P: FnMut(&In) -> bool> Stage<In> for Filter<P> {
    type Out = In;

    #[inline]
    fn process(&mut self, item: In, emit: &mut impl FnMut(In) -> Processed) -> Processed {
        if (self.0)(&item) { emit(item) } else { Ok(()) }
    }
}

/// Creates a stage that maps each item to one item or none.
///
/// ```
/// use pipes_skeleton::{filter_map, from_iter};
///
/// let numbers = from_iter(["1", "x", "3"])
///     .parallel_with(2, |_| filter_map(|word: &str| word.parse::<u32>().ok()));
/// assert_eq!(numbers.in_order().collect()?, [1, 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn filter_map<In, Out, F: FnMut(In) -> Option<Out>>(f: F) -> FlatMap<F> {
    FlatMap(f)
}

/// Creates a stage that maps each item to any number of items.
///
/// ```
/// use pipes_skeleton::{flat_map, from_iter};
///
/// let letters = from_iter(["ab", "c"])
///     .parallel_with(2, |_| flat_map(|word: &str| word.chars().collect::<Vec<_>>()));
/// assert_eq!(letters.in_order().collect()?, ['a', 'b', 'c']);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn flat_map<In, Out: IntoIterator, F: FnMut(In) -> Out>(f: F) -> FlatMap<F> {
    FlatMap(f)
}

/// A stage that maps each item to any number of items; see [`flat_map`].
#[derive(Debug, Clone)]
pub struct FlatMap<F>(F);

impl<In, Out: IntoIterator, F: FnMut(In) -> Out> Stage<In> for FlatMap<F> {
    type Out = Out::Item;

    #[inline]
    fn process(&mut self, item: In, emit: &mut impl FnMut(Out::Item) -> Processed) -> Processed {
        (self.0)(item).into_iter().try_for_each(emit)
    }
}

/// Creates a stage that calls a function with a reference to each item, and passes the item on.
///
/// ```
/// use pipes_skeleton::{from_iter, inspect};
///
/// let same = from_iter(0..3)
///     .parallel_with(2, |replica| inspect(move |item| println!("{replica}: {item}")));
/// assert_eq!(same.in_order().collect()?, [0, 1, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn inspect<In, F: FnMut(&In)>(f: F) -> Inspect<F> {
    Inspect(f)
}

/// A stage that inspects each item; see [`inspect`].
#[derive(Debug, Clone)]
pub struct Inspect<F>(F);

impl<In, F: FnMut(&In)> Stage<In> for Inspect<F> {
    type Out = In;

    #[inline]
    fn process(&mut self, item: In, emit: &mut impl FnMut(In) -> Processed) -> Processed {
        (self.0)(&item);
        emit(item)
    }
}

/// Creates a stage that may fail, which ends the pipeline.
///
/// ```
/// use pipes_skeleton::{fallible, from_iter};
///
/// let numbers = from_iter(["1", "2"])
///     .parallel_with(2, |_| fallible(|word: &str| word.parse::<u32>()));
/// assert_eq!(numbers.in_order().collect()?, [1, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fallible<In, Out, E: Into<BoxError>, F: FnMut(In) -> Result<Out, E>>(f: F) -> Fallible<F> {
    Fallible(f)
}

/// A stage that may fail; see [`fallible`].
#[derive(Debug, Clone)]
pub struct Fallible<F>(F);

impl<In, Out, E: Into<BoxError>, F: FnMut(In) -> Result<Out, E>> Stage<In> for Fallible<F> {
    type Out = Out;

    #[inline]
    fn process(&mut self, item: In, emit: &mut impl FnMut(Out) -> Processed) -> Processed {
        emit((self.0)(item).map_err(Into::into)?)
    }
}
