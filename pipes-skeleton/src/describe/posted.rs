//! Pipelines whose items are posted by hand.

use super::pipeline::Pipeline;
use super::plan::Plan;
use crate::failure::{BuildError, Cause, Failure};
use crate::run::crew::{Crew, Ended};
use crate::run::origin::Origin;
use crate::run::outlet::{Outlet, Refused};
use crate::sync::{Arc, Lock, discard};
use std::cell::{Cell, RefCell};
use std::error::Error;
use std::fmt;
use std::mem::take;
use std::time::{Duration, Instant};

/// Starts a pipeline whose items are posted by hand, and which collects its results.
///
/// ```
/// let squares = pipes_skeleton::posted(|numbers| {
///     numbers.parallel(2, |number: u64| number * number).in_order()
/// })
/// .expect("it can be run");
/// for number in 1..=4 {
///     squares.post(number).expect("no stage has failed");
/// }
/// assert_eq!(squares.collect().expect("no stage fails"), [1, 4, 9, 16]);
/// ```
///
/// # Errors
///
/// The pipeline cannot be run as it is described.
pub fn posted<I, O>(stages: impl FnOnce(Pipeline<I>) -> Pipeline<O>) -> Result<Posted<I, O>, Failure>
where
    I: Send + 'static,
    O: Send + 'static,
{
    let way_in = Arc::new(Lock::new(None));
    let mut plan = Plan::new();
    plan.station(Some("source"));
    let start = {
        let way_in = way_in.clone();
        move |_: &Crew, outlet: Outlet<I>| *way_in.lock() = Some(outlet)
    };
    let (crew, mut supply, seat) = stages(Pipeline { origin: Origin::point(start), plan }).launch()?;
    let collected = Arc::new(Lock::new(Vec::new()));
    let results = collected.clone();
    crew.spawn("sink".to_owned(), (), move |crew, ()| {
        let mut all = Vec::new();
        while let Some(item) = supply.next(crew)? {
            all.push(item);
        }
        *results.lock() = all;
        Ok(())
    });
    drop(seat);
    let outlet = way_in.lock().take();
    if outlet.is_none() {
        // The stages belong to another source.
        crew.stop();
        discard(crew.join());
        return Err(Failure::new("posted".to_owned(), Cause::Build(BuildError::NotAPart)));
    }
    Ok(Posted { crew, way_in: RefCell::new(outlet), was_ended: Cell::new(false), collected })
}

/// A running pipeline whose items are posted by hand. Dropping it ends it as
/// [`end_and_wait`](Posted::end_and_wait) does. A handle that a result of its own pipeline contains keeps
/// both alive, like a cycle of `Arc`s.
///
/// Its results are kept for [`collect`](Posted::collect). If you post without end, let the last stage return
/// `()`, which takes no memory.
#[must_use = "dropping it waits for its end"]
pub struct Posted<I, O> {
    crew: Crew,
    /// `None` after the end. It is borrowed while an item is offered, and then the user's code may call this
    /// handle again.
    way_in: RefCell<Option<Outlet<I>>>,
    /// Such code has ended the input.
    was_ended: Cell<bool>,
    collected: Arc<Lock<Vec<O>>>,
}

/// Why an item was not posted. Contains the item.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PostError<I> {
    /// The pipeline had no room for it, or none in time.
    Full(I),
    /// The pipeline was ended, or has failed.
    Ended(I),
}

impl<I, O> Posted<I, O> {
    /// Posts an item, waiting until the pipeline has room for it.
    ///
    /// Blocks the thread; in a task, use [`try_post`](Posted::try_post) instead.
    ///
    /// ```
    /// use pipes_skeleton::posted;
    ///
    /// let squares = posted(|numbers| numbers.sequential(|number: u32| number * number))?;
    /// squares.post(3).expect("no stage fails");
    /// assert_eq!(squares.collect()?, [9]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Ended`: the pipeline was ended, or has failed. `Full`, at once, if a key or a scheduler of the
    /// pipeline posts while it is called by another post.
    pub fn post(&self, item: I) -> Result<(), PostError<I>> {
        self.offer(item, None)
    }

    /// Posts an item if there is room for it now.
    ///
    /// ```
    /// use pipes_skeleton::posted;
    ///
    /// let squares = posted(|numbers| numbers.sequential(|number: u32| number * number))?;
    /// assert!(squares.try_post(3).is_ok(), "there is room");
    /// squares.end();
    /// assert!(squares.try_post(4).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Full` if there is no room, `Ended` if the pipeline was ended or has failed.
    pub fn try_post(&self, item: I) -> Result<(), PostError<I>> {
        self.offer(item, Some(Instant::now()))
    }

    /// Posts an item, waiting for room for at most `timeout`.
    ///
    /// Blocks the thread; in a task, use [`try_post`](Posted::try_post) instead.
    ///
    /// A timeout too long for the clock waits forever.
    ///
    /// ```
    /// use pipes_skeleton::posted;
    /// use std::time::Duration;
    ///
    /// let squares = posted(|numbers| numbers.sequential(|number: u32| number * number))?;
    /// let posted = squares.post_timeout(3, Duration::from_secs(1));
    /// assert!(posted.is_ok());
    /// assert_eq!(squares.collect()?, [9]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Full` if there was no room in time, `Ended` if the pipeline was ended or has failed.
    pub fn post_timeout(&self, item: I, timeout: Duration) -> Result<(), PostError<I>> {
        self.offer(item, Instant::now().checked_add(timeout))
    }

    fn offer(&self, item: I, deadline: Option<Instant>) -> Result<(), PostError<I>> {
        let Ok(mut way_in) = self.way_in.try_borrow_mut() else { return Err(PostError::Full(item)) };
        let posted = match &mut *way_in {
            Some(outlet) if !self.crew.is_stopped() => {
                outlet.offer(&self.crew, item, deadline).map_err(|Refused(item, why)| match why {
                    Ended::Late => PostError::Full(item),
                    Ended::Halted => PostError::Ended(item),
                })
            }
            _ => Err(PostError::Ended(item)),
        };
        drop(way_in);
        if self.was_ended.get() {
            self.end();
        }
        posted
    }

    /// Ends the input: no more items are posted. The stages go on until all items are done. Called from a key
    /// or a scheduler while an item is posted, it ends the pipeline after that item.
    ///
    /// ```
    /// use pipes_skeleton::posted;
    ///
    /// let squares = posted(|numbers| numbers.sequential(|number: u32| number * number))?;
    /// squares.end();
    /// assert!(squares.post(3).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn end(&self) {
        let Ok(mut way_in) = self.way_in.try_borrow_mut() else { return self.was_ended.set(true) };
        let outlet = way_in.take();
        drop(way_in);
        // The scheduler of a farm is the user's, and its destructor may panic.
        self.crew.guarded("source", || drop(outlet));
    }

    /// Ends the input, and waits until all items are done.
    ///
    /// Blocks the thread.
    ///
    /// ```
    /// use pipes_skeleton::posted;
    ///
    /// let mut squares =
    ///     posted(|numbers| numbers.sequential(|number: u32| number * number))?;
    /// squares.post(3).expect("no stage fails");
    /// squares.end_and_wait()?;
    /// assert_eq!(squares.collect()?, [9]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first failure; a second call returns [`Cause::Reported`]. In a stage of this pipeline, which would
    /// wait for itself, [`Cause::WaitsForItself`]: the items that are on their way go on, and the input has
    /// ended.
    pub fn end_and_wait(&mut self) -> Result<(), Failure> {
        self.end();
        self.crew.join_from_outside()
    }

    /// Ends the input, waits until all items are done, and returns the results.
    ///
    /// Blocks the thread.
    ///
    /// ```
    /// use pipes_skeleton::posted;
    ///
    /// let squares = posted(|numbers| numbers.sequential(|number: u32| number * number))?;
    /// for number in 1..=3 {
    ///     squares.post(number).expect("no stage fails");
    /// }
    /// assert_eq!(squares.collect()?, [1, 4, 9]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first failure.
    pub fn collect(mut self) -> Result<Vec<O>, Failure> {
        self.end_and_wait()?;
        Ok(take(&mut *self.collected.lock()))
    }

    /// Ends the pipeline without waiting for the items that are on their way, which are dropped. It reports
    /// [`Cause::Cancelled`].
    ///
    /// ```
    /// use pipes_skeleton::posted;
    ///
    /// let squares = posted(|numbers| numbers.sequential(|number: u32| number * number))?;
    /// squares.cancel();
    /// assert!(squares.collect().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cancel(&self) {
        self.crew.fail("", Cause::Cancelled);
    }
}

impl<I, O> Drop for Posted<I, O> {
    fn drop(&mut self) {
        // The caller drops the handle, so it is not interested in a failure.
        discard(self.end_and_wait());
    }
}

impl<I, O> fmt::Debug for Posted<I, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Posted")
            .field("ended", &self.way_in.try_borrow().is_ok_and(|way_in| way_in.is_none()))
            .finish_non_exhaustive()
    }
}

impl<I> PostError<I> {
    /// Returns the item.
    ///
    /// ```
    /// use pipes_skeleton::posted;
    ///
    /// let squares = posted(|numbers| numbers.sequential(|number: u32| number * number))?;
    /// squares.end();
    /// assert_eq!(squares.post(3).expect_err("it was ended").into_item(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_item(self) -> I {
        match self {
            PostError::Full(item) | PostError::Ended(item) => item,
        }
    }

    fn words(&self) -> &'static str {
        match self {
            PostError::Full(_) => "the pipeline has no room",
            PostError::Ended(_) => "the pipeline has ended",
        }
    }
}

impl<I> fmt::Debug for PostError<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PostError::Full(_) => "Full(..)",
            PostError::Ended(_) => "Ended(..)",
        })
    }
}

impl<I> fmt::Display for PostError<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

impl<I> Error for PostError<I> {}
