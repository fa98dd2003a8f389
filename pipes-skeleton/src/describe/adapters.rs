//! Stages that map, drop, multiply or inspect items, like the adapters of iterators. They have no thread.

use super::pipeline::Pipeline;
use super::place::Place;
use crate::failure::BoxError;
use crate::stage::{fallible, filter, filter_map, flat_map, inspect};

/// Stages without a thread of their own. The function is called for one item at a time, by the thread of the
/// source or stage before it, or by the replicas of the farm before it in turn. After
/// [`in_order`](Pipeline::in_order), it gets a thread, which restores the order. So does the first stage of a
/// farm's replica, or of a loop. For a thread in any case, use [`sequential`](Pipeline::sequential) or
/// [`stage`](Pipeline::stage).
impl<T: Send + 'static, P: Place> Pipeline<T, P> {
    /// Maps each item to another.
    ///
    /// ```
    /// use pipes_skeleton::from_iter;
    ///
    /// let squares = from_iter(1..=3).map(|number| number * number).collect()?;
    /// assert_eq!(squares, [1, 4, 9]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn map<U: Send + 'static>(self, f: impl FnMut(T) -> U + Send + 'static) -> Pipeline<U, P> {
        self.joined(f)
    }

    /// Maps each item to another, or fails, which ends the pipeline.
    ///
    /// ```
    /// use pipes_skeleton::from_iter;
    ///
    /// let numbers = from_iter(["1", "x"]).try_map(|word| word.parse::<u32>()).named("parse");
    /// assert_eq!(numbers.collect().expect_err("x is no number").stage(), "parse");
    /// ```
    pub fn try_map<U, E, F>(self, f: F) -> Pipeline<U, P>
    where
        U: Send + 'static,
        E: Into<BoxError>,
        F: FnMut(T) -> Result<U, E> + Send + 'static,
    {
        self.joined(fallible(f))
    }

    /// Keeps the items for which the function returns `true`. For a part of a stage, see
    /// [`filter`] and [`Stage::then`](crate::Stage::then).
    ///
    /// ```
    /// use pipes_skeleton::from_iter;
    ///
    /// let even = from_iter(0..6).filter(|number| number % 2 == 0).collect()?;
    /// assert_eq!(even, [0, 2, 4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn filter<F: FnMut(&T) -> bool + Send + 'static>(self, holds: F) -> Pipeline<T, P> {
        self.joined(filter(holds))
    }

    /// Maps each item to one item or none. For a part of a stage, see [`filter_map`] and
    /// [`Stage::then`](crate::Stage::then).
    ///
    /// ```
    /// use pipes_skeleton::from_iter;
    ///
    /// let numbers = from_iter(["1", "x", "3"])
    ///     .filter_map(|word| word.parse::<u32>().ok())
    ///     .collect()?;
    /// assert_eq!(numbers, [1, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn filter_map<U, F>(self, f: F) -> Pipeline<U, P>
    where
        U: Send + 'static,
        F: FnMut(T) -> Option<U> + Send + 'static,
    {
        self.joined(filter_map(f))
    }

    /// Maps each item to any number of items. For a part of a stage, see [`flat_map`] and
    /// [`Stage::then`](crate::Stage::then).
    ///
    /// In a farm, and after one until the order is restored or the items are gathered, all results of an item
    /// are in memory before the first is passed on, and one replica of the next farm processes all of them.
    ///
    /// ```
    /// use pipes_skeleton::from_iter;
    ///
    /// let letters = from_iter(["ab", "c"]).flat_map(|word| word.chars()).collect()?;
    /// assert_eq!(letters, ['a', 'b', 'c']);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn flat_map<U, F>(self, f: F) -> Pipeline<U::Item, P>
    where
        U: IntoIterator<Item: Send + 'static>,
        F: FnMut(T) -> U + Send + 'static,
    {
        self.joined(flat_map(f))
    }

    /// Calls a function with a reference to each item. For a part of a stage, see
    /// [`inspect`] and [`Stage::then`](crate::Stage::then).
    ///
    /// The function runs in another thread than the caller's. To count there, use an atomic; what the sink
    /// counts may be a variable of the caller.
    ///
    /// ```
    /// use pipes_skeleton::from_iter;
    ///
    /// let squares = from_iter(1..=3)
    ///     .inspect(|number| println!("{number}"))
    ///     .sequential(|number| number * number);
    /// assert_eq!(squares.collect()?, [1, 4, 9]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn inspect<F: FnMut(&T) + Send + 'static>(self, f: F) -> Pipeline<T, P> {
        self.joined(inspect(f))
    }
}
