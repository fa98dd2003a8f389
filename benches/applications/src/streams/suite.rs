//! A program of the stream suite as the command sees it: its options, its contenders and its verification.

use std::io;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use clap::{ArgMatches, Args, Command, FromArgMatches};
use pipes_charts::Chart;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::contenders::{Faulty, Pariter, Pipes, Rayon, Sequential, Threads, Tokio, TokioNarrow, Way};
use super::gauge::Gauge;
use super::observer::{Observer, Ran};
use super::options::Travel;
use super::points::{self, Swept};
use super::{Class, Flow, Pools, Scale, Setting, Shape, Trial};
use pipes_benches::failure::Failure;
use pipes_benches::harness::{Contender, Experiment, Program};
use pipes_benches::watch::Watch;

/// A program of the stream suite: its own options, its sizes, and the flow.
pub trait Stream: Args + Serialize + Clone + Sized + 'static {
    /// The word on the command line.
    const NAME: &'static str;
    /// What is measured, in one line that states what one op is.
    const ABOUT: &'static str;
    /// What one op is called in the plural.
    const UNIT: &'static str;
    /// What one item of the source is called in the plural, which is what a frequency counts.
    const ITEMS: &'static str = Self::UNIT;
    /// Options of the variants that `all` runs.
    const VARIANTS: &'static [&'static [&'static str]] = &[&[]];
    /// Options that make a variant small.
    const QUICK: &'static [&'static str] = &["--class", "test"];
    /// The compositions of its stages, the default first.
    const SHAPES: &'static [Shape] = &[Shape::Farm];
    /// Why the program cannot run, if something that it needs was not found when it was built.
    const ABSENT: Option<&'static str> = None;
    /// Contenders beside those that are written once for all programs.
    const OWN: &'static [Contender<Suite<Self>>] = &[];

    /// What flows.
    type Flow: Flow;

    /// Describes what is wrong with this combination of options, if anything.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }
    /// Does something other than a race, if the options ask for that; `given` has the long names of the
    /// options on the command line.
    fn tool(&self, _given: &[&str]) -> Option<Result<ExitCode, Failure>> {
        None
    }
    /// Makes the flow, with its input. This is not timed.
    fn flow(&self, class: Class) -> io::Result<Self::Flow>;
    /// The figures, by name, that are reported of a run besides its time.
    fn figures(&self, _flow: &Self::Flow, _sink: &<Self::Flow as Flow>::Sink) -> Map<String, Value> {
        Map::new()
    }
    /// Describes which part of the input could not be used, if any.
    fn regrets(&self, _flow: &Self::Flow) -> Result<(), String> {
        Ok(())
    }
    /// Keeps the outcome of the last run, if the options request that.
    fn keep(&self, _flow: &Self::Flow, _sink: <Self::Flow as Flow>::Sink) -> io::Result<()> {
        Ok(())
    }
}

/// The program `P`, with the options that all programs of the suite have.
#[derive(Clone, Debug)]
pub struct Suite<P> {
    scale: Scale,
    shapes: Vec<Shape>,
    travel: Travel,
    trial: Trial,
    /// The program's own options.
    pub program: P,
}

/// What is prepared once for all contenders.
pub struct Prepared<P: Stream> {
    at: Setting<P::Flow>,
    observer: Observer,
    due: <P::Flow as Flow>::Answer,
}

/// What a run returns.
type RanWith<P> = Ran<<<P as Stream>::Flow as Flow>::Sink>;

/// A contender that is written once for all programs.
const fn of<W: Way, P: Stream>() -> Contender<Suite<P>> {
    Contender::new(W::NAME, W::SOURCES).in_its_own_way(|_, prepared: &Prepared<P>| prepared.run::<W>())
}

impl<P: Stream> Prepared<P> {
    /// Runs a contender.
    fn run<W: Way>(&self) -> io::Result<RanWith<P>> {
        self.observer.observe(W::NAME, || W::run(&self.at))
    }

    /// Runs a contender of the program's own.
    pub fn run_own(
        &self,
        name: &'static str,
        run: impl FnOnce(&P::Flow) -> io::Result<<P::Flow as Flow>::Sink>,
    ) -> io::Result<RanWith<P>> {
        self.observer.observe(name, || run(&self.at.flow))
    }

    /// The number of workers of each farm.
    pub fn replicas(&self) -> usize {
        self.at.replicas
    }

    /// Runs a contender that works in a process of its own, where nothing but the time is measured.
    pub fn run_process(
        &self,
        run: impl FnOnce(&P::Flow) -> io::Result<<P::Flow as Flow>::Sink>,
    ) -> io::Result<RanWith<P>> {
        Ok(Ran { sink: run(&self.at.flow)?, figures: Map::new() })
    }

    /// Runs our own pipeline at full speed, and returns how many items it has done, and in how many seconds.
    fn capacity(&self) -> io::Result<(u64, f64)> {
        let begin = Instant::now();
        self.run::<Pipes>()?;
        let items = self.at.gauge.out().map_or(0, |out| out.items);
        Ok((items, begin.elapsed().as_secs_f64().max(f64::MIN_POSITIVE)))
    }
}

impl<P: Stream> Suite<P> {
    /// Returns `true` if the source has a frequency.
    pub fn is_paced(&self) -> bool {
        self.trial.is_paced()
    }

    /// The program with options that were not set on the command line.
    #[cfg(test)]
    fn new(scale: Scale, program: P) -> Suite<P> {
        Suite {
            scale,
            shapes: vec![P::SHAPES[0]],
            travel: Travel::default(),
            trial: Trial::default(),
            program,
        }
    }

    /// The options that may have several values.
    fn swept(&self) -> [Swept<Self>; 4] {
        let scaled = |suite: &Self, value| Suite { scale: suite.scale.with(value), ..suite.clone() };
        let batched = |suite: &Self, value| Suite { travel: suite.travel.with(value), ..suite.clone() };
        let at = |suite: &Self, value| Suite { trial: suite.trial.at(value), ..suite.clone() };
        let shaped = |suite: &Self, value| Suite { shapes: vec![Shape::numbered(value)], ..suite.clone() };
        let shapes = self.shapes.iter().map(|shape| shape.number()).collect();
        [
            Swept::numbers("replicas", Some(&self.scale.replicas), scaled),
            Swept::numbers("batch", self.travel.batch.as_ref(), batched),
            Swept::numbers("frequency", self.trial.frequencies(), at),
            Swept {
                option: "shape",
                values: shapes,
                print: |value| Shape::numbered(value).name().to_owned(),
                with: shaped,
            },
        ]
    }

    /// The shape: the only one, unless there is a sweep.
    fn shape(&self) -> Shape {
        self.shapes[0]
    }
}

impl<P: Stream> Program for Suite<P> {
    const NAME: &'static str = P::NAME;
    const ABOUT: &'static str = P::ABOUT;
    const UNIT: &'static str = P::UNIT;
    const VARIANTS: &'static [&'static [&'static str]] = P::VARIANTS;
    const QUICK: &'static [&'static str] = P::QUICK;
    const ABSENT: Option<&'static str> = P::ABSENT;
    const CONTENDERS: &'static [Contender<Self>] = &[
        of::<Pipes, P>(),
        of::<Sequential, P>(),
        of::<Threads, P>(),
        of::<Tokio, P>(),
        of::<TokioNarrow, P>().hidden(),
        of::<Pariter, P>()
            .unless(|suite| (suite.shape() == Shape::FarmOfPipes).then_some("it has no farm of pipelines")),
        of::<Rayon, P>(),
        of::<Faulty, P>().hidden(),
    ];
    const OWN_CONTENDERS: &'static [Contender<Self>] = P::OWN;

    type Setting = Prepared<P>;
    type Outcome = RanWith<P>;

    fn check(&self) -> Result<(), String> {
        self.trial.check()?;
        points::check(&self.swept(), self.trial.monitor.is_some())?;
        self.program.check()
    }

    fn tool(&self, given: &[&str]) -> Option<Result<ExitCode, Failure>> {
        self.program.tool(given)
    }

    fn ops(&self, prepared: &Prepared<P>) -> u64 {
        prepared.at.flow.ops()
    }

    fn setting(&self) -> io::Result<Prepared<P>> {
        self.trial.prepare()?;
        let replicas = self.scale.replicas();
        // The pools of a pipeline of farms have as many workers as all of its stages together.
        let workers = match self.shape() {
            Shape::PipeOfFarms => replicas * <P::Flow as Flow>::STAGES.len(),
            Shape::Farm | Shape::FarmOfPipes | Shape::Pipeline => replicas,
        };
        let is_measured = self.experiment().is_some();
        let gauge = if is_measured { Gauge::new(<P::Flow as Flow>::STAGES) } else { Gauge::default() };
        let at = Setting {
            flow: Arc::new(self.program.flow(self.scale.class)?),
            shape: self.shape(),
            replicas,
            timing: self.travel.timing(),
            pools: Pools::new(workers)?,
            watch: Watch::default(),
            gauge: gauge.clone(),
        };
        let due = at.flow.answer(&Sequential::run(&at)?)?;
        let mut prepared = Prepared { at, observer: Observer::new(gauge), due };
        if self.trial.is_paced() {
            let (items, seconds) = prepared.capacity()?;
            let rate = self.trial.rate(items as f64 / seconds, items);
            (prepared.at.timing.rate, prepared.observer.rate) = (rate, rate);
        }
        prepared.observer.every = self.trial.every();
        if self.scale.watch {
            prepared.at.watch.show(|| Pipes::run(&prepared.at))?;
        }
        Ok(prepared)
    }

    fn verify(&self, prepared: &Prepared<P>, ran: &RanWith<P>) -> Result<(), String> {
        let flow = &prepared.at.flow;
        let answer = flow.answer(&ran.sink).map_err(|error| format!("it could not be read back: {error}"))?;
        flow.verify(&answer, &prepared.due)
    }

    fn experiment(&self) -> Option<Experiment<Self>> {
        points::experiment(self, &self.swept(), self.trial.is_on())
    }

    fn chart(&self, prepared: &Prepared<P>) -> Option<Chart> {
        prepared.observer.chart(P::ITEMS)
    }

    fn figures(&self, prepared: &Prepared<P>, ran: &RanWith<P>) -> Map<String, Value> {
        let mut figures = self.program.figures(&prepared.at.flow, &ran.sink);
        figures.extend(ran.figures.clone());
        figures
    }

    fn regrets(&self, prepared: &Prepared<P>) -> Result<(), String> {
        self.program.regrets(&prepared.at.flow)
    }

    fn keep(&self, prepared: Prepared<P>, ran: RanWith<P>) -> io::Result<()> {
        if let Some(path) = &self.trial.monitor {
            prepared.observer.write(path)?;
        }
        self.program.keep(&prepared.at.flow, ran.sink)
    }
}

impl<P: Stream> Args for Suite<P> {
    fn augment_args(command: Command) -> Command {
        let command = Scale::augment_args(command).args(Shape::option(P::SHAPES));
        P::augment_args(Trial::augment_args(Travel::augment_args(command)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<P: Stream> FromArgMatches for Suite<P> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Suite {
            scale: Scale::from_arg_matches(matches)?,
            shapes: Shape::selected(P::SHAPES, matches),
            travel: Travel::from_arg_matches(matches)?,
            trial: Trial::from_arg_matches(matches)?,
            program: P::from_arg_matches(matches)?,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<P: Stream> Serialize for Suite<P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Params<'a, P> {
            #[serde(flatten)]
            scale: &'a Scale,
            #[serde(skip_serializing_if = "Option::is_none")]
            shape: Option<Shape>,
            #[serde(flatten)]
            travel: &'a Travel,
            #[serde(flatten)]
            trial: &'a Trial,
            #[serde(flatten)]
            program: &'a P,
        }
        let shape = (P::SHAPES.len() > 1).then_some(self.shape());
        let Suite { scale, travel, trial, program, .. } = self;
        Params { scale, shape, travel, trial, program }.serialize(serializer)
    }
}

/// The answer of the sequential program.
#[cfg(test)]
pub fn answer<P: Stream>(program: P, class: Class) -> <P::Flow as Flow>::Answer {
    let suite = Suite::new(Scale::new(class, 1), program);
    suite.setting().expect("the setting is made").due
}

/// The names of the contenders whose results are right in every shape, and of those whose results are wrong.
#[cfg(test)]
pub fn answers<P: Stream>(program: P) -> (Vec<&'static str>, Vec<&'static str>) {
    let mut suite = Suite::new(Scale::new(Class::Test, 2), program);
    let is_right = |suite: &Suite<P>, contender: &Contender<Suite<P>>| {
        let prepared = suite.setting().expect("the setting is made");
        let run = contender.run_for(suite).ok()?;
        Some(run(suite, &prepared).is_ok_and(|ran| suite.verify(&prepared, &ran).is_ok()))
    };
    let (mut right, mut wrong) = (Vec::new(), Vec::new());
    for contender in Suite::<P>::contenders() {
        let results: Vec<_> = P::SHAPES
            .iter()
            .filter_map(|shape| {
                suite.shapes = vec![*shape];
                is_right(&suite, contender)
            })
            .collect();
        let all = if results.into_iter().all(|is_right| is_right) { &mut right } else { &mut wrong };
        all.push(contender.name);
    }
    (right, wrong)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::programs::Template;
    use crate::streams::parcel::Parcel;

    #[test]
    fn a_wrong_order_ends_the_run() {
        let suite = Suite::new(Scale::new(Class::Test, 1), Template::up_to(3));
        let mut sink = suite.setting().and_then(|prepared| prepared.at.sink()).expect("the setting is made");
        let parcel = |number| Parcel::One { number, item: 7 };
        assert!(sink.take(parcel(0)).is_ok());
        let error = sink.take(parcel(2)).expect_err("1 is due");
        assert_eq!(error.to_string(), "item 2 came out where item 1 was due");
    }
}
