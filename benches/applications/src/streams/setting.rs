//! What the contenders get: the flow, its composition, and the pools.

use std::error::Error;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;
use std::{fmt, io};

use super::gauge::Gauge;
use super::parcel::Parcel;
use super::source::{Parcels, Timing};
use super::{Flow, Pools, Shape};
use pipes_benches::watch::Watch;

/// A flow, and how it is to be run.
pub struct Setting<F: Flow> {
    /// The flow.
    pub flow: Arc<F>,
    /// How its stages are put together.
    pub shape: Shape,
    /// The number of workers of each farm.
    pub replicas: usize,
    /// When items leave the source, and in which batches.
    pub timing: Timing,
    /// The pools of the libraries that have one.
    pub pools: Pools,
    /// The view of our own pipeline.
    pub watch: Watch,
    /// What is measured besides the time, in the current run.
    pub gauge: Gauge,
}

/// Stages that one worker does, one after another.
pub struct Farm<F> {
    flow: Arc<F>,
    stages: Range<usize>,
    gauge: Gauge,
}

/// A sink in a run.
pub struct Sink<F: Flow> {
    flow: Arc<F>,
    gauge: Gauge,
    due: u32,
    sink: F::Sink,
}

impl<F: Flow> Setting<F> {
    /// The capacity of a queue in parcels, and how far a library that keeps the order may run ahead.
    pub fn window(&self) -> usize {
        self.flow.window(self.replicas)
    }

    /// Starts the source. Its iterator sleeps until the next item is due, if there is a schedule.
    pub fn source(&self) -> io::Result<impl Iterator<Item = Parcel<F::Item>> + Send + 'static> {
        Ok(Parcels::new(self.flow.source()?, self.timing.clone(), self.gauge.clone()))
    }

    /// The stages, one after another, as the shape groups them for a worker.
    pub fn farms(&self) -> Vec<Farm<F>> {
        let all = 0..F::STAGES.len();
        let groups: Vec<_> = match self.shape {
            Shape::Farm => vec![all],
            Shape::PipeOfFarms | Shape::FarmOfPipes | Shape::Pipeline => {
                all.map(|stage| stage..stage + 1).collect()
            }
        };
        let farm = |stages| Farm { flow: self.flow.clone(), stages, gauge: self.gauge.clone() };
        groups.into_iter().map(farm).collect()
    }

    /// All stages, for one worker.
    pub fn whole(&self) -> Farm<F> {
        Farm { flow: self.flow.clone(), stages: 0..F::STAGES.len(), gauge: self.gauge.clone() }
    }

    /// An empty sink.
    pub fn sink(&self) -> io::Result<Sink<F>> {
        let sink = self.flow.sink()?;
        Ok(Sink { flow: self.flow.clone(), gauge: self.gauge.clone(), due: 0, sink })
    }
}

impl<F: Flow> Farm<F> {
    /// The names of its stages.
    pub fn name(&self) -> String {
        F::STAGES[self.stages.clone()].join(", ")
    }

    /// A worker that does these stages.
    pub fn worker(&self) -> impl Fn(Parcel<F::Item>) -> Parcel<F::Item> + Clone + Send + Sync + 'static {
        let farm = self.clone();
        move |parcel| farm.on(parcel)
    }

    /// The parcel after these stages. What is rare is in a function of its own: where the work is trivial,
    /// this one is short enough to become a part of the contender's loop.
    #[inline]
    pub fn on(&self, parcel: Parcel<F::Item>) -> Parcel<F::Item> {
        match parcel {
            Parcel::One { number, item } if !self.gauge.is_on() => {
                let item = self.stages.clone().fold(item, |item, stage| self.flow.work(stage, item));
                Parcel::One { number, item }
            }
            parcel => self.rarely_on(parcel),
        }
    }

    /// Does the stages for a batch, or if they are timed.
    #[inline(never)]
    fn rarely_on(&self, mut parcel: Parcel<F::Item>) -> Parcel<F::Item> {
        for stage in self.stages.clone() {
            let begun = self.gauge.is_on().then(Instant::now);
            parcel = parcel.map(|item| self.flow.work(stage, item));
            if let Some(begun) = begun {
                self.gauge.worked(stage, begun);
            }
        }
        parcel
    }
}

impl<F> Clone for Farm<F> {
    fn clone(&self) -> Farm<F> {
        Farm { flow: self.flow.clone(), stages: self.stages.clone(), gauge: self.gauge.clone() }
    }
}

impl<F: Flow> Sink<F> {
    /// Takes the next parcel.
    #[inline]
    pub fn take(&mut self, parcel: Parcel<F::Item>) -> io::Result<()> {
        if F::ORDERED && parcel.number() != self.due {
            let (number, due) = (parcel.number(), self.due);
            return Err(io::Error::other(format!("item {number} came out where item {due} was due")));
        }
        self.due = self.due.wrapping_add(1);
        match parcel {
            Parcel::One { item, .. } if !self.gauge.is_on() => self.flow.take(&mut self.sink, item),
            parcel => self.rarely_take(parcel),
        }
    }

    /// Takes a batch, or any parcel if latencies are measured.
    #[inline(never)]
    fn rarely_take(&mut self, parcel: Parcel<F::Item>) -> io::Result<()> {
        self.gauge.came_out(parcel.number(), parcel.len());
        parcel.try_for_each(|item| self.flow.take(&mut self.sink, item))
    }

    /// Takes all of these, until there is an error, and returns what was collected.
    pub fn fill(self, parcels: impl IntoIterator<Item = Parcel<F::Item>>) -> io::Result<F::Sink> {
        self.try_fill(parcels.into_iter().map(Ok::<_, io::Error>))
    }

    /// Takes all of these, which may fail to come.
    pub fn try_fill<E: Into<Box<dyn Error + Send + Sync>>>(
        mut self,
        parcels: impl IntoIterator<Item = Result<Parcel<F::Item>, E>>,
    ) -> io::Result<F::Sink> {
        parcels.into_iter().try_for_each(|parcel| self.take(parcel.map_err(io::Error::other)?))?;
        Ok(self.sink)
    }

    /// What was collected.
    pub fn done(self) -> F::Sink {
        self.sink
    }
}

impl<F: Flow> fmt::Debug for Setting<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Setting").field("shape", &self.shape).finish_non_exhaustive()
    }
}
