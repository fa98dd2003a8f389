//! Random pipelines. From a seed a pipeline is drawn as a plain description. Two things are made of it: the
//! real pipeline, and a sequential model that predicts its behaviour. The model predicts the results and
//! their order, which steps see which items, how many items are between two places at a time, what the caller
//! is told when something goes wrong, and that every item has been dropped exactly once when the caller is
//! told.
//!
//! Every run tries the same pipelines. A failure prints the seed; `PIPES_PIPELINE_SEED=n` runs that pipeline
//! many times. `PIPES_PIPELINES=n` runs `n` others, `PIPES_PIPELINES=endless` does not end,
//! `PIPES_PIPELINE_SECONDS=s` ends after this time.

mod build;
mod case;
mod check;
mod draw;
mod drive;
mod item;
mod layout;
mod model;
mod plan;
mod stages;
mod variety;

use case::Case;
use check::check;
use drive::{End, drive};
use item::{Item, close_ledger, complain, complaints, progress, step};
use pipes::{Chan, Port, stream};
use pipes_tests::watch_progress;
use plan::{Fault, Plan, Source};
use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};
use variety::Variety;

/// The thread that feeds a port; it returns the chan of a quiet source.
type Feeder = thread::JoinHandle<Option<Chan<Item>>>;

/// How many pipelines run by default.
const PIPELINES: u64 = if cfg!(miri) { 6 } else { 1000 };
/// How often a pipeline runs whose seed is given.
const TIMES: u64 = 2000;
/// The library waits at least this long for a stage before it leaves it behind.
const GRACE: Duration = Duration::from_secs(1);

/// The description of the current run.
static RUNNING: Mutex<String> = Mutex::new(String::new());

#[test]
fn random_pipelines_do_as_predicted() {
    let running = || RUNNING.lock().unwrap_or_else(PoisonError::into_inner).clone();
    watch_progress(progress, running, run_all);
}

fn run_all() {
    let told = |name| env::var(name).ok();
    let number = |name| told(name).and_then(|text| text.parse::<u64>().ok());
    if let Some(seed) = number("PIPES_PIPELINE_SEED") {
        let times = number("PIPES_PIPELINES").unwrap_or(TIMES);
        (0..times).for_each(|salt| _ = run(seed, salt));
        return;
    }
    let seconds = number("PIPES_PIPELINE_SECONDS").map(Duration::from_secs);
    let endless = told("PIPES_PIPELINES").is_some_and(|text| text == "endless");
    let most = number("PIPES_PIPELINES").unwrap_or(PIPELINES);
    let (begin, mut variety, mut seed) = (Instant::now(), Variety::default(), 0);
    let is_over = |seed| seconds.map_or(!endless && seed >= most, |seconds| begin.elapsed() >= seconds);
    while !is_over(seed) {
        let (plan, end) = run(seed, seed);
        variety.note(&plan, &end);
        seed += 1;
    }
    println!("{seed} pipelines: {variety:?}");
    if seed >= 1000 {
        variety.assert_all();
    }
}

/// Runs the pipeline of a seed, and panics if its behaviour was not predicted.
fn run(seed: u64, salt: u64) -> (Plan, End) {
    let (plan, model) = draw::draw(seed);
    let ends = model.ends.clone();
    let what = format!("PIPES_PIPELINE_SEED={seed}\n{plan}\n  ends: {ends:?}");
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&what);
    let case = Case::new(plan.clone(), model, salt);
    let end = catch_unwind(AssertUnwindSafe(|| on_stage(&case))).unwrap_or_else(|panic| {
        eprintln!("{what}\na panic has come out of the pipeline");
        resume_unwind(panic)
    });
    check(&case, &end);
    let complaints = complaints();
    assert!(complaints.is_empty(), "{what}\n{}", complaints.join("\n"));
    (plan, end)
}

/// Runs the pipeline with the threads that it needs around it, until all of them have ended.
fn on_stage(case: &Arc<Case>) -> End {
    let (teller, told) = mpsc::channel();
    *case.teller.lock().unwrap_or_else(PoisonError::into_inner) = Some(teller);
    let cancel = case.cancel.clone();
    let needs_it =
        matches!(case.plan.fault, Some(Fault::Cancel { outside: true, .. } | Fault::Pending { .. }));
    let canceller = needs_it.then(|| {
        thread::spawn(move || {
            if told.recv().is_ok() {
                cancel.cancel();
            }
        })
    });
    let (port, feeder) = feed(case).unzip();

    let begin = Instant::now();
    let end = drive(case, port);
    let took = begin.elapsed();
    // A stage that has not returned in time is named, and ends by itself. This may happen on a slow machine,
    // and only after the grace period.
    if Arc::strong_count(case) > 1 && took < GRACE {
        complain("the caller went on before all stages had ended".to_owned());
    }
    if took < GRACE && !end.stuck.is_empty() {
        complain(format!("{:?} are said to be stuck", end.stuck));
    }
    while Arc::strong_count(case) > 1 {
        thread::yield_now();
    }
    if let Some(feeder) = feeder {
        drop(feeder.join().expect("it does not panic"));
    }
    *case.teller.lock().unwrap_or_else(PoisonError::into_inner) = None;
    if let Some(canceller) = canceller {
        canceller.join().expect("it does not panic");
    }
    let left = close_ledger();
    if left > 0 {
        complain(format!("{left} items were never dropped"));
    }
    end
}

/// For a port source, the port and a thread that sends its items. If the source is quiet, the thread returns
/// the chan.
fn feed(case: &Case) -> Option<(Port<Item>, Feeder)> {
    let Source::Port { quiet, .. } = case.plan.source else { return None };
    let (mut chan, port) = stream();
    let values = case.model.roots[0].clone();
    let feeder = thread::spawn(move || {
        for value in values {
            step();
            if chan.send(Item::new(value)).is_err() {
                break;
            }
        }
        quiet.then_some(chan)
    });
    Some((port, feeder))
}
