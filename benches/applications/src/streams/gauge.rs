//! What is measured in a run besides its time: latencies, the time in each stage, and what came out so far.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;

/// Times up to an hour are measured, with three digits.
const LONGEST: Duration = Duration::from_secs(3600);
const DIGITS: u8 = 3;

/// Measures a run, or does nothing. Its clones are handles to the same figures.
#[derive(Clone, Default)]
pub struct Gauge(Option<Arc<Figures>>);

struct Figures {
    /// When each parcel that is on its way left the source, by its number.
    left: Mutex<HashMap<u32, Instant>>,
    out: Mutex<Out>,
    /// The times that the work of each stage took, in nanoseconds.
    stages: Vec<(&'static str, Mutex<Histogram<u64>>)>,
}

/// What has come out.
pub struct Out {
    /// The number of items.
    pub items: u64,
    /// The sum of the latencies of all parcels, in microseconds.
    pub sum: u64,
    /// From the source to the sink, in microseconds.
    pub latency: Histogram<u64>,
}

impl Gauge {
    /// Measures a pipeline of these stages.
    pub fn new(stages: &'static [&'static str]) -> Gauge {
        let stages = stages.iter().map(|name| (*name, Mutex::new(empty()))).collect();
        let out = Mutex::new(Out { items: 0, sum: 0, latency: empty() });
        Gauge(Some(Arc::new(Figures { left: Mutex::default(), out, stages })))
    }

    /// Forgets what was measured.
    pub fn restart(&self) {
        if let Some(figures) = &self.0 {
            locked(&figures.left).clear();
            *locked(&figures.out) = Out { items: 0, sum: 0, latency: empty() };
            figures.stages.iter().for_each(|(_, times)| locked(times).reset());
        }
    }

    /// Returns `true` if anything is measured.
    #[inline]
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Notes that the parcel with this number leaves the source now.
    pub fn left(&self, number: u32) {
        if let Some(figures) = &self.0 {
            locked(&figures.left).insert(number, Instant::now());
        }
    }

    /// Notes that a stage has worked on something since then.
    pub fn worked(&self, stage: usize, begun: Instant) {
        if let Some(figures) = &self.0 {
            locked(&figures.stages[stage].1).saturating_record(begun.elapsed().as_nanos() as u64);
        }
    }

    /// Notes that the parcel with this number, and so this many items, left the pipeline now.
    pub fn came_out(&self, number: u32, items: u64) {
        let Some(figures) = &self.0 else { return };
        let left = locked(&figures.left).remove(&number);
        self.passed(items);
        self.took(left.map_or(0, |left| left.elapsed().as_micros() as u64));
    }

    /// Notes that this many items were dealt with.
    pub fn passed(&self, items: u64) {
        if let Some(mut out) = self.out() {
            out.items += items;
        }
    }

    /// Notes a latency, in microseconds.
    pub fn took(&self, latency: u64) {
        if let Some(mut out) = self.out() {
            out.sum += latency;
            out.latency.saturating_record(latency);
        }
    }

    /// What has come out so far.
    pub fn out(&self) -> Option<MutexGuard<'_, Out>> {
        self.0.as_ref().map(|figures| locked(&figures.out))
    }

    /// The times of each stage, in nanoseconds.
    pub fn stages(&self) -> Vec<(&'static str, Histogram<u64>)> {
        let stages = self.0.iter().flat_map(|figures| &figures.stages);
        stages.map(|(name, times)| (*name, locked(times).clone())).collect()
    }
}

fn empty() -> Histogram<u64> {
    Histogram::new_with_bounds(1, LONGEST.as_nanos() as u64, DIGITS).expect("the bounds are in order")
}

/// Locks it; after a panic, too, as figures are never half-changed.
pub fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for Gauge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Gauge").field(&self.is_on()).finish()
    }
}
