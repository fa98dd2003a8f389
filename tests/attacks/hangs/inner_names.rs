//! A farm whose replicas contain a loop or a farm is named from outside. All replicas must have that name, in
//! metrics and in failures.

use pipes_skeleton::{Metrics, Pipeline, from_iter};
use pipes_tests::watched;
use std::ops::ControlFlow::{self, Break, Continue};

/// Sends each number round once.
fn once_round(n: u32) -> ControlFlow<u32, u32> {
    if n >= 1_000_000 { Break(n - 1_000_000) } else { Continue(n + 1_000_000) }
}

fn assert_one_name(replica: impl FnMut(Pipeline<u32>) -> Pipeline<u32>) {
    let metrics = Metrics::new();
    let items = from_iter(0..100_u32).farm(2, replica).named("work").measured(&metrics);
    assert_eq!(items.collect().expect("no stage fails").len(), 100);
    let report = metrics.report();
    let names: Vec<_> = report.stages().iter().map(|stage| stage.name()).collect();
    assert_eq!(names, ["source", "stage 1", "work"]);
    assert_eq!(report.stages()[2].replicas().len() % 2, 0);
}

#[test]
fn a_row_in_a_farm() {
    watched(|| assert_one_name(|share| share.sequential(|n| n).sequential(|n| n)));
}

#[test]
fn a_farm_in_a_farm() {
    watched(|| assert_one_name(|share| share.sequential(|n| n).farm(2, |part| part.sequential(|n| n))));
}

#[test]
fn a_loop_in_a_farm() {
    watched(|| assert_one_name(|share| share.feedback(|again| again.sequential(once_round))));
}

#[test]
fn a_failure_in_the_second_loop() {
    watched(|| {
        let mut replicas = 0;
        let items = from_iter(0..100_000_u32).farm(2, |share| {
            replicas += 1;
            let fails = replicas == 2;
            share.feedback(|again| {
                again.sequential(move |n| {
                    assert!(!fails, "on purpose");
                    once_round(n)
                })
            })
        });
        let failure = items.named("work").collect().expect_err("the second replica panics at its first item");
        assert_eq!((failure.stage(), failure.panic_message()), ("work", Some("on purpose")));
    });
}
