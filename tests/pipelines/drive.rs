//! Runs a pipeline to its end, and returns what the caller was told.

use crate::build::{source, stages};
use crate::case::Case;
use crate::item::{Item, Planned, complain};
use crate::model::Told;
use crate::plan::{Fault, Sink, Source};
use pipes::Port;
use pipes_skeleton::{Failure, FailureKind, Pipeline, PostError, posted};
use pipes_tests::caught;
use std::sync::Arc;
use std::time::Duration;

/// How a run has ended.
pub struct End {
    /// `None` if the caller did not ask.
    pub told: Option<Told>,
    /// The sink ran until the end.
    pub is_whole: bool,
    /// The stages that had not returned when the caller was told.
    pub stuck: Vec<String>,
}

fn end<R>(result: Result<R, Failure>) -> End {
    let failure = result.err();
    let stuck = failure.iter().flat_map(|failure| failure.stuck().to_vec()).collect();
    End { told: Some(failure.map_or(Told::Fine, told)), is_whole: true, stuck }
}

fn told(failure: Failure) -> Told {
    let (stage, said) = (failure.stage().to_owned(), failure.to_string());
    let (told, is_planned) = match failure.into_kind() {
        FailureKind::Panic(panic) => (Told::Panic(stage), panic.into_payload().is::<Planned>()),
        FailureKind::Error(error) => (Told::Error(stage), error.to_string() == "planned"),
        cause => (Told::Cancelled, matches!(cause, FailureKind::Cancelled)),
    };
    if !is_planned {
        complain(format!("a failure that was not planned: {said}"));
    }
    told
}

/// What the sink does with an item.
fn take(case: &Case, mut item: Item) {
    case.arrive(&mut item);
    let value = item.value;
    drop(item);
    case.leave_last(value);
}

pub fn drive(case: &Arc<Case>, port: Option<Port<Item>>) -> End {
    if let Source::Posted(count) = case.plan.source {
        return post(case, count);
    }
    let items = stages(case, source(case, port));
    match case.plan.sink {
        Sink::Collect => {
            let all = items.collect();
            end(all.map(|all| arrived(case, all)))
        }
        Sink::ForEach => end(items.for_each(|item| take(case, item))),
        Sink::Fold => {
            let count = items.fold(0, |count, item| {
                take(case, item);
                count + 1
            });
            end(count.map(|count| assert_eq!(count, case.sink.read().len(), "all were folded")))
        }
        Sink::Reduce => {
            let first = items.reduce(|mut all, mut item| {
                if case.sink.read().is_empty() {
                    case.arrive(&mut all);
                }
                case.arrive(&mut item);
                all
            });
            end(first.map(|first| {
                let is_one = case.sink.read().is_empty();
                first.filter(|_| is_one).into_iter().for_each(|mut item| case.arrive(&mut item));
            }))
        }
        Sink::Iter { enough } => iterate(case, items, enough),
        Sink::Port { enough } => receive(case, items, enough),
        Sink::PostedCollect | Sink::PostedWait | Sink::PostedDrop => unreachable!("nothing is posted"),
    }
}

/// Records all items of a result that comes out as one.
fn arrived(case: &Case, all: Vec<Item>) {
    for mut item in all {
        case.arrive(&mut item);
    }
}

/// Drops results of the pipeline. They are the caller's, and so is a panic of their destructors.
fn drop_results(case: &Case, results: impl Sized) {
    let panic = caught(|| drop(results));
    if panic
        .is_some_and(|panic| !(panic.is::<Planned>() && matches!(case.plan.fault, Some(Fault::Bomb { .. }))))
    {
        complain("a destructor of the library has panicked".to_owned());
    }
}

fn iterate(case: &Case, items: Pipeline<Item>, enough: Option<usize>) -> End {
    let (mut items, mut count) = (items.into_iter(), 0);
    while enough.is_none_or(|enough| count < enough) {
        match items.next() {
            None => return End { told: Some(Told::Fine), is_whole: true, stuck: Vec::new() },
            Some(Ok(item)) => take(case, item),
            Some(Err(failure)) => {
                if items.next().is_some() {
                    complain("something comes after the failure".to_owned());
                }
                return end(Err::<(), _>(failure));
            }
        }
        count += 1;
    }
    drop(items);
    End { told: None, is_whole: false, stuck: Vec::new() }
}

fn receive(case: &Case, items: Pipeline<Item>, enough: Option<usize>) -> End {
    let (mut port, running) = items.into_port();
    let (mut count, mut is_whole) = (0, false);
    while !is_whole && enough.is_none_or(|enough| count < enough) {
        match port.recv() {
            Ok(item) => take(case, item),
            Err(_) => is_whole = true,
        }
        count += 1;
    }
    drop_results(case, port);
    End { is_whole, ..end(running.join()) }
}

fn post(case: &Arc<Case>, count: usize) -> End {
    let running = match posted(|items| stages(case, items)) {
        Ok(running) => running,
        Err(failure) => return end(Err::<(), _>(failure)),
    };
    for number in 0..count {
        if matches!(case.plan.fault, Some(Fault::PostedCancel { at }) if at == number) {
            running.cancel();
        }
        let value = case.model.roots[0][number];
        let mut item = Item::new(value);
        // Recorded now, because a scheduler may be asked for the item before it is refused.
        case.sources[0].push(value);
        let refused = loop {
            let posted = match value % 3 {
                0 => running.post(item),
                1 => running.try_post(item),
                _ => running.post_timeout(item, Duration::from_micros(50)),
            };
            match posted {
                Ok(()) => break None,
                Err(PostError::Full(back)) => item = back,
                Err(PostError::Ended(back)) => break Some(back),
            }
            std::thread::yield_now();
        };
        if let Some(item) = refused {
            if item.value != value {
                complain("another item came back than was posted".to_owned());
            }
            break;
        }
        crate::item::step();
        case.enter(0, value);
    }
    let mut running = running;
    match case.plan.sink {
        Sink::PostedDrop => {
            drop_results(case, running);
            End { told: None, is_whole: true, stuck: Vec::new() }
        }
        Sink::PostedWait => {
            let waited = running.end_and_wait();
            if waited.is_ok() {
                arrived(case, running.collect().unwrap_or_default());
            }
            end(waited)
        }
        _ => end(running.collect().map(|all| arrived(case, all))),
    }
}
