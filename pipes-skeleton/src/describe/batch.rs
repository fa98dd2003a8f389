//! Micro-batches.

use crate::failure::BuildError;
use crate::gather::Gather;
use crate::stage::Processed;
use crate::sync::{Arc, Lock};
use std::fmt;
use std::mem::take;
use std::task::Waker;
use std::time::{Duration, Instant};

/// When a batch is complete: when it has a number of items, when its first item has an age, or at the earlier
/// of both. Clones are handles to the same setting, which change it while the pipeline runs.
///
/// ```
/// use pipes_skeleton::{Batching, from_iter};
/// use std::time::Duration;
///
/// let batching = Batching::of(4).within(Duration::from_millis(10));
/// let batches = from_iter(0..10).batched(&batching).collect().expect("it can be run");
/// assert_eq!(batches.concat(), (0..10).collect::<Vec<_>>());
/// assert!(batches.iter().all(|batch| (1..=4).contains(&batch.len())));
/// ```
///
/// The stage's own thread sleeps until the age is reached, so a source that yields nothing does not delay a
/// batch.
#[derive(Clone)]
pub struct Batching(Arc<Lock<Setting>>);

struct Setting {
    size: usize,
    age: Option<Duration>,
    /// The wakers of the stages, which a change wakes.
    stages: Vec<Waker>,
}

impl Batching {
    /// Batches this number of items. The last batch may have fewer.
    ///
    /// ```
    /// use pipes_skeleton::{Batching, from_iter};
    ///
    /// let batches = from_iter(0..5).batched(&Batching::of(2)).collect()?;
    /// assert_eq!(batches, [vec![0, 1], vec![2, 3], vec![4]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(items: usize) -> Self {
        Batching(Arc::new(Lock::new(Setting { size: items, age: None, stages: Vec::new() })))
    }

    /// Batches the items that come within this time.
    ///
    /// ```
    /// use pipes_skeleton::{Batching, from_iter};
    /// use std::time::Duration;
    ///
    /// let batches =
    ///     from_iter(0..5).batched(&Batching::every(Duration::from_millis(1))).collect()?;
    /// assert_eq!(batches.concat(), [0, 1, 2, 3, 4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn every(age: Duration) -> Self {
        Batching::of(usize::MAX).within(age)
    }

    /// Completes a batch when its first item has this age, even if it has fewer items.
    ///
    /// ```
    /// use pipes_skeleton::{Batching, from_iter};
    /// use std::time::Duration;
    ///
    /// let batching = Batching::of(1000).within(Duration::from_millis(1));
    /// let batches = from_iter(0..5).batched(&batching).collect()?;
    /// assert_eq!(batches.concat(), [0, 1, 2, 3, 4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn within(self, age: Duration) -> Self {
        self.set_age(Some(age));
        self
    }

    /// Changes the number of items. A batch that already has this number is completed at once.
    ///
    /// ```
    /// use pipes_skeleton::{Batching, BuildError, from_iter};
    ///
    /// let batching = Batching::of(2);
    /// assert_eq!(batching.set_size(0), Err(BuildError::NoBatch));
    /// batching.set_size(3)?;
    /// let batches = from_iter(0..5).batched(&batching).collect()?;
    /// assert_eq!(batches, [vec![0, 1, 2], vec![3, 4]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the number is 0, because such a batch would never be full. Then nothing is
    /// changed.
    pub fn set_size(&self, items: usize) -> Result<(), BuildError> {
        if items == 0 {
            return Err(BuildError::NoBatch);
        }
        self.change(|setting| setting.size = items);
        Ok(())
    }

    /// Changes the age at which a batch is complete, including the current one. `None` means no limit.
    ///
    /// ```
    /// use pipes_skeleton::{Batching, from_iter};
    /// use std::time::Duration;
    ///
    /// let batching = Batching::of(2).within(Duration::from_secs(60));
    /// batching.set_age(None);
    /// let batches = from_iter(0..4).batched(&batching).collect()?;
    /// assert_eq!(batches, [[0, 1], [2, 3]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_age(&self, age: Option<Duration>) {
        self.change(|setting| setting.age = age);
    }

    fn change(&self, change: impl FnOnce(&mut Setting)) {
        let mut setting = self.0.lock();
        change(&mut setting);
        let stages = setting.stages.clone();
        drop(setting);
        stages.into_iter().for_each(Waker::wake);
    }

    /// Returns `true` if the size is above 0.
    pub(super) fn is_possible(&self) -> bool {
        self.0.lock().size > 0
    }

    pub(super) fn batcher<T>(&self) -> Batcher<T> {
        Batcher { batching: self.clone(), batch: Vec::new(), begun: None, waker: None }
    }
}

impl fmt::Debug for Batching {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let setting = self.0.lock();
        let (size, age) = (setting.size, setting.age);
        drop(setting);
        f.debug_struct("Batching").field("size", &size).field("age", &age).finish()
    }
}

/// The stage that makes the batches.
pub(super) struct Batcher<T> {
    batching: Batching,
    batch: Vec<T>,
    /// The time at which the first item of the batch came.
    begun: Option<Instant>,
    /// The waker that is registered in the setting.
    waker: Option<Waker>,
}

impl<T> Batcher<T> {
    fn close(&mut self, emit: &mut impl FnMut(Vec<T>) -> Processed) -> Processed {
        self.begun = None;
        if self.batch.is_empty() {
            return Ok(());
        }
        // The next batch will probably be as long.
        let capacity = self.batch.len();
        emit(std::mem::replace(&mut self.batch, Vec::with_capacity(capacity)))
    }

    /// Unregisters the waker, so that changes no longer wake it.
    fn unregister(&mut self) {
        if let Some(waker) = take(&mut self.waker) {
            let mut setting = self.batching.0.lock();
            let index = setting.stages.iter().position(|stage| stage.will_wake(&waker));
            let _stage = index.map(|index| setting.stages.swap_remove(index));
        }
    }
}

impl<T> Gather<T> for Batcher<T> {
    type Out = Vec<T>;

    fn take(&mut self, item: T, emit: &mut impl FnMut(Vec<T>) -> Processed) -> Processed {
        let setting = self.batching.0.lock();
        let (size, age) = (setting.size, setting.age);
        drop(setting);
        // The size may have been reduced.
        if self.batch.len() >= size {
            self.close(emit)?;
        }
        let begun = *self.begun.get_or_insert_with(Instant::now);
        self.batch.push(item);
        let is_old = age.is_some_and(|age| begun.elapsed() >= age);
        if is_old || self.batch.len() >= size { self.close(emit) } else { Ok(()) }
    }

    fn deadline(&self) -> Option<Instant> {
        let begun = self.begun?;
        let setting = self.batching.0.lock();
        if self.batch.len() >= setting.size { Some(begun) } else { begun.checked_add(setting.age?) }
    }

    fn register(&mut self, waker: &Waker) {
        if !self.waker.as_ref().is_some_and(|registered| registered.will_wake(waker)) {
            self.unregister();
            self.batching.0.lock().stages.push(waker.clone());
            self.waker = Some(waker.clone());
        }
    }

    fn wake(&mut self, emit: &mut impl FnMut(Vec<T>) -> Processed) -> Processed {
        self.close(emit)
    }

    fn finish(&mut self, emit: &mut impl FnMut(Vec<T>) -> Processed) -> Processed {
        self.close(emit)
    }
}

impl<T> Drop for Batcher<T> {
    fn drop(&mut self) {
        self.unregister();
    }
}
