//! Other threads act on a running pipeline: they cancel it, post items, or read metrics.

use crate::counted::DropCounter;
use crate::explore;
use pipes_skeleton::{Cancel, FailureKind, Metrics, Pipeline, PostError, from_iter, from_port, posted};
use shuttle::thread;

/// The pipeline is cancelled at any time. It fails as cancelled, or has all results.
#[test]
fn cancelled() {
    explore(|| {
        let (drops, cancel) = (DropCounter::new(), Cancel::new());
        let (maker, handle) = (drops.clone(), cancel.clone());
        let canceller = thread::spawn(move || handle.cancel());
        let ended = from_iter(0..4)
            .sequential(move |n| maker.make(n))
            .in_flight(2)
            .parallel(2, |item| item)
            .in_order()
            .cancelled_by(&cancel)
            .collect();
        match ended {
            Ok(items) => assert!(items.iter().map(|item| item.number).eq(0..4)),
            Err(failure) => {
                assert!(matches!(failure.kind(), FailureKind::Cancelled) && failure.stuck().is_empty());
            }
        }
        canceller.join().expect("no panic here");
        drops.assert_all_dropped();
    });
}

/// The pipeline is cancelled while the source waits for a silent port and the caller waits for the pipeline.
#[test]
fn cancelled_in_silence() {
    explore(|| {
        let cancel = Cancel::new();
        let (_chan, quiet) = pipes::stream::<u64>();
        let (port, running) =
            from_port(quiet).parallel(2, |n| n).in_order().cancelled_by(&cancel).into_port();
        let canceller = thread::spawn(move || cancel.cancel());
        assert_eq!(port.into_iter().count(), 0);
        let failure = running.join().expect_err("it has no end");
        assert!(matches!(failure.kind(), FailureKind::Cancelled));
        canceller.join().expect("no panic here");
    });
}

/// The port of a pipeline is dropped while its source waits for a silent port.
#[test]
fn dropped_in_silence() {
    explore(|| {
        let (_chan, quiet) = pipes::stream::<u64>();
        let (port, running) = from_port(quiet).sequential(|n| n).into_port();
        let dropping = thread::spawn(move || drop(port));
        running.join().expect("nothing goes wrong");
        dropping.join().expect("no panic here");
    });
}

/// Items are posted until a stage fails. A refused item is returned, and all items are dropped.
#[test]
fn posted_until_it_fails() {
    explore(|| {
        let drops = DropCounter::new();
        let running = posted(|items: Pipeline<crate::counted::Counted>| {
            items
                .in_flight(2)
                .try_parallel(2, |item| if item.number == 3 { Err("three") } else { Ok(item) })
                .named("farm")
                .in_order()
        });
        let running = running.expect("it can be run");
        let refused = (0..).find_map(|n| running.post(drops.make(n)).err());
        let refused = refused.expect("it fails");
        assert!(matches!(refused, PostError::Ended(_)));
        assert!(refused.into_item().number > 3);
        let failure = running.collect().expect_err("a stage has failed");
        assert_eq!(failure.to_string(), "farm failed: three");
        drops.assert_all_dropped();
    });
}

/// All posted items have results, and those that were refused have none. A running pipeline may also be
/// dropped.
#[test]
fn posted_and_collected() {
    explore(|| {
        let squares = posted_squares();
        let taken: Vec<u64> = (0..5).filter(|n| squares.try_post(*n).is_ok()).collect();
        squares.post(9).expect("it runs");
        let out = squares.collect().expect("none fails");
        assert!(out.into_iter().eq(taken.into_iter().chain([9]).map(|n| n * n)));
        drop(posted_squares());
    });
}

fn posted_squares() -> pipes_skeleton::Posted<u64, u64> {
    pipes_skeleton::posted(|items: Pipeline<u64>| items.in_flight(2).parallel(2, |n| n * n).in_order())
        .expect("it can be run")
}

/// Metrics are read while they are collected.
#[test]
fn measured() {
    explore(|| {
        let metrics = Metrics::new();
        let handle = metrics.clone();
        let reader = thread::spawn(move || handle.report().items());
        let items = from_iter(0..4).parallel(2, |n| n).measured(&metrics).in_order().collect();
        assert_eq!(items.expect("none fails"), [0, 1, 2, 3]);
        assert!(reader.join().expect("no panic here") <= 4);
        assert!(metrics.report().stages().iter().all(|stage| stage.items() == 4 && stage.depth() == 0));
        assert_eq!(metrics.report().items(), 4);
    });
}
