//! Farms and workers inside of runtimes, with several pipelines at once, and with code that panics.

use super::protocol::work;
use crate::{LONG, farm, start, words};
use pipes_remote::farm::{FarmError, Remote, Workers, worker};
use pipes_skeleton::{Cancel, from_iter};
use pipes_tests::watched;
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::Duration;
use tokio::runtime::Builder;

/// Everything blocks the thread of a runtime that has no other one, and still comes to its end.
#[test]
fn inside_of_a_runtime() {
    watched(|| {
        let runtime = Builder::new_current_thread().enable_all().build().expect("it can be built");
        runtime.block_on(async {
            let (via, farm) = farm();
            let there = via.clone();
            let working = thread::spawn(move || {
                let runtime = Builder::new_current_thread().enable_all().build().expect("it can be built");
                runtime.block_on(async { worker(&there, 2, words) })
            });
            let results = from_iter(0..100).remote(&farm, |number| number).in_order().collect();
            assert!(results.expect("there is a worker").into_iter().eq((0..100).map(words)));
            let results = from_iter(0..100).remote(&farm, |number| number).in_order().into_iter();
            assert!(results.map(|result| result.expect("there is a worker")).eq((0..100).map(words)));
            assert!(farm.finish(LONG));
            assert_eq!(working.join().expect("no panic").expect("it is the end"), 200);
        });
    });
}

#[test]
fn two_pipelines_at_once() {
    watched(|| {
        let (via, farm) = farm();
        let working = [start(&via, 2), start(&via, 1)];
        thread::scope(|scope| {
            for part in 0..3 {
                let farm = &farm;
                scope.spawn(move || {
                    let numbers = part * 1000..part * 1000 + 500;
                    let results = from_iter(numbers.clone()).remote(farm, |number| number).in_order();
                    let results = results.collect().expect("no worker is lost");
                    assert!(results.into_iter().eq(numbers.map(words)));
                });
            }
        });
        let report = farm.report();
        assert_eq!((report.items(), report.given_again()), (1500, 0), "{report}");
        assert!(farm.finish(LONG));
        let done = working.map(|worker| worker.join().expect("no panic").expect("it is the end"));
        assert_eq!(done.iter().sum::<u64>(), 1500);
    });
}

/// The failure of a pipeline is its own: another one at the same workers goes on.
#[test]
fn a_pipeline_fails_beside_another() {
    watched(|| {
        let (via, farm) = farm();
        let working = start(&via, 3);
        let mut good = from_iter(0..500).remote(&farm, |number| number).in_order().into_iter();
        assert_eq!(good.next().expect("there are more").expect("it goes on"), words(0));
        for _ in 0..20 {
            let prepare = |number: u64| {
                assert!(number != 30, "thirty");
                number
            };
            let failure = from_iter(0..).remote(&farm, prepare).named("parse").for_each(drop);
            let failure = failure.expect_err("it panics");
            assert_eq!((failure.stage(), failure.panic_message()), ("parse", Some("thirty")));
        }
        assert!(good.map(|result| result.expect("it goes on")).eq((1..500).map(words)));
        assert!(farm.finish(LONG));
        working.join().expect("it does not panic").expect("it is the end");
    });
}

/// A worker is busy with an item that is not wanted any more while the farm comes to its end: the farm does
/// not wait for the work, and the worker ends when it is done.
#[test]
fn a_farm_that_ends_during_work_for_nothing() {
    watched(|| {
        let (via, farm) = farm();
        let (took, taken) = mpsc::channel();
        let (go, goes) = mpsc::channel::<()>();
        let goes = Mutex::new(goes);
        let slow = thread::spawn(move || {
            worker(&via, 1, move |number: u64| {
                took.send(number).expect("the test goes on");
                let _ = goes.lock().expect("no panic").recv();
                words(number)
            })
        });
        let cancel = Cancel::new();
        let results = from_iter(0..9).remote(&farm, |number| number).cancelled_by(&cancel).into_iter();
        assert_eq!(taken.recv(), Ok(0));
        cancel.cancel();
        drop(results);
        assert!(farm.finish(LONG));
        drop(go);
        assert_eq!(slow.join().expect("it does not panic").expect("it is the end"), 1);
        assert!(taken.recv().is_err(), "it does not begin with the items that were here already");
    });
}

/// A session has one item at a time, so no more threads are started than there are sessions.
#[test]
fn a_worker_with_more_replicas_than_sessions() {
    watched(|| {
        let (here, there) = tokio::io::duplex(1 << 10);
        let farm: Workers<u64, String> = Workers::listen(&pipes_remote::over(here)).expect("it is free");
        let working = thread::spawn(move || worker(&pipes_remote::over(there), usize::MAX, words));
        let results = from_iter(0..9).remote(&farm, |number| number).in_order().collect();
        assert!(results.expect("there is a worker").into_iter().eq((0..9).map(words)));
        assert!(farm.finish(LONG));
        assert_eq!(working.join().expect("no panic").expect("it is the end"), 9);
    });
}

/// An engine with one stream has one session. When that is lost there will be no other.
#[test]
fn a_farm_over_one_stream() {
    watched(|| {
        let (here, there) = tokio::io::duplex(1 << 10);
        let farm: Workers<u64, String> = Workers::listen(&pipes_remote::over(here)).expect("it is free");
        let farm = farm.patience(Duration::from_millis(300));
        let results = from_iter(0..2).remote(&farm, |number| number).named("parse").into_iter();
        let session: work::Client<work::Idle<u64, String>> =
            work::connect(&pipes_remote::over(there)).expect("it listens");
        let Ok(work::Idle::Item(item, busy)) = session.recv() else { panic!("there are items") };
        let idle = busy.done(words(item.into_inner())).expect("the farm waits for it");
        let Ok(work::Idle::Item(_, busy)) = idle.recv() else { panic!("there are items") };
        drop(busy);
        let failure = results.last().expect("it fails").expect_err("there is no worker");
        assert!(matches!(crate::ends::error(&failure), FarmError::NoWorker { .. }), "{failure}");
        assert!(farm.finish(LONG));
    });
}
