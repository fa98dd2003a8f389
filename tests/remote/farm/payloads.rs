//! Items and results that are too long, of another type, or whose code panics.

use crate::ends::error;
use crate::{end, start, works};
use pipes::remote::{Cause, Fault};
use pipes_remote::farm::{FarmError, PipelineExt, WorkerError, Workers, worker};
use pipes_remote_tests::Trap;
use pipes_skeleton::from_iter;
use pipes_tests::{test_in, watched};
use std::thread;

/// The most bytes of a message, if nothing else is said.
const LIMIT: usize = 1 << 20;

/// An item that is too long for the only worker is sent once. One that just fits is sent.
#[test_in(watched)]
fn an_item_that_is_too_long() {
    let via = pipes_remote::memory();
    let farm: Workers<String, usize> = Workers::listen(&via).expect("it is free");
    let working = thread::spawn(move || worker(&via, 1, |text: String| text.len()));
    let lengths = [1, LIMIT - 16, LIMIT, 2];
    let texts = from_iter(lengths).in_flight(1).remote(&farm, |length| "x".repeat(length));
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
    assert_eq!(end(farm, [working]), 22);
}

/// A result that is too long is a lost item. The last cause says what it was.
#[test_in(watched)]
fn a_result_that_is_too_long() {
    let via = pipes_remote::memory();
    let farm: Workers<u64, String> = Workers::listen(&via).expect("it is free");
    let there = via.clone();
    let long = thread::spawn(move || worker(&there, 1, |number: u64| "x".repeat(LIMIT + number as usize)));
    let failure = from_iter(0..3).in_flight(1).remote(&farm, |number| number).named("parse").collect();
    let failure = failure.expect_err("it is too long");
    match error(&failure) {
        FarmError::Lost { item: 0, tries: 3, cause: pipes::remote::Cause::Fault(Fault::Reported(words)) } => {
            assert!(words.contains("at most 1048576 are allowed"), "{words}");
        }
        other => panic!("{other:?}"),
    }
    // It has lost all of its sessions.
    let lost = long.join().expect("it does not panic").expect_err("it sends what is not allowed");
    assert!(matches!(lost, WorkerError::Lost { .. }), "{lost}");
    let honest = start(&via, 1);
    works(&farm, 0..20);
    assert_eq!(end(farm, [honest]), 20);
}

/// Items and results whose code panics: the pipeline fails, and the farm goes on.
#[test_in(watched)]
fn payloads_that_panic() {
    let traps = [
        Trap::PanicsInSerialize,
        Trap::FailsInSerialize,
        Trap::PanicsInDeserialize,
        Trap::FailsInDeserialize,
    ];
    for (trap, by_item) in traps.into_iter().flat_map(|trap| [(trap, true), (trap, false)]) {
        let via = pipes_remote::memory();
        let farm: Workers<Trap, Trap> = Workers::listen(&via).expect("it is free");
        let working = thread::spawn(move || {
            worker(&via, 2, move |item: Trap| match item {
                Trap::Harmless(7) if !by_item => trap,
                item => item,
            })
        });
        let item = move |number| if number == 7 && by_item { trap } else { Trap::Harmless(number) };
        let failure = from_iter(0..20).remote(&farm, item).named("parse").collect();
        let failure = failure.expect_err("number 7 is bad");
        if (by_item, trap) == (true, Trap::PanicsInSerialize) {
            assert_eq!(failure.panic_message(), Some("the payload cannot be written"));
        } else if (by_item, trap) == (true, Trap::FailsInSerialize) {
            assert!(matches!(error(&failure), FarmError::Unencodable { item: 7, .. }), "{failure}");
        } else {
            let FarmError::Lost { item: 7, tries: 3, cause: Cause::Fault(_) } = error(&failure) else {
                panic!("{trap:?} {by_item}: {failure}");
            };
        }
        // Four sessions, three of which are lost at most.
        let results = from_iter(20..40).remote(&farm, Trap::Harmless).in_order().collect();
        assert!(results.expect("one session is left").into_iter().eq((20..40).map(Trap::Harmless)));
        end(farm, [working]);
    }
}
