//! The notation of Rust-SSP (Pieper, Griebler, Fernandes: *Structured Stream Parallelism for Rust*, 2019),
//! for readers of that paper.
//!
//! ```
//! use pipes_skeleton::ssp::*;
//!
//! let pipeline = pipeline![
//!     parallel!(|number: u64| if number % 5 == 0 { None } else { Some(number * 2) }, 2),
//!     sequential_ordered!(|number: u64| number + 1),
//! ];
//! for number in 1..=6 {
//!     pipeline.post(number).unwrap();
//! }
//! assert_eq!(pipeline.collect(), [3, 5, 7, 9, 13]);
//! ```
//!
//! [`pipeline!`](crate::pipeline!) builds a pipeline and starts it. All stages but the last are [`InOut`]:
//! they turn an item into a result, or drop it. The last one is [`In`]. Unlike in Rust-SSP, order can be
//! restored at any point, the last stage may be parallel, [`post`](SspPipeline::post) waits while the
//! pipeline is full, and a stage that panics ends the pipeline.

#[macro_use]
mod macros;

use super::describe::{Pipeline, PostError, Posted, posted};
use super::failure::Failure;
use super::stage::{Processed, Stage};
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

/// A stage that is not the last. A closure `FnMut(I) -> Option<O>` is one.
pub trait InOut<I, O> {
    /// Turns an item into a result, or drops it.
    fn process(&mut self, input: I) -> Option<O>;
}

impl<I, O, F: FnMut(I) -> Option<O>> InOut<I, O> for F {
    fn process(&mut self, input: I) -> Option<O> {
        self(input)
    }
}

/// The last stage. A closure `FnMut(I) -> C` is one.
pub trait In<I, C = ()> {
    /// Turns an item into the value that is collected; `order` is the item's number at the source.
    fn process(&mut self, input: I, order: u64) -> C;
}

impl<I, C, F: FnMut(I) -> C> In<I, C> for F {
    fn process(&mut self, input: I, _order: u64) -> C {
        self(input)
    }
}

/// An item, with its number at the source.
pub type Numbered<I> = (u64, I);

/// A stage as the macros describe it: the number of replicas, whether the order is restored before it, and
/// the function that makes a replica.
#[derive(Debug)]
pub struct Described<F> {
    /// `None` for a sequential stage.
    replicas: Option<usize>,
    in_order: bool,
    make: F,
}

impl<F> Described<F> {
    /// Describes a stage with this number of replicas.
    ///
    /// # Panics
    ///
    /// Panics if the number is 0 or negative.
    #[track_caller]
    pub fn parallel(make: F, replicas: impl TryInto<usize>) -> Self {
        let replicas = replicas.try_into().unwrap_or(0);
        assert!(replicas > 0, "`parallel!`: a stage needs at least one replica");
        Described { replicas: Some(replicas), in_order: false, make }
    }

    /// Describes a stage that processes one item at a time.
    pub fn sequential(make: F, in_order: bool) -> Self {
        Described { replicas: None, in_order, make }
    }
}

/// Adds a stage that is not the last.
pub fn through<I, O, S, F>(items: Pipeline<Numbered<I>>, described: Described<F>) -> Pipeline<Numbered<O>>
where
    I: Send + 'static,
    O: Send + 'static,
    S: InOut<I, O> + Send + 'static,
    F: FnMut() -> S,
{
    add(items, described, |stage| Through(stage, PhantomData))
}

/// Adds the last stage.
pub fn into<I, C, S, F>(items: Pipeline<Numbered<I>>, described: Described<F>) -> Pipeline<C>
where
    I: Send + 'static,
    C: Send + 'static,
    S: In<I, C> + Send + 'static,
    F: FnMut() -> S,
{
    add(items, described, |stage| Into(stage, PhantomData))
}

fn add<T, S, W, F>(items: Pipeline<T>, described: Described<F>, wrap: impl Fn(S) -> W) -> Pipeline<W::Out>
where
    T: Send + 'static,
    W: Stage<T, Out: Send + 'static> + Send + 'static,
    F: FnMut() -> S,
{
    let Described { replicas, in_order, mut make } = described;
    match replicas {
        Some(replicas) => items.parallel_with(replicas, |_| wrap(make())),
        None if in_order => items.in_order().stage(wrap(make())),
        None => items.stage(wrap(make())),
    }
}

struct Through<S, O>(S, PhantomData<fn() -> O>);

impl<I, O, S: InOut<I, O>> Stage<Numbered<I>> for Through<S, O> {
    type Out = Numbered<O>;

    fn process(
        &mut self,
        (order, item): Numbered<I>,
        emit: &mut impl FnMut(Numbered<O>) -> Processed,
    ) -> Processed {
        if let Some(item) = self.0.process(item) {
            return emit((order, item));
        }
        Ok(())
    }
}

struct Into<S, C>(S, PhantomData<fn() -> C>);

impl<I, C, S: In<I, C>> Stage<Numbered<I>> for Into<S, C> {
    type Out = C;

    fn process(&mut self, (order, item): Numbered<I>, emit: &mut impl FnMut(C) -> Processed) -> Processed {
        emit(self.0.process(item, order))
    }
}

/// Starts the pipeline.
///
/// # Panics
///
/// Panics if a stage has more than 65,536 replicas, or if the function does not return the pipeline that it
/// was given.
#[track_caller]
pub fn start<I, C>(stages: impl FnOnce(Pipeline<Numbered<I>>) -> Pipeline<C>) -> SspPipeline<I, C>
where
    I: Send + 'static,
    C: Send + 'static,
{
    match posted(stages) {
        Ok(running) => SspPipeline { running, posted: Cell::new(0) },
        Err(failure) => panic!("`pipeline!`: {failure}"),
    }
}

/// A running pipeline, made by [`pipeline!`](crate::pipeline!). Dropping it ends the input, and blocks until
/// all items are done.
#[must_use = "dropping it waits for its end"]
pub struct SspPipeline<I, C> {
    running: Posted<Numbered<I>, C>,
    posted: Cell<u64>,
}

impl<I, C> SspPipeline<I, C> {
    /// Posts an item. Blocks until there is room for it. In a task, use [`try_post`](SspPipeline::try_post)
    /// instead.
    ///
    /// ```
    /// use pipes_skeleton::ssp::*;
    ///
    /// let pipeline = pipeline![
    ///     parallel!(|number: u64| Some(number * 2), 2),
    ///     sequential_ordered!(|number: u64| number + 1),
    /// ];
    /// pipeline.post(1).expect("no stage fails");
    /// assert_eq!(pipeline.collect(), [3]);
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the pipeline was ended, or if a stage has panicked.
    pub fn post(&self, item: I) -> Result<(), PostError<I>> {
        self.count(|item| self.running.post(item), item)
    }

    /// Posts an item if there is room for it now.
    ///
    /// ```
    /// use pipes_skeleton::ssp::*;
    ///
    /// let pipeline = pipeline![
    ///     parallel!(|number: u64| Some(number * 2), 2),
    ///     sequential_ordered!(|number: u64| number + 1),
    /// ];
    /// assert!(pipeline.try_post(1).is_ok());
    /// assert_eq!(pipeline.collect(), [3]);
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if there is no room, if the pipeline was ended, or if a stage has panicked.
    pub fn try_post(&self, item: I) -> Result<(), PostError<I>> {
        self.count(|item| self.running.try_post(item), item)
    }

    /// Posts an item. Blocks until there is room for it, but at most for `timeout`. In a task, use
    /// [`try_post`](SspPipeline::try_post) instead.
    ///
    /// ```
    /// use pipes_skeleton::ssp::*;
    ///
    /// let pipeline = pipeline![
    ///     parallel!(|number: u64| Some(number * 2), 2),
    ///     sequential_ordered!(|number: u64| number + 1),
    /// ];
    /// assert!(pipeline.post_timeout(1, std::time::Duration::from_secs(1)).is_ok());
    /// assert_eq!(pipeline.collect(), [3]);
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if there was no room in time, if the pipeline was ended, or if a stage has panicked.
    pub fn post_timeout(&self, item: I, timeout: Duration) -> Result<(), PostError<I>> {
        self.count(|item| self.running.post_timeout(item, timeout), item)
    }

    fn count(
        &self,
        post: impl FnOnce(Numbered<I>) -> Result<(), PostError<Numbered<I>>>,
        item: I,
    ) -> Result<(), PostError<I>> {
        let order = self.posted.get();
        post((order, item)).map_err(|refused| match refused {
            PostError::Full((_, item)) => PostError::Full(item),
            PostError::Ended((_, item)) => PostError::Ended(item),
        })?;
        self.posted.set(order + 1);
        Ok(())
    }

    /// Ends the input: no more items can be posted.
    ///
    /// ```
    /// use pipes_skeleton::ssp::*;
    ///
    /// let pipeline = pipeline![
    ///     parallel!(|number: u64| Some(number * 2), 2),
    ///     sequential_ordered!(|number: u64| number + 1),
    /// ];
    /// pipeline.end();
    /// assert!(pipeline.post(1).is_err());
    /// ```
    pub fn end(&self) {
        self.running.end();
    }

    /// Ends the input, and blocks until all items are done.
    ///
    /// ```
    /// use pipes_skeleton::ssp::*;
    ///
    /// let mut pipeline = pipeline![
    ///     parallel!(|number: u64| Some(number * 2), 2),
    ///     sequential_ordered!(|number: u64| number + 1),
    /// ];
    /// pipeline.post(1).expect("no stage fails");
    /// pipeline.end_and_wait();
    /// assert_eq!(pipeline.collect(), [3]);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if a stage has panicked.
    #[track_caller]
    pub fn end_and_wait(&mut self) {
        if let Err(failure) = self.running.end_and_wait() {
            panic!("{failure}");
        }
    }

    /// Ends the input, blocks until all items are done, and returns what was collected.
    ///
    /// ```
    /// use pipes_skeleton::ssp::*;
    ///
    /// let pipeline = pipeline![
    ///     parallel!(|number: u64| Some(number * 2), 2),
    ///     sequential_ordered!(|number: u64| number + 1),
    /// ];
    /// for number in 1..=3 {
    ///     pipeline.post(number).expect("no stage fails");
    /// }
    /// assert_eq!(pipeline.collect(), [3, 5, 7]);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if a stage has panicked. [`try_collect`](SspPipeline::try_collect) returns the failure instead.
    #[track_caller]
    pub fn collect(self) -> Vec<C> {
        match self.try_collect() {
            Ok(all) => all,
            Err(failure) => panic!("{failure}"),
        }
    }

    /// Ends the input, blocks until all items are done, and returns what was collected.
    ///
    /// ```
    /// use pipes_skeleton::ssp::*;
    ///
    /// let pipeline = pipeline![
    ///     parallel!(|number: u64| Some(number * 2), 2),
    ///     sequential_ordered!(|number: u64| number + 1),
    /// ];
    /// pipeline.post(1).expect("no stage fails");
    /// assert_eq!(pipeline.try_collect()?, [3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the first failure.
    pub fn try_collect(self) -> Result<Vec<C>, Failure> {
        self.running.collect()
    }
}

impl<I, C> fmt::Debug for SspPipeline<I, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SspPipeline").field("posted", &self.posted.get()).finish_non_exhaustive()
    }
}

// Hidden at the root of the crate, so that their documentation is here only.
#[doc(inline)]
pub use {collect, collect_ordered, parallel, pipeline, sequential, sequential_ordered};
