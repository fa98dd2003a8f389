//! Pipelines whose items are posted one by one.

use super::pipeline::Pipeline;
use super::plan::Plan;
use crate::failure::{BuildError, Failure, FailureKind};
use crate::run::output::{Output, Refused};
use crate::run::threads::{Threads, WaitError};
use crate::run::upstream::Upstream;
use crate::sync::{Arc, Lock, discard};
use std::cell::{Cell, RefCell};
use std::error::Error;
use std::fmt;
use std::mem::take;
use std::time::{Duration, Instant};

/// Starts a pipeline whose items are posted one by one, and which collects its results.
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
/// Returns an error if the pipeline cannot be run as it is described.
pub fn posted<I, O>(stages: impl FnOnce(Pipeline<I>) -> Pipeline<O>) -> Result<Posted<I, O>, Failure>
where
    I: Send + 'static,
    O: Send + 'static,
{
    let source = Arc::new(Lock::new(None));
    let mut plan = Plan::new();
    plan.add_source(false);
    let start = {
        let source = source.clone();
        move |_: &Threads, output: Output<I>| *source.lock() = Some(output)
    };
    let (threads, mut input, guard) = stages(Pipeline::new(Upstream::point(start), plan)).launch()?;
    let collected = Arc::new(Lock::new(Vec::new()));
    let results = collected.clone();
    threads.spawn("sink".to_owned(), (), move |threads, ()| {
        let mut all = Vec::new();
        while let Some(item) = input.next(threads)? {
            all.push(item);
        }
        *results.lock() = all;
        Ok(())
    });
    drop(guard);
    let output = source.lock().take();
    if output.is_none() {
        // The function has returned a pipeline with another source.
        threads.stop();
        discard(threads.join());
        return Err(Failure::new("posted".to_owned(), FailureKind::Build(BuildError::NotAPart)));
    }
    Ok(Posted { threads, source: RefCell::new(output), was_ended: Cell::new(false), collected })
}

/// A handle to a running pipeline whose items are posted one by one. Dropping it ends the pipeline like
/// [`end_and_wait`](Posted::end_and_wait). If a result of the pipeline contains the handle, both stay alive,
/// like a cycle of `Arc`s.
///
/// The results are kept for [`collect`](Posted::collect). If you post without end, let the last stage return
/// `()`, which takes no memory.
///
/// One thread posts: the handle may be moved to another thread, but not shared. To post from several threads,
/// let them send into a stream, and post what comes out of it, or use a `Mutex`.
#[must_use = "dropping it waits for its end"]
pub struct Posted<I, O> {
    threads: Threads,
    /// The output of the source; `None` after the end. While it is borrowed to post an item, user code may
    /// call this handle again.
    source: RefCell<Option<Output<I>>>,
    /// User code has ended the input during such a post.
    was_ended: Cell<bool>,
    collected: Arc<Lock<Vec<O>>>,
}

/// Why an item was not posted. Contains the item.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PostError<I> {
    /// The pipeline had no room for it, or no room in time.
    Full(I),
    /// The pipeline was ended or drained, or has failed.
    Ended(I),
}

impl<I, O> Posted<I, O> {
    /// Posts an item. Blocks until the pipeline has room for it. In a task, use
    /// [`try_post`](Posted::try_post) instead.
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
    /// Returns `Ended` if the pipeline was ended or has failed. Returns `Full` at once if it is called by a
    /// key function or a scheduler of the pipeline during another post.
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
    /// Returns `Full` if there is no room, and `Ended` if the pipeline was ended or has failed.
    pub fn try_post(&self, item: I) -> Result<(), PostError<I>> {
        self.offer(item, Some(Instant::now()))
    }

    /// Posts an item. Blocks until the pipeline has room for it, but at most for `timeout`. In a task, use
    /// [`try_post`](Posted::try_post) instead.
    ///
    /// A timeout that is too long for the clock never ends.
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
    /// Returns `Full` if there was no room in time, and `Ended` if the pipeline was ended or has failed.
    pub fn post_timeout(&self, item: I, timeout: Duration) -> Result<(), PostError<I>> {
        self.offer(item, Instant::now().checked_add(timeout))
    }

    fn offer(&self, item: I, deadline: Option<Instant>) -> Result<(), PostError<I>> {
        let Ok(mut source) = self.source.try_borrow_mut() else { return Err(PostError::Full(item)) };
        let posted = match &mut *source {
            Some(output) if !self.threads.is_stopped() && !self.threads.is_draining() => {
                output.offer(&self.threads, item, deadline).map_err(|Refused(item, why)| match why {
                    WaitError::LimitReached => PostError::Full(item),
                    WaitError::Stopped => PostError::Ended(item),
                })
            }
            _ => Err(PostError::Ended(item)),
        };
        drop(source);
        if self.was_ended.get() {
            self.end();
        }
        posted
    }

    /// Ends the input: no more items can be posted. The stages continue until all items are done. If a key
    /// function or a scheduler calls this during a post, the input ends after that item.
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
        let Ok(mut source) = self.source.try_borrow_mut() else { return self.was_ended.set(true) };
        let output = source.take();
        drop(source);
        // The output may own a scheduler, whose destructor may panic.
        self.threads.catch_panic("source", || drop(output));
    }

    /// Ends the input, and blocks until all items are done.
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
    /// Returns the first failure. A second call returns [`FailureKind::Reported`]. A stage of this pipeline,
    /// which would wait for itself, gets [`FailureKind::WaitsForItself`]; the input has then ended, and the
    /// items in the pipeline are still processed.
    pub fn end_and_wait(&mut self) -> Result<(), Failure> {
        self.end();
        self.threads.join_from_outside()
    }

    /// Ends the input, blocks until all items are done, and returns the results.
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
    /// Returns the first failure.
    pub fn collect(mut self) -> Result<Vec<O>, Failure> {
        self.end_and_wait()?;
        Ok(take(&mut *self.collected.lock()))
    }

    /// Ends the pipeline and drops the items in it. The pipeline then reports [`FailureKind::Cancelled`].
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
        self.threads.fail("", FailureKind::Cancelled);
    }
}

impl<I, O> Drop for Posted<I, O> {
    fn drop(&mut self) {
        // The caller drops the handle, and with it a failure.
        discard(self.end_and_wait());
    }
}

impl<I, O> fmt::Debug for Posted<I, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Posted")
            .field("ended", &self.source.try_borrow().is_ok_and(|source| source.is_none()))
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
