//! Several pipelines at once, their windows, and farms whose work is for nothing.

use crate::ends::error;
use crate::protocol::work;
use crate::{LONG, end, farm, joined, start, words, works};
use pipes_remote::farm::{FarmError, PipelineExt, Workers, worker};
use pipes_remote_tests::numbers;
use pipes_skeleton::{Cancel, from_iter};
use pipes_tests::{spin_while, test_in, watched};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

/// A worker is busy with an item that is not wanted any more while the farm comes to its end: the farm does
/// not wait for the work, and the worker ends when it is done.
#[test_in(watched)]
fn a_farm_that_ends_during_work_for_nothing() {
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
}

/// An engine with one stream has one session, which has one item at a time: a worker starts no more threads
/// than it has sessions. When that is lost there will be no other.
#[test_in(watched)]
fn a_farm_over_one_stream() {
    watched(|| {
        let (here, there) = tokio::io::duplex(1 << 10);
        let farm: Workers<u64, String> = Workers::listen(&pipes_remote::over(here)).expect("it is free");
        let working = thread::spawn(move || worker(&pipes_remote::over(there), usize::MAX, words));
        works(&farm, 0..9);
        assert_eq!(end(farm, [working]), 9);
    });
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
    assert!(matches!(error(&failure), FarmError::NoWorker { .. }), "{failure}");
    assert!(farm.finish(LONG));
}

/// Not all items of a long stage are there at a time, if nothing is said of a window either.
#[test]
fn no_more_items_than_the_window() {
    for (window, items) in [(Some(1), 300), (Some(10), 1000), (None, 2000)] {
        watched(move || {
            let (via, farm) = farm();
            let source = pipes_tests::DropCounter::new();
            let (maker, looks) = (source.clone(), source.clone());
            let working = start(&via, 2);
            joined(&farm, 4);
            let mut stage = from_iter((0..items).map(move |number| maker.make(number)));
            if let Some(window) = window {
                stage = stage.in_flight(window);
            }
            // Without another one, it is 256.
            let most = window.unwrap_or(256) + 1;
            let mut results = stage.remote(&farm, |item| item.number).in_order().into_iter();
            for number in 0..items {
                assert_eq!(results.next().expect("there are more").expect("it goes on"), words(number));
                assert!(looks.made() <= number as usize + 1 + most, "{} at {number}", looks.made());
            }
            assert!(results.next().is_none());
            source.assert_all_dropped();
            end(farm, [working]);
        });
    }
}

/// A worker whose session the farm has left, and whose place another client of this peer has taken, asks
/// again until it is free.
#[test_in(watched)]
fn a_worker_whose_place_is_taken_asks_again() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = asked.clone();
    let via = pipes_remote::memory().sessions(1).admit(move |_| {
        counted.fetch_add(1, Ordering::SeqCst);
        true
    });
    let farm: Workers<u64, u64> = Workers::listen(&via).expect("it is free");
    let farm = farm.timeout(Duration::from_millis(50)).tries(1000);
    // The limit is that of all protocols together.
    let listener = numbers::listen(&via).expect("it is another protocol");
    let (took, mut taken) = pipes::stream();
    let (mut go, goes) = pipes::stream::<()>();
    let (goes, there) = (goes.into_shared(), via.clone());
    let working = thread::spawn(move || {
        let took = Mutex::new(took);
        worker(&there, 1, move |number: u64| {
            took.lock().expect("no panic").send(number).expect("the test goes on");
            let _ = goes.clone().recv();
            number
        })
    });
    let mut results = from_iter(0..1).remote(&farm, |number| number).into_iter();
    assert_eq!(taken.recv(), Ok(0));
    // The item takes too long, so the farm leaves the session.
    let other = loop {
        match numbers::connect(&via) {
            Ok(client) => break client,
            Err(_) => thread::yield_now(),
        }
    };
    let before = asked.load(Ordering::SeqCst);
    go.send(()).expect("the worker waits for it");
    // It is refused, and asks again.
    spin_while(|| asked.load(Ordering::SeqCst) < before + 2 && !working.is_finished());
    assert!(!working.is_finished(), "there is a farm");
    drop((other, listener, go));
    assert_eq!(results.next().expect("there is an item").expect("it is done"), 0);
    end(farm, [working]);
}
