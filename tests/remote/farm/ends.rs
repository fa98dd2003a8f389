//! Farms that fail, and what their workers see of it.

use crate::{LONG, farm, start, start_failing, words};
use pipes_remote::farm::{FarmError, Remote, Workers, try_worker, worker};
use pipes_skeleton::{Cancel, Cause, Failure, from_iter};
use pipes_tests::watched;
use std::thread;
use std::time::Duration;

/// The error of a farm's stage.
#[track_caller]
pub fn error(failure: &Failure) -> &FarmError {
    assert_eq!(failure.stage(), "parse");
    let Cause::Error(error) = failure.cause() else { panic!("{failure:?}") };
    error.downcast_ref().expect("it is the error of a farm")
}

#[test]
fn what_a_worker_says_ends_the_pipeline_at_once() {
    watched(|| {
        let (via, farm) = farm();
        let working = start_failing(&via, 70);
        let failure = from_iter(0..).remote(&farm, |number| number).named("parse").in_order().for_each(drop);
        let failure = failure.expect_err("an item is bad");
        match error(&failure) {
            FarmError::Failed { item: 70, text } => assert_eq!(text, "it is bad"),
            other => panic!("{other:?}"),
        }
        assert!(failure.to_string().contains("item 70 has failed: it is bad"), "{failure}");
        // The worker is as it was.
        let results = from_iter(0..70).remote(&farm, |number| number).in_order().collect();
        assert!(results.expect("none of these is bad").into_iter().eq((0..70).map(words)));
        assert!(farm.finish(LONG));
        working.join().expect("it does not panic").expect("it is the end");
    });
}

#[test]
fn a_worker_that_panics_fails_the_pipeline_and_ends() {
    watched(|| {
        let (via, farm) = farm();
        let there = via.clone();
        let panics = move || {
            worker(&there, 3, |number: u64| {
                assert!(number != 33, "thirty-three");
                words(number)
            })
        };
        let working = thread::spawn(panics);
        let failure = from_iter(0..).remote(&farm, |number| number).named("parse").for_each(drop);
        let failure = failure.expect_err("a worker panics");
        assert!(matches!(error(&failure), FarmError::Failed { item: 33, .. }), "{failure}");
        assert!(failure.to_string().contains("a panic: thirty-three"), "{failure}");
        let panic = working.join().expect_err("it panics");
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"thirty-three"));
        drop(farm);
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

    watched(|| {
        let (via, farm) = farm();
        let working = thread::spawn(move || try_worker(&via, 2, |_: u64| Err::<String, _>(Wordless)));
        let failure = from_iter(0..).remote(&farm, |number| number).named("parse").for_each(drop);
        let failure = failure.expect_err("a worker panics");
        match error(&failure) {
            FarmError::Failed { text, .. } => assert_eq!(text, "a panic: no words"),
            other => panic!("{other:?}"),
        }
        let panic = working.join().expect_err("it panics");
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"no words"));
    });
}

#[test]
fn no_worker_is_a_failure_after_a_time() {
    watched(|| {
        let (via, farm) = farm();
        let farm = farm.patience(Duration::from_millis(300));
        let failure = from_iter(0..10).remote(&farm, |number| number).named("parse").collect();
        let failure = failure.expect_err("there is no worker");
        assert!(matches!(error(&failure), FarmError::NoWorker { .. }), "{failure}");
        // One that comes later is in time for the next.
        let working = start(&via, 1);
        let results = from_iter(0..10).remote(&farm, |number| number).in_order().collect();
        assert!(results.expect("there is a worker").into_iter().eq((0..10).map(words)));
        drop(farm);
        assert_eq!(working.join().expect("no panic").expect("it is the end"), 10);
    });
}

#[test]
fn a_pipeline_that_is_cancelled_leaves_its_workers_to_the_next() {
    watched(|| {
        let (via, farm) = farm();
        let working = start(&via, 2);
        let cancel = Cancel::new();
        let mut endless = from_iter(0..)
            .remote(&farm, |number: u64| number)
            .named("parse")
            .in_order()
            .cancelled_by(&cancel)
            .into_iter();
        assert!(endless.by_ref().take(100).map(|it| it.expect("it goes on")).eq((0..100).map(words)));
        cancel.cancel();
        assert!(endless.any(|it| it.is_err()), "it is cancelled");
        drop(endless);
        let late = start(&via, 1);
        let results = from_iter(0..500).remote(&farm, |number| number).in_order().collect();
        assert!(results.expect("there is a worker").into_iter().eq((0..500).map(words)));
        drop(farm);
        for worker in [working, late] {
            worker.join().expect("no panic").expect("it is the end");
        }
    });
}

/// The thread of the farm panics: its pipeline and its workers are dropped.
#[test]
fn a_farm_that_panics_ends_its_workers() {
    watched(|| {
        let (via, farm) = farm();
        let working = start(&via, 2);
        let panics = thread::spawn(move || {
            from_iter(0..).remote(&farm, |number| number).in_order().for_each(|result| {
                assert!(result != words(50), "fifty");
            })
        });
        let failure = panics.join().expect("a sink's panic is a failure").expect_err("it panics");
        assert_eq!(failure.panic_message(), Some("fifty"));
        working.join().expect("no panic").expect("it is the end");
    });
}

/// Items that a codec refuses.
#[test]
fn an_item_that_cannot_be_sent() {
    watched(|| {
        let via = pipes_remote::memory();
        let farm: Workers<Untold, u64> = Workers::listen(&via).expect("it is free");
        let failure = from_iter(0..10).remote(&farm, |_| Untold).named("parse").collect();
        let failure = failure.expect_err("it cannot be sent");
        assert!(matches!(error(&failure), FarmError::Unencodable { item: 0, .. }), "{failure}");
    });
}

/// What cannot be encoded.
struct Untold;

impl serde::Serialize for Untold {
    fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom("it is a secret"))
    }
}

impl<'a> serde::Deserialize<'a> for Untold {
    fn deserialize<D: serde::Deserializer<'a>>(_: D) -> Result<Self, D::Error> {
        Ok(Untold)
    }
}
