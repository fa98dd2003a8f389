//! The figures of a pipeline, and how they are printed.

use super::histogram::Histogram;
use std::fmt;
use std::time::Duration;

/// The figures of [`Metrics`](crate::Metrics) at one time. Printed, they show the pipeline stage by stage,
/// with the bottleneck marked.
#[derive(Debug, Clone)]
pub struct Report {
    elapsed: Duration,
    stages: Vec<StageReport>,
    latency: Histogram,
}

/// The figures of one stage.
#[derive(Debug, Clone)]
pub struct StageReport {
    pub(crate) name: String,
    pub(crate) replicas: Vec<ReplicaReport>,
    pub(crate) work: Histogram,
    pub(crate) depth: u64,
    pub(crate) most: u64,
    pub(crate) note: Option<String>,
}

/// The figures of one replica.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReplicaReport {
    /// The number of items that it has processed.
    pub items: u64,
    /// The time that it has spent on them.
    pub busy: Duration,
    /// The time that it has waited for items.
    pub wait_in: Duration,
    /// The time that it has waited for room in the next stage.
    pub wait_out: Duration,
    /// The time since its pipeline began to run, until the end of the run, or until now.
    pub time: Duration,
}

impl Report {
    pub(crate) fn new(elapsed: Duration, stages: Vec<StageReport>, latency: Histogram) -> Self {
        Report { elapsed, stages, latency }
    }

    /// Returns the time since the first run of a measured pipeline began, until the last one ended, or until
    /// now.
    ///
    /// ```
    /// use pipes_skeleton::{Metrics, from_iter};
    ///
    /// let metrics = Metrics::new();
    /// from_iter(0..100_u64).measured(&metrics).for_each(drop)?;
    /// let report = metrics.report();
    /// assert!(report.elapsed() > std::time::Duration::ZERO);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// Returns the stages, from the source on.
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
    /// assert!(report.stages().iter().any(|stage| stage.name() == "square"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stages(&self) -> &[StageReport] {
        &self.stages
    }

    /// Returns the number of items that were completed.
    ///
    /// ```
    /// use pipes_skeleton::{Metrics, from_iter};
    ///
    /// let metrics = Metrics::new();
    /// from_iter(0..100_u64).measured(&metrics).for_each(drop)?;
    /// let report = metrics.report();
    /// assert_eq!(report.items(), 100);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn items(&self) -> u64 {
        self.latency.count()
    }

    /// Returns the number of items per second that were completed, over the whole time.
    ///
    /// ```
    /// use pipes_skeleton::{Metrics, from_iter};
    ///
    /// let metrics = Metrics::new();
    /// from_iter(0..100_u64).measured(&metrics).for_each(drop)?;
    /// let report = metrics.report();
    /// assert!(report.throughput() > 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn throughput(&self) -> f64 {
        if self.elapsed.is_zero() { 0.0 } else { self.items() as f64 / self.elapsed.as_secs_f64() }
    }

    /// Returns the times that items took from the source to the sink.
    ///
    /// ```
    /// use pipes_skeleton::{Metrics, from_iter};
    ///
    /// let metrics = Metrics::new();
    /// from_iter(0..100_u64).measured(&metrics).for_each(drop)?;
    /// let report = metrics.report();
    /// assert_eq!(report.latency().count(), 100);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn latency(&self) -> &Histogram {
        &self.latency
    }

    /// Returns the stage that limits the others: the one with the largest [`load`](StageReport::load).
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
    /// assert!(report.bottleneck().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bottleneck(&self) -> Option<&StageReport> {
        self.busiest().map(|index| &self.stages[index])
    }

    fn busiest(&self) -> Option<usize> {
        let at_work = (0..self.stages.len()).filter(|index| self.stages[*index].items() > 0);
        at_work.max_by(|one, other| self.stages[*one].load().total_cmp(&self.stages[*other].load()))
    }
}

impl StageReport {
    pub(crate) fn noted(self, note: Option<String>) -> Self {
        StageReport { note, ..self }
    }

    /// Returns the stage's name.
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
    /// let stage = &report.stages()[1];
    /// assert_eq!(stage.name(), "square");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the stage's replicas. If the pipeline has run several times, these are the replicas of all
    /// runs.
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
    /// let stage = &report.stages()[1];
    /// assert_eq!(stage.replicas().len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn replicas(&self) -> &[ReplicaReport] {
        &self.replicas
    }

    /// Returns the number of items that the stage has processed.
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
    /// let stage = &report.stages()[1];
    /// assert_eq!(stage.items(), 100);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn items(&self) -> u64 {
        self.work.count()
    }

    /// Returns the times that the stage took for each item, without waiting.
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
    /// let stage = &report.stages()[1];
    /// assert_eq!(stage.work().count(), 100);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn work(&self) -> &Histogram {
        &self.work
    }

    /// Returns the number of items that wait for the stage now, in the run that began last. Items that go
    /// back in a loop, and items that wait for a farm of pipelines, are not counted.
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
    /// let stage = &report.stages()[1];
    /// assert_eq!(stage.depth(), 0, "all items have been processed");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn depth(&self) -> u64 {
        self.depth
    }

    /// Returns the largest number of items that have waited for the stage.
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
    /// let stage = &report.stages()[1];
    /// assert!(stage.most() <= 100);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn most(&self) -> u64 {
        self.most
    }

    /// Returns the stage's [note](crate::Pipeline::noted) at the time of the report, if it has one.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// Returns the time that each of the stage's replicas was busy, on average.
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
    /// let stage = &report.stages()[1];
    /// assert!(stage.busy() <= report.elapsed());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn busy(&self) -> Duration {
        let all: Duration = self.replicas.iter().map(|replica| replica.busy).sum();
        all.checked_div(u32::try_from(self.replicas.len()).unwrap_or(u32::MAX)).unwrap_or_default()
    }

    /// Returns the fraction of their [`time`](ReplicaReport::time) in which the stage's replicas were busy,
    /// from 0 to 1. This fraction, multiplied by the time of all replicas and divided by the number of items,
    /// is the mean of [`work`](StageReport::work).
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
    /// let stage = &report.stages()[1];
    /// assert!((0.0..=1.0).contains(&stage.load()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load(&self) -> f64 {
        let busy: Duration = self.replicas.iter().map(|replica| replica.busy).sum();
        let all: Duration = self.replicas.iter().map(|replica| replica.time).sum();
        if all.is_zero() { 0.0 } else { busy.as_secs_f64() / all.as_secs_f64() }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The width of a format has at most 16 bits.
        let width = self.stages.iter().map(|stage| stage.name.chars().count()).max().unwrap_or(0).min(80);
        let bottleneck = self.busiest();
        for (index, stage) in self.stages.iter().enumerate() {
            let mark = if bottleneck == Some(index) { "  ◄ bottleneck" } else { "" };
            write!(f, "{:>4} ─► {:width$} ×{:<2} ", stage.depth, stage.name, stage.replicas.len())?;
            write!(f, "{:>3.0} % busy, {} items, ", 100.0 * stage.load(), stage.items())?;
            writeln!(f, "{}{mark}", Times(&stage.work, "each"))?;
            for line in stage.note().unwrap_or_default().lines() {
                writeln!(f, "        {line}")?;
            }
        }
        write!(f, "{} items in {:.1?}, {:.0} a second", self.items(), self.elapsed, self.throughput())?;
        write!(f, "; {}", Times(&self.latency, "from source to sink"))
    }
}

/// Prints times: the mean, and how they are distributed.
struct Times<'a>(&'a Histogram, &'static str);

impl fmt::Display for Times<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Times(times, of) = self;
        let (median, late) = (times.quantile(0.5), times.quantile(0.99));
        write!(f, "{:.1?} {of} (p50 {median:.1?}, p99 {late:.1?}, max {:.1?})", times.mean(), times.max())
    }
}

#[cfg(all(test, not(pipes_shuttle)))]
mod tests {
    use super::{Histogram, ReplicaReport, Report, StageReport};
    use std::time::Duration;

    /// Two replicas that work for 1 and 2 of 4 seconds on 100 and 200 items, and a stage that works less.
    #[test]
    fn the_printed_figures_add_up() {
        let replica = |items: u64, busy: u64| {
            let busy = Duration::from_secs(busy);
            let rest = Duration::from_secs(4) - busy;
            ReplicaReport { items, busy, wait_in: rest, wait_out: Duration::ZERO, time: busy + rest }
        };
        let stage = |name: &str, replicas: Vec<ReplicaReport>| {
            let mut work = Histogram::default();
            for replica in &replicas {
                let each = replica.busy / u32::try_from(replica.items).expect("few items");
                (0..replica.items).for_each(|_| work.record(each.as_nanos() as u64));
            }
            StageReport { name: name.to_owned(), replicas, work, depth: 3, most: 7, note: None }
        };
        let stages = vec![
            stage("source", vec![replica(300, 1)]),
            stage("farm", vec![replica(100, 1), replica(200, 2)]),
        ];
        let report = Report::new(Duration::from_secs(4), stages, Histogram::default());
        let farm = &report.stages()[1];
        assert!((farm.load() - 0.375).abs() < 1e-9);
        assert_eq!(farm.work().mean(), Duration::from_millis(10));
        assert_eq!(report.bottleneck().map(StageReport::name), Some("farm"));
        let text = report.to_string();
        let line = text.lines().nth(1).expect("the farm's");
        assert!(line.starts_with("   3 ─► farm   ×2   38 % busy, 300 items, 10.0ms each (p50 "), "{text}");
        assert!(line.ends_with("◄ bottleneck") && !text.lines().next().expect("one").ends_with("bottleneck"));
    }
}
