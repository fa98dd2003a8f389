//! Workers that do not do what they should.

use super::protocol::work;
use crate::ends::error;
use crate::{LONG, farm, start, words};
use pipes_remote::farm::{FarmError, Remote, worker};
use pipes_skeleton::from_iter;
use pipes_tests::{spin_while, watched};
use std::sync::mpsc;
use std::thread;

/// Its results are of another type: they cannot be read, and the items go to another worker.
#[test]
fn a_result_of_another_type_is_a_fault() {
    watched(|| {
        let (via, farm) = farm();
        let there = via.clone();
        // A string begins with its length: 255 bytes, of which there are 2.
        let lies = thread::spawn(move || worker(&there, 1, |number: u64| (255_u8, number as u8)));
        let failure = from_iter(0..10).window(1).remote(&farm, |number| number).named("parse").collect();
        let failure = failure.expect_err("there are only lies");
        match error(&failure) {
            FarmError::Lost { item: 0, tries: 3, cause } => {
                assert!(matches!(cause, pipes::Cause::Fault(_)), "{cause:?}");
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(farm.report().given_again(), 3);
        let honest = start(&via, 1);
        let results = from_iter(0..100).remote(&farm.tries(10), |number| number).in_order().collect();
        assert!(results.expect("one is honest").into_iter().eq((0..100).map(words)));
        let _ = lies.join().expect("it does not panic");
        honest.join().expect("no panic").expect("it is the end");
    });
}

/// A worker whose sessions are gone goes on with its item; its result comes too late for everything.
#[test]
fn a_result_after_its_session() {
    watched(|| {
        let (via, farm) = farm();
        let there = via.clone();
        let (took, taken) = mpsc::channel();
        let (answer, answers) = mpsc::channel::<()>();
        let answers = std::sync::Mutex::new(answers);
        let slow = thread::spawn(move || {
            worker(&there, 1, move |number: u64| {
                took.send(number).expect("the test goes on");
                let _ = answers.lock().expect("no panic").recv();
                format!("late {number}")
            })
        });
        let cancel = pipes_skeleton::Cancel::new();
        let first = from_iter(0..3).remote(&farm, |number| number).cancelled_by(&cancel).into_iter();
        assert_eq!(taken.recv(), Ok(0));
        cancel.cancel();
        drop(first);
        let honest = start(&via, 1);
        let results = from_iter(0..100).remote(&farm, |number| number).in_order().into_iter();
        // The slow one answers in the middle, to sessions that are not there any more.
        let mut results = results.map(|result| result.expect("one is honest"));
        drop(answer);
        let mut late = 0;
        for number in 0..100 {
            let result = results.next().expect("there are a hundred");
            if result == format!("late {number}") {
                late += 1;
            } else {
                assert_eq!(result, words(number));
            }
        }
        assert!(results.next().is_none());
        assert!(farm.finish(LONG));
        let _ = slow.join().expect("it does not panic");
        assert_eq!(late + honest.join().expect("no panic").expect("it is the end"), 100);
    });
}

/// A worker by hand takes items and keeps them. When it leaves, they are done by another one, before those
/// that were not sent yet.
#[test]
fn items_of_a_worker_that_leaves() {
    watched(|| {
        let (via, farm) = farm();
        let mut held = Vec::new();
        let results = from_iter(0..50).window(8).remote(&farm, |number| number).in_order().into_iter();
        for number in 0..3 {
            let session: work::Client<work::Idle<u64, String>> = work::connect(&via).expect("it listens");
            let Ok(work::Idle::Item(item, busy)) = session.recv() else { panic!("there are items") };
            assert_eq!(item.into_inner(), number);
            held.push(busy);
        }
        let session: work::Client<work::Idle<u64, String>> = work::connect(&via).expect("it listens");
        let Ok(work::Idle::Item(item, busy)) = session.recv() else { panic!("there are items") };
        assert_eq!(item.into_inner(), 3);
        drop(held);
        spin_while(|| farm.report().given_again() < 3);
        // Three were lost, and all three come now.
        let mut idle = busy.done(words(3)).expect("the farm waits for it");
        let mut again = Vec::new();
        for _ in 0..4 {
            let Ok(work::Idle::Item(item, busy)) = idle.recv() else { panic!("there are items") };
            let number = item.into_inner();
            again.push(number);
            idle = busy.done(words(number)).expect("the farm waits for it");
        }
        assert!((0..3).filter(|number| again.contains(number)).count() >= 2, "{again:?}");
        drop(idle);
        let honest = start(&via, 1);
        assert!(results.map(|it| it.expect("one is honest")).eq((0..50).map(words)));
        assert!(farm.report().given_again() >= 3, "{}", farm.report());
        drop(farm);
        honest.join().expect("no panic").expect("it is the end");
    });
}

/// An item with which each worker leaves.
#[test]
fn an_item_that_is_lost_again_and_again() {
    watched(|| {
        let (via, farm) = farm();
        let (farm, pipeline) = (farm.tries(4), from_iter(0..3).window(1));
        let results = pipeline.remote(&farm, |number| number).named("parse").into_iter();
        for _ in 0..4 {
            let session: work::Client<work::Idle<u64, String>> = work::connect(&via).expect("it listens");
            let Ok(work::Idle::Item(item, busy)) = session.recv() else { panic!("there are items") };
            assert_eq!(item.into_inner(), 0);
            drop(busy);
        }
        let failure = results.last().expect("it fails").expect_err("it was lost");
        let FarmError::Lost { item: 0, tries: 4, cause } = error(&failure) else { panic!("{failure}") };
        assert!(matches!(cause, pipes::Cause::Left), "{cause:?}");
        assert!(failure.to_string().contains("item 0 was lost with 4 workers"), "{failure}");
    });
}
