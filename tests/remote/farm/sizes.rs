//! Items and results of no bytes, and of too many.

use crate::ends::error;
use crate::{LONG, start, words};
use pipes::Fault;
use pipes_remote::farm::{FarmError, Remote, WorkerError, Workers, worker};
use pipes_skeleton::from_iter;
use pipes_tests::watched;
use std::thread;

/// The most bytes of a message, if nothing else is said.
const LIMIT: usize = 1 << 20;

#[test]
fn items_and_results_of_no_bytes() {
    watched(|| {
        let via = pipes_remote::memory();
        let farm: Workers<(), ()> = Workers::listen(&via).expect("it is free");
        let working = thread::spawn(move || worker(&via, 2, |()| ()));
        let results = from_iter(0..100).remote(&farm, |_: u64| ()).collect();
        assert_eq!(results.expect("there is a worker").len(), 100);
        assert!(farm.finish(LONG));
        assert_eq!(working.join().expect("no panic").expect("it is the end"), 100);
    });
}

/// An item that is too long for the only worker is sent once. One that just fits is sent.
#[test]
fn an_item_that_is_too_long() {
    watched(|| {
        let via = pipes_remote::memory();
        let farm: Workers<String, usize> = Workers::listen(&via).expect("it is free");
        let working = thread::spawn(move || worker(&via, 1, |text: String| text.len()));
        let lengths = [1, LIMIT - 16, LIMIT, 2];
        let texts = from_iter(lengths).window(1).remote(&farm, |length| "x".repeat(length));
        let mut results = texts.named("parse").into_iter();
        assert_eq!(results.next().expect("there are more").expect("it is short"), 1);
        assert_eq!(results.next().expect("there are more").expect("it fits"), LIMIT - 16);
        let failure = results.next().expect("it fails").expect_err("it is too long");
        match error(&failure) {
            FarmError::Unencodable { item: 2, fault: Fault::TooLong { length, limit: LIMIT } } => {
                assert!(*length > LIMIT);
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(farm.report().given_again(), 0, "{}", farm.report());
        // The worker is there still.
        let results = from_iter(0..20).remote(&farm, |length| "x".repeat(length)).in_order().collect();
        assert!(results.expect("there is a worker").into_iter().eq(0..20));
        assert!(farm.finish(LONG));
        assert_eq!(working.join().expect("no panic").expect("it is the end"), 22);
    });
}

/// A result that is too long is a lost item. The last cause says what it was.
#[test]
fn a_result_that_is_too_long() {
    watched(|| {
        let via = pipes_remote::memory();
        let farm: Workers<u64, String> = Workers::listen(&via).expect("it is free");
        let there = via.clone();
        let long =
            thread::spawn(move || worker(&there, 1, |number: u64| "x".repeat(LIMIT + number as usize)));
        let failure = from_iter(0..3).window(1).remote(&farm, |number| number).named("parse").collect();
        let failure = failure.expect_err("it is too long");
        match error(&failure) {
            FarmError::Lost { item: 0, tries: 3, cause: pipes::Cause::Fault(Fault::Reported(words)) } => {
                assert!(words.contains("at most 1048576 are allowed"), "{words}");
            }
            other => panic!("{other:?}"),
        }
        // It has lost all of its sessions.
        let lost = long.join().expect("it does not panic").expect_err("it sends what is not allowed");
        assert!(matches!(lost, WorkerError::Lost { .. }), "{lost}");
        let honest = start(&via, 1);
        let results = from_iter(0..20).remote(&farm, |number| number).in_order().collect();
        assert!(results.expect("there is a worker").into_iter().eq((0..20).map(words)));
        assert!(farm.finish(LONG));
        assert_eq!(honest.join().expect("no panic").expect("it is the end"), 20);
    });
}

/// A worker stays when a pipeline fails, whatever the reason is and however often.
#[test]
fn a_worker_stays_when_items_are_too_long() {
    watched(|| {
        let via = pipes_remote::memory();
        let farm: Workers<String, usize> = Workers::listen(&via).expect("it is free");
        // However often an item may be tried: its worker refuses it for good.
        let farm = farm.tries(u32::MAX);
        let working = thread::spawn(move || worker(&via, 1, |text: String| text.len()));
        for _ in 0..6 {
            let results = from_iter([2 << 20]).remote(&farm, |length| "x".repeat(length)).named("parse");
            let failure = results.collect().expect_err("it is too long");
            assert!(matches!(error(&failure), FarmError::Unencodable { item: 0, .. }), "{failure}");
        }
        let results = from_iter(0..20).remote(&farm, |length| "x".repeat(length)).in_order().collect();
        assert!(results.expect("there is a worker").into_iter().eq(0..20));
        assert!(farm.finish(LONG));
        assert_eq!(working.join().expect("no panic").expect("it is the end"), 20);
    });
}
