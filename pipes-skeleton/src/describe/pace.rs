//! Items at a given rate.

use crate::run::threads::{Stopped, Threads, WaitError};
use crate::sync::{Arc, Lock};
use std::error::Error;
use std::fmt;
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

/// Lets items through at a constant rate. Clones are handles to the same rate, which change it while the
/// pipeline runs.
///
/// ```
/// use pipes_skeleton::{Pace, from_iter};
///
/// let begin = std::time::Instant::now();
/// let pace = Pace::new(10_000.0).expect("it can be kept");
/// from_iter(0..500).paced(&pace).for_each(drop).expect("no stage fails");
/// assert!(begin.elapsed().as_secs_f64() >= 0.049);
/// ```
///
/// Each item is due at a fixed time, whether or not the items before it came in time. So an item that is late
/// does not delay the next ones, and the average rate is exact. If the time between two items is shorter than
/// the system can sleep, some items come at once.
#[derive(Clone)]
pub struct Pace(Arc<Lock<Setting>>);

/// A rate that cannot be kept: it is negative, infinite or not a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImpossibleRate;

struct Setting {
    /// The number of items per second.
    rate: f64,
    /// The number of times that the rate was changed.
    version: usize,
    /// The wakers of the stages, which a change wakes.
    stages: Vec<Waker>,
}

impl Pace {
    /// Creates a pace of this number of items per second, which begins with the first item. At rate 0, no
    /// item is ever due.
    ///
    /// ```
    /// use pipes_skeleton::{ImpossibleRate, Pace};
    ///
    /// assert!(Pace::new(1000.0).is_ok());
    /// let backwards = Pace::new(-1.0).expect_err("time does not go back");
    /// assert_eq!(backwards, ImpossibleRate);
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the rate is negative, infinite or not a number.
    pub fn new(items_per_second: f64) -> Result<Self, ImpossibleRate> {
        let setting = Setting { rate: possible(items_per_second)?, version: 0, stages: Vec::new() };
        Ok(Pace(Arc::new(Lock::new(setting))))
    }

    /// Changes the rate. The new rate begins with the item that is waiting, or else with the next one.
    ///
    /// ```
    /// use pipes_skeleton::{Pace, from_iter};
    ///
    /// let pace = Pace::new(1.0)?;
    /// pace.set(100_000.0)?;
    /// assert_eq!(from_iter(0..10).paced(&pace).collect()?.len(), 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the rate is negative, infinite or not a number. Then nothing is changed.
    pub fn set(&self, items_per_second: f64) -> Result<(), ImpossibleRate> {
        let rate = possible(items_per_second)?;
        let mut setting = self.0.lock();
        setting.rate = rate;
        setting.version += 1;
        let stages = setting.stages.clone();
        drop(setting);
        stages.into_iter().for_each(Waker::wake);
        Ok(())
    }

    pub(super) fn pacer(&self) -> Pacer {
        Pacer { pace: self.clone(), schedule: None, now: None }
    }
}

/// Returns the rate, if it can be kept.
fn possible(rate: f64) -> Result<f64, ImpossibleRate> {
    if rate >= 0.0 && rate.is_finite() { Ok(rate) } else { Err(ImpossibleRate) }
}

impl fmt::Display for ImpossibleRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a rate is a finite number of items per second, from 0 up")
    }
}

impl Error for ImpossibleRate {}

impl fmt::Debug for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rate = self.0.lock().rate;
        f.debug_tuple("Pace").field(&rate).finish()
    }
}

/// What a stage uses to keep the pace.
pub(super) struct Pacer {
    pace: Pace,
    schedule: Option<Schedule>,
    /// The last time that was read from the clock. If an item was due before that, the clock is not read
    /// again.
    now: Option<Instant>,
}

struct Schedule {
    rate: f64,
    version: usize,
    begin: Instant,
    /// The time at which the next item is due, in seconds after `begin`. It is infinite at rate 0.
    due: f64,
}

impl Pacer {
    /// Waits until the next item is due.
    pub(super) fn wait(&mut self, threads: &Threads, mut flush: impl FnMut()) -> Result<(), Stopped> {
        loop {
            let due = self.due();
            if due.is_some_and(|due| self.now.is_some_and(|now| now >= due)) {
                break;
            }
            let now = Instant::now();
            self.now = Some(now);
            if due.is_some_and(|due| now >= due) {
                break;
            }
            flush();
            self.sleep(threads, due)?;
        }
        if let Some(schedule) = &mut self.schedule {
            schedule.due += schedule.rate.recip();
        }
        Ok(())
    }

    /// Returns the time at which the next item is due at the current rate.
    fn due(&mut self) -> Option<Instant> {
        let setting = self.pace.0.lock();
        let (rate, version) = (setting.rate, setting.version);
        drop(setting);
        if self.schedule.as_ref().is_none_or(|schedule| schedule.version != version) {
            // The first item is due at once, unless the rate is 0.
            let due = if rate > 0.0 { 0.0 } else { f64::INFINITY };
            self.schedule = Some(Schedule { rate, version, begin: Instant::now(), due });
        }
        let schedule = self.schedule.as_ref()?;
        schedule.begin.checked_add(Duration::try_from_secs_f64(schedule.due).ok()?)
    }

    /// Sleeps until this time, or until the rate is changed.
    fn sleep(&self, threads: &Threads, until: Option<Instant>) -> Result<(), Stopped> {
        let version = self.schedule.as_ref().map(|schedule| schedule.version);
        let mut registered = None;
        let slept = threads.sleep(
            "the time of the next item",
            || until,
            |cx| {
                let mut setting = self.pace.0.lock();
                if registered.is_none() {
                    setting.stages.push(cx.waker().clone());
                    registered = Some(cx.waker().clone());
                }
                if Some(setting.version) == version { Poll::Pending } else { Poll::Ready(()) }
            },
        );
        if let Some(waker) = registered {
            let mut setting = self.pace.0.lock();
            let index = setting.stages.iter().position(|stage| stage.will_wake(&waker));
            let _stage = index.map(|index| setting.stages.swap_remove(index));
        }
        match slept {
            Ok(()) | Err(WaitError::LimitReached) => Ok(()),
            Err(WaitError::Stopped) => Err(Stopped),
        }
    }
}
