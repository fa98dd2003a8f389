//! Fraud detection: transactions of many customers, each scored by what its customer did before.
//!
//! An item is a transaction: a customer, the *key*, and one of 18 states (amount, kind of goods, time since
//! the last purchase). A source sends it to the predictor of its key; the predictor keeps the last `--window`
//! states of every customer, and scores them with a Markov model: the mean probability of what the customer
//! did *not* do, step by step. Only transactions with a score above 0.96 are passed on, to a sink that checks
//! the order of each key. So the farm is keyed, has a state, and filters: from `DSPBench`, in the form of
//! `StreamBenchmarks`, with states that are numbers instead of strings.
//!
//! The transactions are generated as in `DSPBench`, from skewed probabilities, and one customer in 64 is a
//! fraud whose states are all equally likely. They are in memory when the clock starts; the model is trained
//! before that, by counting the steps of the honest customers. There are `--sources`, `--predictors` and
//! `--sinks`, each a thread or task, with queues of 512 items in front of every stage. A customer belongs to
//! one source, one predictor and one sink. With `--batch N` a source collects N transactions for a predictor
//! before it sends them.
//!
//! `sequential` does all of it in one loop: a transaction takes some tens of nanoseconds, so it is the lower
//! bound of the hand-overs when there are no batches. `rayon` has no stages: each worker reads all
//! transactions, and scores those of its own customers. `pariter` has no keyed farm, so it has a single
//! predictor, in a thread of its own. The timed run includes starting and ending the workers, but not the
//! pools.
//!
//! Every 64th transaction of a source carries a time stamp; the latencies below the table are those of the
//! stamped ones that reach a sink.
//!
//! Verified: the number of what was passed on, the order in each key, and a sum of hashes over key, position
//! in the key and score, against the sequential program.

mod faulty;
mod items;
mod model;
mod pariter;
mod pipes;
mod rayon;
mod sequential;
mod sink;
mod threads;
mod tokio;
mod transactions;

use std::io;
use std::sync::Arc;
use std::time::Instant;

use clap::{Args, value_parser};
use pipes_charts::Chart;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::streams::points::{self, Swept};
use crate::streams::{Gauge, Observer, Pools, Ran, Scale, Steps, Trial, part_of};
use items::{Batch, One};
use model::{Model, Predictor};
use pipes_benches::harness::{Contender, Experiment, Program};
use pipes_benches::options::{MOST_MESSAGES, up_to};
use pipes_benches::watch::Watch;
use sink::{Found, Sink};
use transactions::{Transaction, customers, stamped, transactions};

/// The options of the detection.
#[derive(Args, Clone, Debug, Serialize)]
pub struct Fraud {
    #[command(flatten)]
    #[serde(flatten)]
    scale: Scale,
    #[command(flatten)]
    #[serde(flatten)]
    trial: Trial,
    /// Transactions, overriding the class
    #[arg(long, value_name = "N", value_parser = up_to(MOST_MESSAGES))]
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<u64>,
    /// Sources, each with its own customers
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = up_to(256))]
    sources: u64,
    /// Predictors [default: as many as replicas]
    #[arg(long, value_name = "N", value_parser = up_to(256))]
    #[serde(skip_serializing_if = "Option::is_none")]
    predictors: Option<u64>,
    /// Sinks
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = up_to(256))]
    sinks: u64,
    /// Last states of a customer that are scored
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = value_parser!(u64).range(2..=64))]
    window: u64,
    /// Transactions that a source collects for a predictor; `a:b` or `a:step:b` is a sweep
    #[arg(long, value_name = "N", default_value = "1", value_parser = Steps::up_to(1_000_000))]
    batch: Steps,
}

impl Fraud {
    /// The number of transactions.
    fn items(&self) -> u64 {
        self.items.unwrap_or(self.scale.class.trivial_items())
    }

    /// The number of sources.
    fn sources(&self) -> usize {
        self.sources as usize
    }

    /// The number of predictors.
    fn predictors(&self) -> usize {
        self.predictors.map_or(self.scale.replicas(), |predictors| predictors as usize)
    }

    /// The number of sinks.
    fn sinks(&self) -> usize {
        self.sinks as usize
    }

    /// The number of transactions in a batch.
    fn batch(&self) -> usize {
        self.batch.first() as usize
    }

    /// Runs one form or the other, depending on how the transactions travel.
    fn by(
        &self,
        at: &Setting,
        name: &'static str,
        one_at_a_time: Run,
        batched: Run,
    ) -> io::Result<Ran<Found>> {
        let run = if self.batch() == 1 { one_at_a_time } else { batched };
        at.observer.observe(name, || run(self, at))
    }

    /// Why contenders that read one source after another are left out, if they are.
    fn needs_several_sources(&self) -> Option<&'static str> {
        let are_several = self.trial.is_paced() && self.sources > 1;
        are_several.then_some("it reads one source after another, so each would be late")
    }

    /// Runs our own pipeline.
    fn ours(&self, at: &Setting) -> io::Result<Ran<Found>> {
        self.by(at, "pipes", pipes::run::<One>, pipes::run::<Batch>)
    }

    /// The options that may have several values.
    fn swept(&self) -> [Swept<Fraud>; 3] {
        let replicas = |fraud: &Fraud, value| Fraud { scale: fraud.scale.with(value), ..fraud.clone() };
        let batch = |fraud: &Fraud, value| Fraud { batch: Steps::one(value), ..fraud.clone() };
        let frequency = |fraud: &Fraud, value| Fraud { trial: fraud.trial.at(value), ..fraud.clone() };
        [
            Swept::numbers("replicas", Some(&self.scale.replicas), replicas),
            Swept::numbers("batch", Some(&self.batch), batch),
            Swept::numbers("frequency", self.trial.frequencies(), frequency),
        ]
    }
}

/// A contender, for items of one kind.
type Run = fn(&Fraud, &Setting) -> io::Result<Found>;

impl Program for Fraud {
    const NAME: &'static str = "fraud";
    const ABOUT: &'static str =
        "Score transactions by what their customers did before; one op is one of them";
    const UNIT: &'static str = "transactions";
    const VARIANTS: &'static [&'static [&'static str]] = &[&["--batch", "1"], &["--batch", "256"]];
    const QUICK: &'static [&'static str] = &["--items", "20000"];
    const CONTENDERS: &'static [Contender<Self>] = &[
        Contender::new("pipes", pipes::SOURCES).in_its_own_way(Fraud::ours),
        Contender::new("sequential", sequential::SOURCES)
            .unless(Fraud::needs_several_sources)
            .in_its_own_way(|f, at| f.by(at, "sequential", sequential::run, sequential::run)),
        Contender::new("threads", threads::SOURCES)
            .in_its_own_way(|f, at| f.by(at, "threads", threads::run::<One>, threads::run::<Batch>)),
        Contender::new("tokio", tokio::SOURCES)
            .in_its_own_way(|f, at| f.by(at, "tokio", tokio::run::<One>, tokio::run::<Batch>)),
        Contender::new("pariter", pariter::SOURCES)
            .unless(Fraud::needs_several_sources)
            .in_its_own_way(|f, at| f.by(at, "pariter", pariter::run::<One>, pariter::run::<Batch>)),
        Contender::new("rayon", rayon::SOURCES)
            .unless(Fraud::needs_several_sources)
            .in_its_own_way(|f, at| f.by(at, "rayon", rayon::run, rayon::run)),
        Contender::new("faulty", faulty::SOURCES)
            .hidden()
            .in_its_own_way(|f, at| f.by(at, "faulty", faulty::run, faulty::run)),
    ];

    type Setting = Setting;
    type Outcome = Ran<Found>;

    fn check(&self) -> Result<(), String> {
        self.trial.check()?;
        if self.predictors.is_some() && self.scale.replicas.all().len() > 1 {
            return Err(
                "with --predictors, --replicas changes nothing, so it can have only one value".to_owned()
            );
        }
        points::check(&self.swept(), self.trial.monitor.is_some())
    }

    fn ops(&self, _: &Setting) -> u64 {
        self.items()
    }

    fn setting(&self) -> io::Result<Setting> {
        self.trial.prepare()?;
        let shares = transactions(self.items(), self.sources());
        let honest = || shares.iter().flat_map(|share| share.iter()).filter(|one| !one.is_planted());
        let model = Arc::new(Model::trained(honest(), customers(self.items())));
        let pools = Pools::new(self.predictors())?;
        let gauge = if self.experiment().is_some() { Gauge::new(&["predict"]) } else { Gauge::default() };
        let observer = Observer::new(gauge);
        let (begin, due) = (Instant::now(), Found::default());
        let mut setting = Setting { pools, watch: Watch::default(), observer, shares, model, begin, due };
        setting.due = sequential::run(self, &setting)?;
        if self.trial.is_paced() {
            let begin = Instant::now();
            self.ours(&setting)?;
            let capacity = self.items() as f64 / begin.elapsed().as_secs_f64().max(f64::MIN_POSITIVE);
            setting.observer.rate = self.trial.rate(capacity, self.items());
        }
        setting.observer.every = self.trial.every();
        if self.scale.watch {
            setting.watch.show(|| self.ours(&setting))?;
        }
        Ok(setting)
    }

    fn verify(&self, at: &Setting, ran: &Ran<Found>) -> Result<(), String> {
        ran.sink.verify(&at.due)
    }

    fn experiment(&self) -> Option<Experiment<Fraud>> {
        points::experiment(self, &self.swept(), self.trial.is_on())
    }

    fn chart(&self, at: &Setting) -> Option<Chart> {
        at.observer.chart(Self::UNIT)
    }

    fn figures(&self, _: &Setting, ran: &Ran<Found>) -> Map<String, Value> {
        let mut figures = ran.sink.figures();
        figures.extend(ran.figures.clone());
        figures
    }

    fn keep(&self, at: Setting, _: Ran<Found>) -> io::Result<()> {
        self.trial.monitor.as_ref().map_or(Ok(()), |path| at.observer.write(path))
    }

    fn all_figures(&self) -> bool {
        true
    }
}

/// The pools, the transactions of each source, the trained model, and the expected result.
#[derive(Debug)]
pub struct Setting {
    pools: Pools,
    watch: Watch,
    observer: Observer,
    shares: Vec<Arc<[Transaction]>>,
    model: Arc<Model>,
    /// Time stamps count from here.
    begin: Instant,
    due: Found,
}

impl Setting {
    /// The transactions of each source, as they become due.
    fn transactions(&self) -> Vec<impl Iterator<Item = Transaction> + Send + 'static> {
        let rate = self.observer.rate.map(|rate| part_of(rate, self.shares.len()));
        self.shares.iter().map(|share| stamped(share.clone(), rate, self.begin)).collect()
    }

    /// An empty sink.
    fn sink(&self) -> Sink {
        Sink::new(self.begin, self.observer.gauge.clone())
    }

    /// A predictor that knows no customer yet.
    fn predictor(&self, fraud: &Fraud) -> Predictor {
        Predictor::new(self.model.clone(), fraud.window as usize, self.observer.gauge.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::Class;

    #[test]
    fn what_is_found_is_mostly_planted() {
        let (scale, trial) = (Scale::new(Class::Test, 1), Trial::default());
        let (items, predictors, batch) = (None, None, Steps::one(1));
        let fraud = Fraud { scale, trial, items, sources: 1, predictors, sinks: 1, window: 5, batch };
        let at = fraud.setting().expect("the pools start");
        let (mut predictor, mut planted, mut honest) = (at.predictor(&fraud), [0, 0], [0, 0]);
        for one in at.shares[0].iter() {
            let counts = if one.is_planted() { &mut planted } else { &mut honest };
            counts[usize::from(predictor.scored(*one).is_some())] += 1;
        }
        let share = |[quiet, found]: [u64; 2]| found as f64 / (quiet + found) as f64;
        assert!(share(planted) > 3.0 * share(honest), "{planted:?} {honest:?}");
        assert!(share(honest) < 0.1, "{honest:?}");
    }
}
