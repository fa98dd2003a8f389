//! Workers that take items and say nothing.

use crate::ends::error;
use crate::protocol::work;
use crate::{Session, end, farm, start, words};
use pipes::Closing;
use pipes_remote::farm::{FarmError, PipelineExt};
use pipes_skeleton::{Metrics, from_iter};
use pipes_tests::{spin_while, test_in, watched};
use std::cell::Cell;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// A worker that keeps each item until the farm does not want it any more.
fn keep_all(mut connect: impl FnMut() -> Option<Session>, mut took: impl FnMut(u64)) {
    while let Some(session) = connect() {
        let Ok(work::Idle::Item(item, busy)) = session.recv() else { return };
        took(item.into_inner());
        spin_while(|| !busy.is_closed());
    }
}

/// A silent worker among others: the items that it keeps are done by another one.
#[test_in(watched)]
fn one_is_silent() {
    let (via, farm) = farm();
    let farm = farm.timeout(Duration::from_millis(20)).tries(u32::MAX);
    let (took, taken) = mpsc::channel();
    let there = via.clone();
    let silent = thread::spawn(move || {
        keep_all(|| work::connect(&there).ok(), |number| took.send(number).unwrap_or_default());
    });
    let metrics = Metrics::new();
    let pipeline = from_iter(0..200).in_flight(8).remote(&farm, |number| number).named("parse");
    let results = pipeline.measured(&metrics).in_order().into_iter();
    assert_eq!(taken.recv(), Ok(0));
    let honest = start(&via, 1);
    assert!(results.map(|result| result.expect("one is honest")).eq((0..200).map(words)));
    let report = farm.report();
    assert_eq!(report.items(), 200);
    assert!(report.given_again() >= 1, "{report}");
    // The stage's note is the same report, but for sessions that come and go.
    let metrics = metrics.report();
    let stage = metrics.stages().iter().find(|stage| stage.name() == "parse").expect("it is there");
    let note = stage.note().expect("the stage has one");
    let (head, worker) = (note.lines().next(), note.lines().nth(1).expect("there is a worker"));
    assert_eq!(head, report.to_string().lines().next());
    assert!(worker.starts_with("memory") && worker.contains(" 200 "), "{note}");
    end(farm, [honest]);
    silent.join().expect("no panic");
}

/// All workers are silent: the item is given up after as many tries as are allowed.
#[test_in(watched)]
fn all_are_silent() {
    let (via, farm) = farm();
    let (timeout, taken) = (Duration::from_millis(5), Cell::new(0));
    let farm = farm.timeout(timeout).tries(4);
    let results = from_iter(0..3).in_flight(1).remote(&farm, |number| number).named("parse").into_iter();
    let next = || (taken.get() < 4).then(|| work::connect(&via).expect("it listens"));
    keep_all(next, |_| taken.set(taken.get() + 1));
    let failure = results.last().expect("it fails").expect_err("all are silent");
    let FarmError::TimedOut { item: 0, tries: 4, timeout: reported } = error(&failure) else {
        panic!("{failure}")
    };
    assert_eq!(*reported, timeout);
    assert!(failure.to_string().contains("item 0 was given up after 4 tries"), "{failure}");
    assert_eq!((taken.get(), farm.report().given_again()), (4, 4));
    spin_while(|| farm.report().workers()[0].open > 0);
}
