//! Farms that fail, and what their workers see of it.

use crate::{LONG, end, farm, start, words, works};
use pipes_remote::Via;
use pipes_remote::engine::Memory;
use pipes_remote::farm::{FarmError, PipelineExt, WorkerError, Workers, try_worker, worker};
use pipes_skeleton::{Failure, FailureKind, from_iter};
use pipes_tests::{test_in, watched};
use std::thread;
use std::time::Duration;

/// The error of a farm's stage.
#[track_caller]
pub fn error(failure: &Failure) -> &FarmError {
    assert_eq!(failure.stage(), "parse");
    let FailureKind::Error(error) = failure.kind() else { panic!("{failure:?}") };
    error.downcast_ref().expect("it is the error of a farm")
}

#[test_in(watched)]
fn what_a_worker_says_ends_the_pipeline_at_once() {
    let (via, farm) = farm();
    let fails = |number| if number == 70 { Err("it is bad") } else { Ok(words(number)) };
    let working = thread::spawn(move || try_worker(&via, 2, fails));
    let failure = from_iter(0..).remote(&farm, |number| number).named("parse").in_order().for_each(drop);
    let failure = failure.expect_err("an item is bad");
    match error(&failure) {
        FarmError::Failed { item: 70, text } => assert_eq!(text, "it is bad"),
        other => panic!("{other:?}"),
    }
    assert!(failure.to_string().contains("item 70 has failed: it is bad"), "{failure}");
    // The worker is as it was.
    works(&farm, 0..70);
    end(farm, [working]);
}

/// A worker in a thread that panics at an item ends, and so does the pipeline.
fn panics(number: u64, words: &'static str, works: impl FnOnce(Via<Memory>) -> Worked + Send + 'static) {
    let (via, farm) = farm();
    let working = thread::spawn(move || works(via));
    let failure = from_iter(0..).remote(&farm, |number| number).named("parse").for_each(drop);
    let failure = failure.expect_err("a worker panics");
    match error(&failure) {
        FarmError::Failed { item, text } => {
            assert_eq!((*item, &**text), (number, &*format!("a panic: {words}")))
        }
        other => panic!("{other:?}"),
    }
    let panic = working.join().expect_err("it panics");
    assert_eq!(panic.downcast_ref::<&str>(), Some(&words));
}

type Worked = Result<u64, WorkerError>;

#[test_in(watched)]
fn a_worker_that_panics_fails_the_pipeline_and_ends() {
    panics(33, "thirty-three", |via| {
        worker(&via, 1, |number: u64| {
            assert!(number != 33, "thirty-three");
            words(number)
        })
    });
}

/// An error whose words are a panic is a panic of the worker.
#[test]
fn a_worker_whose_error_panics() {
    struct Wordless;

    impl std::fmt::Display for Wordless {
        fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            panic!("no words")
        }
    }

    watched(|| panics(0, "no words", |via| try_worker(&via, 1, |_: u64| Err::<String, _>(Wordless))));
}

#[test_in(watched)]
fn no_worker_is_a_failure_after_a_time() {
    let (via, farm) = farm();
    let farm = farm.patience(Duration::from_millis(300));
    let failure = from_iter(0..10).remote(&farm, |number| number).named("parse").collect();
    let failure = failure.expect_err("there is no worker");
    assert!(matches!(error(&failure), FarmError::NoWorker { .. }), "{failure}");
    // One that comes later is in time for the next.
    let working = start(&via, 1);
    works(&farm, 0..10);
    drop(farm);
    assert_eq!(working.join().expect("no panic").expect("it is the end"), 10);
}

/// The end, said in the middle of a pipeline by what uses its results: no hang. It needs workers still, so
/// it fails.
#[test_in(watched)]
fn a_farm_that_is_finished_by_its_own_results() {
    let (via, farm) = farm();
    let working = start(&via, 2);
    let results = from_iter(0..10_000).remote(&farm, |number| number).in_order().named("parse");
    let mut farm = Some(farm);
    let failure = results.for_each(|_| assert!(farm.take().is_none_or(|farm| farm.finish(LONG))));
    let failure = failure.expect_err("there is no worker any more");
    assert!(matches!(error(&failure), FarmError::Closed), "{failure}");
    working.join().expect("no panic").expect("it is the end");
}

/// At one address, of other types: when one is finished, its address is free.
#[test_in(watched)]
fn one_farm_after_the_other() {
    let via = &pipes_remote::tcp_free_port().expect("there is a free port");
    for _ in 0..10 {
        let farm: Workers<u64, String> = Workers::listen(via).expect("it is free");
        let working = start(via, 1);
        works(&farm, 0..10);
        assert_eq!(end(farm, [working]), 10);

        let farm: Workers<String, usize> = Workers::listen(via).expect("it is free");
        let there = via.clone();
        let working = thread::spawn(move || worker(&there, 1, |text: String| text.len()));
        let results = from_iter(0..10).remote(&farm, |length| "x".repeat(length)).in_order().collect();
        assert!(results.expect("there is a worker").into_iter().eq(0..10));
        assert_eq!(end(farm, [working]), 10);
    }
}
