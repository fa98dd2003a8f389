//! What a pipeline does, measured while it runs.

use super::histogram::Histogram;
use super::probe::{Counts, Depth, Probe, QueueDepth, Run};
use super::report::{ReplicaReport, Report, StageReport};
use crate::sync::{Arc, Lock, nanoseconds};
use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

/// The length of an interval of the recent past in nanoseconds, and the number of intervals that are kept.
const INTERVAL: u64 = 50_000_000;
const INTERVALS: usize = 200;

/// Measures the pipelines that it is given to with [`measured`](crate::Pipeline::measured). Clones are
/// handles to the same figures, which can be read at any time, even while a pipeline runs.
///
/// ```
/// use pipes_skeleton::{Metrics, from_iter};
///
/// let metrics = Metrics::new();
/// let numbers = from_iter(0..1000_u64)
///     .parallel(2, |number| number + 1)
///     .named("add")
///     .measured(&metrics);
/// numbers.in_order().for_each(drop).expect("no stage fails");
///
/// let report = metrics.report();
/// assert_eq!(report.items(), 1000);
/// assert_eq!(report.stages()[1].name(), "add");
/// assert_eq!(report.stages()[1].items(), 1000);
/// println!("{report}");
/// ```
///
/// Measuring costs each stage a few readings of the clock and a few locks per item. A pipeline that is not
/// measured pays for a branch.
#[derive(Clone)]
pub struct Metrics(Arc<Shared>);

/// The text of a stage in a report.
pub(crate) type Note = Arc<dyn Fn() -> String + Send + Sync>;

struct Shared {
    stages: Lock<Vec<Stage>>,
    out: Lock<Out>,
}

/// A stage. If a pipeline runs again, its stages are identified by their position and name.
struct Stage {
    position: usize,
    name: String,
    /// The queue of the run that began last, with the maximum of all runs.
    queue: QueueDepth,
    /// The counts of each replica, and its run.
    replicas: Vec<(Arc<Lock<Counts>>, Arc<Run>)>,
    /// The note of the run that began last.
    note: Option<Note>,
}

/// The completed items.
#[derive(Default)]
struct Out {
    /// The times that items took from the source to the sink.
    latency: Histogram,
    /// The intervals of the recent past: the number of the interval, and the number of items completed in it.
    recent: VecDeque<(u64, u64)>,
}

impl Metrics {
    /// Creates metrics in which nothing is measured yet.
    ///
    /// ```
    /// use pipes_skeleton::{Metrics, from_iter};
    ///
    /// let metrics = Metrics::new();
    /// from_iter(0..100_u64)
    ///     .parallel(2, |n| n * n)
    ///     .named("square")
    ///     .measured(&metrics)
    ///     .for_each(drop)?;
    /// let report = metrics.report();
    /// assert_eq!(report.items(), 100);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new() -> Self {
        let (stages, out) = (Lock::new(Vec::new()), Lock::new(Out::default()));
        Metrics(Arc::new(Shared { stages, out }))
    }

    /// Returns the current figures, with the stages' notes.
    ///
    /// # Panics
    ///
    /// Panics if a [note](crate::Pipeline::noted) panics.
    ///
    /// ```
    /// use pipes_skeleton::{Metrics, from_iter};
    ///
    /// let metrics = Metrics::new();
    /// from_iter(0..100_u64)
    ///     .parallel(2, |n| n * n)
    ///     .named("square")
    ///     .measured(&metrics)
    ///     .for_each(drop)?;
    /// let report = metrics.report();
    /// println!("{report}");
    /// assert_eq!(report.stages().len(), 2, "the source and the farm");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn report(&self) -> Report {
        let now = nanoseconds();
        let stages = self.0.stages.lock();
        let reports: Vec<_> = stages.iter().map(|stage| (stage.report(now), stage.note.clone())).collect();
        let (begin, end) = stages.iter().fold((now, 0), |(begin, end), stage| stage.span(begin, end, now));
        drop(stages);
        // Notes are user code, which may use these metrics.
        let noted = |(report, note): (StageReport, Option<Note>)| report.noted(note.map(|note| note()));
        let stages = reports.into_iter().map(noted).collect();
        let latency = self.0.out.lock().latency.clone();
        Report::new(Duration::from_nanos(end.saturating_sub(begin)), stages, latency)
    }

    /// Returns the number of items per second that were completed in the last `window`. The window is rounded
    /// to 50 ms, and is at most 10 seconds.
    ///
    /// ```
    /// use pipes_skeleton::{Metrics, from_iter};
    /// use std::time::Duration;
    ///
    /// let metrics = Metrics::new();
    /// from_iter(0..100_u64).measured(&metrics).for_each(drop)?;
    /// assert!(metrics.throughput(Duration::from_secs(10)) >= 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn throughput(&self, window: Duration) -> f64 {
        let intervals = (window.as_nanos() / u128::from(INTERVAL)).clamp(1, INTERVALS as u128 - 1) as u64;
        let now = nanoseconds() / INTERVAL;
        let out = self.0.out.lock();
        // The current interval does not count, because it is not over yet.
        let items: u64 = out
            .recent
            .iter()
            .filter(|interval| (now.saturating_sub(intervals)..now).contains(&interval.0))
            .map(|interval| interval.1)
            .sum();
        items as f64 / Duration::from_nanos(intervals * INTERVAL).as_secs_f64()
    }

    /// Begins a run: no items wait for its stages.
    pub(crate) fn begin_run(&self) -> Arc<Run> {
        for stage in self.0.stages.lock().iter_mut() {
            let most = stage.queue.lock().most;
            stage.queue = QueueDepth::new(Lock::new(Depth { now: 0, most }));
        }
        Arc::new(Run::begin())
    }

    /// Creates the probe of another replica of a stage.
    pub(crate) fn probe(&self, run: Arc<Run>, position: usize, name: &str, note: Option<Note>) -> Probe {
        let counts = Arc::new(Lock::new(Counts::default()));
        let (queue, before) = self.with_stage(position, name, |stage| {
            stage.replicas.push((counts.clone(), run));
            (stage.queue.clone(), std::mem::replace(&mut stage.note, note))
        });
        // Dropping it may run user code, so the lock is not held.
        drop(before);
        Probe::on(counts, queue)
    }

    /// Returns the counter of the items that wait for a stage.
    pub(crate) fn queue(&self, position: usize, name: &str) -> QueueDepth {
        self.with_stage(position, name, |stage| stage.queue.clone())
    }

    /// Counts a completed item, which left the source at `timestamp`.
    pub(crate) fn completed(&self, timestamp: u64) {
        let now = nanoseconds();
        let mut out = self.0.out.lock();
        out.latency.record(now.saturating_sub(timestamp));
        match out.recent.back_mut() {
            Some((interval, items)) if *interval == now / INTERVAL => *items += 1,
            _ => {
                if out.recent.len() == INTERVALS {
                    out.recent.pop_front();
                }
                out.recent.push_back((now / INTERVAL, 1));
            }
        }
    }

    fn with_stage<R>(&self, position: usize, name: &str, with: impl FnOnce(&mut Stage) -> R) -> R {
        let mut stages = self.0.stages.lock();
        let index = stages
            .iter()
            .position(|stage| stage.position == position && stage.name == name)
            .unwrap_or_else(|| {
                // Stages are kept in the order of the pipeline, not in the order in which they start.
                let index = stages.partition_point(|stage| stage.position <= position);
                let queue = QueueDepth::new(Lock::new(Depth::default()));
                let name = name.to_owned();
                stages.insert(index, Stage { position, name, queue, replicas: Vec::new(), note: None });
                index
            });
        with(&mut stages[index])
    }
}

impl Stage {
    /// Extends a span of time by that of the runs.
    fn span(&self, begin: u64, end: u64, now: u64) -> (u64, u64) {
        let spans = self.replicas.iter().map(|(_, run)| run.span(now));
        spans.fold((begin, end), |(first, last), (begin, end)| (first.min(begin), last.max(end)))
    }

    fn report(&self, now: u64) -> StageReport {
        let depth = *self.queue.lock();
        let mut work = Histogram::default();
        let replicas = self.replicas.iter().map(|(counts, run)| {
            let (counts, (begin, end)) = (counts.lock(), run.span(now));
            work.add(&counts.work);
            ReplicaReport {
                items: counts.work.count(),
                busy: Duration::from_nanos(counts.busy),
                wait_in: Duration::from_nanos(counts.wait_in),
                wait_out: Duration::from_nanos(counts.wait_out),
                // What runs in the threads that post may go on for a while after the end.
                time: Duration::from_nanos(
                    end.saturating_sub(begin).max(counts.busy + counts.wait_in + counts.wait_out),
                ),
            }
        });
        let replicas = replicas.collect();
        let (depth, most) = (depth.now.max(0).unsigned_abs(), depth.most.unsigned_abs());
        StageReport { name: self.name.clone(), replicas, work, depth, most, note: None }
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Metrics::new()
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items = self.0.out.lock().latency.count();
        f.debug_struct("Metrics").field("items", &items).finish_non_exhaustive()
    }
}
