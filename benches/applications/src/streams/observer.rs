//! Observes runs: what each contender's items and the process do meanwhile.

use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use pipes_charts::{Chart, Curve, Drawing, Panel};
use serde_json::{Map, Value, json};

use super::gauge::{Gauge, locked};
use super::memory;
use super::rate::Rate;
use pipes_benches::files::Part;
use pipes_benches::is_ours;

/// Observes all runs of a race, or does nothing.
#[derive(Debug, Default)]
pub struct Observer {
    /// Measures the current run.
    pub gauge: Gauge,
    /// The rate of the source.
    pub rate: Option<Rate>,
    /// The time between two samples.
    pub every: Option<Duration>,
    runs: Mutex<Vec<Samples>>,
}

/// The outcome of a run, and its figures.
#[derive(Debug)]
pub struct Ran<S> {
    /// The outcome.
    pub sink: S,
    /// What was observed.
    pub figures: Map<String, Value>,
}

/// What was seen of a run.
#[derive(Debug)]
struct Samples {
    contender: &'static str,
    samples: Vec<Sample>,
}

/// One look at a run.
#[derive(Debug)]
struct Sample {
    seconds: f64,
    /// Processors that were busy since the last look.
    processors: f64,
    memory_mib: f64,
    items: u64,
    /// Items a second since the beginning, and since the last look.
    mean_rate: f64,
    rate: f64,
    /// Milliseconds, in the same way; nothing if nothing came out.
    mean_latency: Option<f64>,
    latency: Option<f64>,
    /// The rate at which items are due.
    target: Option<f64>,
}

/// What is counted, read at one time.
struct Reading {
    time: Duration,
    items: u64,
    latencies: u64,
    /// Of all latencies, in microseconds.
    sum: u64,
    /// On all processors, if it is known.
    used: Option<Duration>,
    memory_mib: f64,
}

impl Reading {
    fn until(&self, later: &Reading) -> Duration {
        later.time - self.time
    }
}

impl Observer {
    /// Observes with this gauge.
    pub fn new(gauge: Gauge) -> Observer {
        Observer { gauge, ..Observer::default() }
    }

    /// Runs a contender.
    pub fn observe<S>(
        &self,
        contender: &'static str,
        run: impl FnOnce() -> io::Result<S>,
    ) -> io::Result<Ran<S>> {
        if !self.gauge.is_on() {
            return Ok(Ran { sink: run()?, figures: Map::new() });
        }
        self.gauge.restart();
        memory::forget_peak();
        let before = memory::usage();
        let sink = match self.every {
            None => run()?,
            Some(every) => thread::scope(|scope| {
                // Owned by this closure, so that the samples end even if the run panics.
                let (running, over) = channel::<()>();
                let samples = scope.spawn(move || self.sampled(every, &over));
                let sink = run()?;
                drop(running);
                let samples = samples.join().unwrap_or_default();
                locked(&self.runs).push(Samples { contender, samples });
                Ok::<_, io::Error>(sink)
            })?,
        };
        let used = before.zip(memory::usage()).map(|((before, _), (after, _))| after - before);
        Ok(Ran { sink, figures: self.figures(used) })
    }

    /// The figures of the run that has just ended.
    fn figures(&self, used: Option<Duration>) -> Map<String, Value> {
        let mut figures = Map::new();
        if let Some(out) = self.gauge.out() {
            let latency = &out.latency;
            for (name, micros) in spread(latency).into_iter().filter(|_| !latency.is_empty()) {
                figures.insert(format!("latency_{name}_ms"), json!(micros / 1e3));
            }
        }
        figures.insert("cpu_seconds".to_owned(), json!(used.map(|used| used.as_secs_f64())));
        figures.insert("memory_mib".to_owned(), json!(memory::peak()));
        // Contenders that are no flow have no stages.
        let stages = self.gauge.stages().into_iter().filter(|(_, times)| !times.is_empty());
        let stages = stages.map(|(name, times)| {
            let parts =
                spread(&times).into_iter().map(|(part, nanos)| (format!("{part}_us"), json!(nanos / 1e3)));
            (name.to_owned(), Value::Object(parts.collect()))
        });
        let stages: Map<_, _> = stages.collect();
        if !stages.is_empty() {
            figures.insert("stage".to_owned(), Value::Object(stages));
        }
        figures
    }

    /// Looks at the run repeatedly, until it is over.
    fn sampled(&self, every: Duration, over: &Receiver<()>) -> Vec<Sample> {
        let begin = Instant::now();
        let mut readings = vec![self.read(begin)];
        loop {
            let is_over = !matches!(over.recv_timeout(every), Err(RecvTimeoutError::Timeout));
            let reading = self.read(begin);
            // The rates of a moment would mean nothing, so a short rest belongs to the time before it.
            if is_over
                && readings.len() > 1
                && readings.last().is_some_and(|last| last.until(&reading) < every / 2)
            {
                readings.pop();
            }
            readings.push(reading);
            if is_over {
                return readings.windows(2).map(|pair| self.sample(&pair[0], &pair[1])).collect();
            }
        }
    }

    /// Reads what is counted.
    fn read(&self, begin: Instant) -> Reading {
        let (items, latencies, sum) =
            self.gauge.out().map_or((0, 0, 0), |out| (out.items, out.latency.len(), out.sum));
        let (used, memory_mib) = memory::usage().unzip();
        let memory_mib = memory_mib.unwrap_or_default();
        Reading { time: begin.elapsed(), items, latencies, sum, used, memory_mib }
    }

    /// What has happened between two readings.
    fn sample(&self, before: &Reading, now: &Reading) -> Sample {
        let mean = |parcels: u64, sum: u64| (parcels > 0).then(|| sum as f64 / parcels as f64 / 1e3);
        let used = now.used.zip(before.used).map(|(now, before)| now.saturating_sub(before));
        let seconds = now.time.as_secs_f64();
        let passed = before.until(now).as_secs_f64().max(f64::MIN_POSITIVE);
        Sample {
            seconds,
            processors: used.unwrap_or_default().as_secs_f64() / passed,
            memory_mib: now.memory_mib,
            items: now.items,
            mean_rate: now.items as f64 / seconds,
            rate: (now.items - before.items) as f64 / passed,
            mean_latency: mean(now.latencies, now.sum),
            latency: mean(now.latencies - before.latencies, now.sum - before.sum),
            target: self.rate.map(|rate| rate.at(seconds)),
        }
    }

    /// Writes all samples as comma-separated values.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let heads = "contender,run,seconds,processors,memory_mib,items,mean_rate,rate,mean_latency_ms,\
                     latency_ms,target_rate";
        let mut text = format!("{heads}\n");
        let runs = locked(&self.runs);
        for (index, Samples { contender, samples }) in runs.iter().enumerate() {
            let run = runs[..index].iter().filter(|other| other.contender == *contender).count();
            for sample in samples {
                let known = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.3}"));
                text += &format!(
                    "{contender},{run},{:.3},{:.2},{:.1},{},{:.1},{:.1},{},{},{}\n",
                    sample.seconds,
                    sample.processors,
                    sample.memory_mib,
                    sample.items,
                    sample.mean_rate,
                    sample.rate,
                    known(sample.mean_latency),
                    known(sample.latency),
                    known(sample.target),
                );
            }
        }
        let mut part = Part::beside(path)?;
        part.write(text.as_bytes())?;
        part.keep()
    }

    /// The rate and the latency of each contender's last run, over time, if there was a schedule.
    pub fn chart(&self, items: &str) -> Option<Chart> {
        self.rate?;
        let runs = locked(&self.runs);
        let is_last =
            |index: usize| runs[index + 1..].iter().all(|run| run.contender != runs[index].contender);
        let last: Vec<_> =
            (0..runs.len()).filter(|index| is_last(*index)).map(|index| &runs[index]).collect();
        let curves = |of: &dyn Fn(&Sample) -> Option<f64>| -> Vec<Curve> {
            let curve = |run: &&Samples| Curve {
                name: run.contender.to_owned(),
                ours: is_ours(run.contender),
                points: run.samples.iter().filter_map(|sample| Some((sample.seconds, of(sample)?))).collect(),
            };
            last.iter().map(curve).collect()
        };
        let panel = |up: String, curves| Panel { across: "seconds".to_owned(), up, curves };
        let mut rates = curves(&|sample| Some(sample.rate));
        if let Some(longest) = last.iter().max_by_key(|run| run.samples.len()) {
            let points = longest.samples.iter().filter_map(|sample| Some((sample.seconds, sample.target?)));
            rates.push(Curve { name: "due".to_owned(), ours: false, points: points.collect() });
        }
        Some(Chart {
            title: String::new(),
            explanation: "rate and mean latency between two samples, in the last run of each".to_owned(),
            drawing: Drawing::Panels(vec![
                panel(format!("{items} a second"), rates),
                panel("latency, ms".to_owned(), curves(&|sample| sample.latency)),
            ]),
        })
    }
}

/// The median, the 99th percentile and the maximum.
fn spread(times: &Histogram<u64>) -> [(&'static str, f64); 3] {
    [
        ("p50", times.value_at_quantile(0.5) as f64),
        ("p99", times.value_at_quantile(0.99) as f64),
        ("max", times.max() as f64),
    ]
}
