//! Sessions that are dropped with their items, or before them, and what the farm believes of its workers.

use crate::ends::error;
use crate::protocol::work;
use crate::{LONG, end, farm, join, joined, start, take, words, works};
use pipes_remote::ConnectError;
use pipes_remote::farm::{FarmError, PipelineExt, WorkerError, Workers, worker};
use pipes_skeleton::{Cancel, from_iter};
use pipes_tests::{spin_while, test_in, watched};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// A pipeline drops a session with its item. That is no worker any more.
#[test_in(watched)]
fn a_session_that_is_dropped_with_its_item_does_not_count() {
    let (via, farm) = farm();
    let (farm, cancel) = (farm.patience(Duration::from_millis(300)), Cancel::new());
    let first = from_iter(0..3).in_flight(1).remote(&farm, |number| number).cancelled_by(&cancel).into_iter();
    let held = take(join(&via), 0);
    cancel.cancel();
    drop(first);
    drop(held);
    let failure = from_iter(0..3).remote(&farm, |number| number).named("parse").collect();
    let failure = failure.expect_err("there is no worker");
    assert!(matches!(error(&failure), FarmError::NoWorker { .. }), "{failure}");
}

/// Items are worked on while their stage is busy with the next one; and a session that is idle outlives the
/// pipeline that it had an item of.
#[test_in(watched)]
fn a_busy_stage_holds_up_no_item() {
    let (via, farm) = farm();
    let (begins, begun) = mpsc::channel();
    let (go, goes) = mpsc::channel::<()>();
    let prepare = move |number: u64| {
        if number == 1 {
            begins.send(()).expect("the test goes on");
            let _ = goes.recv();
            panic!("one");
        }
        number
    };
    let first = from_iter(0..2).remote(&farm, prepare).named("parse").into_iter();
    // The first item waits for a session, and its stage is busy with the second.
    begun.recv().expect("the stage goes on");
    let session = take(join(&via), 0).done(words(0)).expect("the farm waits for it");
    // Until the result is there, the session belongs to the pipeline, and ends with it.
    spin_while(|| farm.report().items() < 1);
    drop(go);
    let failure = first.last().expect("it fails").expect_err("it panics");
    assert_eq!((failure.stage(), failure.panic_message()), ("parse", Some("one")));
    let second = from_iter(7..8).remote(&farm, |number| number).into_iter();
    let _session = take(session, 7).done(words(7)).expect("the farm waits for it");
    assert!(second.map(|result| result.expect("there is a worker")).eq([words(7)]));
}

/// A farm is dropped, and a pipeline still has items: it fails, whether there was a worker or not.
#[test_in(watched)]
fn items_that_wait_when_the_farm_is_dropped() {
    watched(|| {
        let (_, farm) = farm();
        let results = from_iter(0..10).remote(&farm, |number| number).named("parse").into_iter();
        drop(farm);
        let failure = results.last().expect("it fails").expect_err("there is no farm");
        assert!(matches!(error(&failure), FarmError::Closed), "{failure}");
        assert!(failure.to_string().contains("the farm is closed"), "{failure}");
    });
    let (via, farm) = farm();
    let results = from_iter(0..10).in_flight(1).remote(&farm, |number| number).named("parse").into_iter();
    let held = take(join(&via), 0);
    drop(farm);
    // Its worker is lost. There will be no other.
    drop(held);
    let failure = results.last().expect("it fails").expect_err("there is no farm");
    assert!(matches!(error(&failure), FarmError::Closed), "{failure}");
}

/// To finish takes as long as workers have items, and the time has a limit.
#[test_in(watched)]
fn a_farm_finishes_when_its_workers_are_done() {
    watched(|| {
        let (via, farm) = farm();
        let results = from_iter(0..1).remote(&farm, |number| number).into_iter();
        let held = take(join(&via), 0);
        assert!(!farm.finish(Duration::from_millis(20)), "a worker has an item");
        let session = held.done(words(0)).expect("the farm waits for it");
        assert!(matches!(session.recv(), Ok(work::Idle::Enough)));
        assert!(results.map(|result| result.expect("it is done")).eq([words(0)]));
    });
    let (via, farm) = farm();
    let results = from_iter(0..1).remote(&farm, |number| number).into_iter();
    let held = take(join(&via), 0);
    let finishes = thread::spawn(move || farm.finish(LONG));
    let session = held.done(words(0)).expect("the farm waits for it");
    assert!(matches!(session.recv(), Ok(work::Idle::Enough)));
    assert!(finishes.join().expect("it does not panic"), "all of them know");
    assert!(results.map(|result| result.expect("it is done")).eq([words(0)]));
    let late = worker(&via, 1, words).expect_err("there is no farm");
    assert!(matches!(late, WorkerError::Connect(_)), "{late}");
}

/// A worker that gets some of its sessions only works with those, and loses no item.
#[test_in(watched)]
fn a_worker_that_is_refused_half_way() {
    let via = pipes_remote::memory().sessions(4);
    let farm: Workers<u64, String> = Workers::listen(&via).expect("it is free");
    // It needs three, and so does the second one.
    let first = start(&via, 1);
    joined(&farm, 3);
    let second = start(&via, 1);
    joined(&farm, 4);
    for via in [via.clone(), via.eager()] {
        let third = worker(&via, 1, words).expect_err("there is no room");
        assert!(matches!(third, WorkerError::Connect(ConnectError::Refused { .. })), "{third}");
    }
    works(&farm, 0..100);
    assert_eq!(farm.report().given_again(), 0, "{}", farm.report());
    assert_eq!(end(farm, [first, second]), 100);
}
