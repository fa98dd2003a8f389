//! Pipelines that end before their source does.

use crate::counted::{Counted, DropCounter};
use crate::explore;
use pipes_skeleton::{Failure, FailureKind, Pipeline, from_iter, try_from_iter};
use std::panic::resume_unwind;

const STAGES: [&str; 5] = ["source", "farm", "second", "ordered", "sink"];

/// Passes the item on. Item 2 fails or panics if this stage is `at`.
fn step(item: Counted, stage: &str, panics: bool, at: &str) -> Result<Counted, String> {
    match item.number == 2 && stage == at {
        false => Ok(item),
        true if panics => resume_unwind(Box::new(stage.to_owned())),
        true => Err(stage.to_owned()),
    }
}

fn pipeline(drops: &DropCounter, panics: bool, at: &'static str) -> Pipeline<Counted> {
    let drops = drops.clone();
    try_from_iter((0..5).map(move |n| step(drops.make(n), "source", panics, at)))
        .in_flight(4)
        .try_parallel(2, move |item| step(item, "farm", panics, at))
        .named("farm")
        .try_parallel(2, move |item| step(item, "second", panics, at))
        .named("second")
        .in_order()
        .try_sequential(move |item| step(item, "ordered", panics, at))
        .named("ordered")
}

fn assert_is(failure: &Failure, panics: bool, at: &str) {
    assert_eq!(failure.stage(), at);
    let said = match failure.kind() {
        FailureKind::Error(error) if !panics => error.to_string(),
        FailureKind::Panic(_) if panics => failure.panic_message().expect("it is a text").to_owned(),
        other => panic!("{other:?}"),
    };
    assert_eq!(said, at);
    assert!(failure.stuck().is_empty());
}

/// If a stage goes wrong, the caller gets the failure, no thread hangs, all items are dropped, and the
/// results before the failure were in order.
fn goes_wrong(panics: bool) {
    for at in STAGES {
        let drops = DropCounter::new();
        let mut next = 0;
        let ended = pipeline(&drops, panics, at).for_each(|item| {
            assert_eq!(item.number, next);
            next += 1;
            if at == "sink" && item.number == 2 {
                resume_unwind(Box::new("sink"));
            }
        });
        assert_is(&ended.expect_err("it goes wrong"), panics || at == "sink", at);
        assert!(next <= 3);
        drops.assert_all_dropped();
    }
}

#[test]
fn a_stage_fails() {
    explore(|| goes_wrong(false));
}

#[test]
fn a_stage_panics() {
    explore(|| goes_wrong(true));
}

/// All replicas fail. Any of them may be the first.
#[test]
fn all_fail() {
    explore(|| {
        let failure = from_iter(0..4)
            .try_parallel(3, |n: u64| Err::<(), _>(n.to_string()))
            .named("farm")
            .in_order()
            .collect()
            .expect_err("all fail");
        assert!(matches!(failure.kind(), FailureKind::Error(_)));
        assert_eq!((failure.stage(), failure.stuck().len()), ("farm", 0));
    });
}

/// An iterator or a port is dropped after it has returned `taken` items.
#[test]
fn dropped() {
    explore(|| {
        for taken in 0..3 {
            let drops = DropCounter::new();
            let mut items = pipeline(&drops, false, "nowhere").into_iter();
            assert_eq!(items.by_ref().take(taken).filter(Result::is_ok).count(), taken);
            drop(items);
            drops.assert_all_dropped();

            let (mut port, running) = pipeline(&drops, false, "nowhere").in_flight(1).into_port();
            assert!((0..taken).all(|n| port.recv().is_ok_and(|item| item.number == n as u64)));
            drop(port);
            running.join().expect("nothing goes wrong");
            drops.assert_all_dropped();
        }
    });
}
