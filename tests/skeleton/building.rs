//! Pipelines that cannot be run fail when they are run.

use pipes_skeleton::{
    Batching, BuildError, Failure, FailureKind, Metrics, Pipeline, from_iter, merge, posted,
};
use std::ops::ControlFlow;

fn items() -> Pipeline<u64> {
    from_iter(0..10)
}

#[track_caller]
fn assert_refused(found: Result<Vec<u64>, Failure>, stage: &str, error: BuildError) {
    let failure = found.expect_err("it cannot be run");
    assert!(matches!(failure.kind(), FailureKind::Build(found) if *found == error), "{failure:?}");
    assert_eq!(failure.stage(), stage);
    assert_eq!(failure.to_string(), format!("{stage}: {error}"));
}

#[test]
fn no_replicas() {
    assert_refused(items().parallel(0, |n| n).collect(), "stage 1", BuildError::NoReplicas);
    assert_refused(
        items().sequential(|n| n).parallel_with(0, |_| |n| n).collect(),
        "stage 2",
        BuildError::NoReplicas,
    );
    assert_refused(items().keyed(0, |n| *n, |n| n).collect(), "stage 1", BuildError::NoReplicas);
    assert_refused(items().round_robin(0, |n| n).collect(), "stage 1", BuildError::NoReplicas);
    assert_refused(
        items().farm(2, |share| share.parallel(0, |n| n)).collect(),
        "stage 1",
        BuildError::NoReplicas,
    );
    assert_refused(
        items().farm(0, |share| share.parallel(1, |n| n)).collect(),
        "farm",
        BuildError::NoReplicas,
    );
}

#[test]
fn no_room() {
    assert_refused(items().in_flight(0).parallel(2, |n| n).collect(), "in_flight", BuildError::NoRoom);
    assert_refused(
        items().parallel(2, |n| n).named("farm").in_flight(0).collect(),
        "in_flight",
        BuildError::NoRoom,
    );
    assert_refused(items().in_flight_bytes(0, |_| 1).collect(), "in_flight_bytes", BuildError::NoRoom);
    let mixed = merge([items().in_flight(9), items().in_flight_bytes(9, |_| 1)]);
    assert_refused(mixed.collect(), "merge", BuildError::MixedLimits);
    let batches = |size| items().batched(&Batching::of(size)).sequential(|batch| batch[0]);
    assert_refused(batches(0).collect(), "stage 1", BuildError::NoBatch);
}

/// The size of items is taken where they leave the source.
#[test]
fn sizes_behind_the_source() {
    let late = |items: Pipeline<u64>| items.in_flight_bytes(9, |_| 1).collect();
    assert!(late(items().map(|n| n).filter(|_| true)).is_ok());
    for items in [
        items().sequential(|n| n),
        items().parallel(2, |n| n),
        items().parallel(2, |n| n).map(|n| n),
        merge([items(), items()]),
    ] {
        assert_refused(late(items), "in_flight_bytes", BuildError::NotAtSource);
    }
}

/// A part of another farm or loop is the mistake of the function that was given it, not of the source.
#[test]
fn parts_of_other_pipelines() {
    // Two farms whose functions return the part of the other one.
    let mut inner = None;
    let outer = items().farm(1, |part| {
        let (mut part, mut share) = (Some(part), None);
        inner = Some(items().farm(1, |own| {
            share = Some(own);
            part.take().expect("there is one replica")
        }));
        share.take().expect("there was a replica")
    });
    assert_refused(outer.collect(), "farm", BuildError::NotAPart);
    assert_refused(inner.expect("it was made").collect(), "farm", BuildError::NotAPart);
    let mut part = None;
    let farm = items().farm(1, |own| {
        let mut own = Some(own);
        let loops = items().feedback(|again| {
            part = Some(again);
            own.take().expect("there is one loop").sequential(ControlFlow::<u64, u64>::Break)
        });
        assert_refused(loops.collect(), "feedback", BuildError::NotAPart);
        part.take().expect("there was a loop")
    });
    assert_refused(farm.collect(), "farm", BuildError::NotAPart);
    let others = posted(|_: Pipeline<u64>| items()).map(drop).expect_err("it is another pipeline");
    assert_eq!(others.stage(), "posted");
}

/// The first mistake is reported, by every sink.
#[test]
fn every_sink_says_it() {
    let wrong = || items().parallel(0, |n| n).named("first").in_flight(0);
    let is_first = |failure: Failure| assert_eq!(failure.stage(), "first");
    is_first(wrong().for_each(drop).expect_err("it cannot be run"));
    is_first(wrong().fold((), |(), _| ()).expect_err("it cannot be run"));
    is_first(wrong().into_iter().next().expect("one item, the failure").expect_err("it cannot be run"));
    let (mut port, running) = wrong().into_port();
    assert!(port.recv().is_err());
    is_first(running.join().expect_err("it cannot be run"));
    let refused = posted(|items: Pipeline<u64>| items.parallel(0, |n| n).named("first"));
    is_first(refused.expect_err("it cannot be run"));
}

/// Limits may be as large as the type allows; a number of replicas that no machine can run is refused.
#[test]
fn huge_numbers() {
    const HUGE: usize = usize::MAX;
    assert_refused(items().parallel(HUGE, |n| n).collect(), "stage 1", BuildError::TooManyReplicas);
    assert_refused(items().keyed(HUGE, |n| *n, |n| n).collect(), "stage 1", BuildError::TooManyReplicas);
    assert_refused(items().farm(HUGE, |share| share).collect(), "farm", BuildError::TooManyReplicas);
    let metrics = Metrics::new();
    let wide = items().in_flight(HUGE).sequential(|n| n).parallel(2, |n| n);
    let wide = wide.concurrent(HUGE, std::future::ready).batched(&Batching::of(HUGE)).measured(&metrics);
    let mut all = wide.collect().expect("none fails").concat();
    all.sort_unstable();
    assert!(all.into_iter().eq(0..10));
}
