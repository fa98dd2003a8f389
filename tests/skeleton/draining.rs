//! Pipelines that are drained: their sources end, and what was taken from them is finished and emitted.

use pipes_skeleton::{
    Cancel, FailureKind, Pipeline, fold, from_fn, from_iter, from_port, from_stream, lines, merge, posted,
};
use pipes_tests::{test_in, watched};
use std::collections::BTreeMap;
use std::io::{self, Read};

/// The numbers from 0 on. The source drains its pipeline when it has taken `last`, so no other one follows.
fn up_to(last: u64, cancel: &Cancel) -> Pipeline<u64> {
    let drains = cancel.clone();
    let numbers = from_iter(0..).inspect(move |number| {
        if *number == last {
            drains.drain();
        }
    });
    numbers.cancelled_by(cancel)
}

/// Stages of each kind emit what they have gathered of all items up to the drain.
#[test_in(watched)]
fn stages_emit_what_they_have_gathered() {
    let sum = || fold(0, |sum, number: u64| sum + number);
    for last in [0, 1, 99, 5000] {
        let due = last * (last + 1) / 2;
        let cancel = Cancel::new();
        assert_eq!(up_to(last, &cancel).gather(sum()).collect().expect("it ends"), [due]);
        assert!(cancel.is_draining() && !cancel.is_cancelled());

        let sums = up_to(last, &Cancel::new()).parallel_gather(2, |_| sum());
        assert_eq!(sums.fold(0, |all, sum| all + sum).expect("it ends"), due);

        let by_key = up_to(last, &Cancel::new()).keyed_gather(
            2,
            |number| number % 3,
            |_| {
                fold(BTreeMap::new(), |mut sums: BTreeMap<u64, u64>, number| {
                    *sums.entry(number % 3).or_default() += number;
                    sums
                })
            },
        );
        let all: u64 = by_key.collect().expect("it ends").iter().flat_map(BTreeMap::values).sum();
        assert_eq!(all, due);

        let ordered = up_to(last, &Cancel::new()).parallel(3, |number| number + 1).in_order().in_flight(4);
        let count = ordered.collect().expect("it ends");
        assert!(count.into_iter().eq(1..=last + 1));
    }
}

/// A pipeline that starts after the drain takes nothing from its source.
#[test_in(watched)]
fn a_pipeline_that_starts_later_has_no_items() {
    let cancel = Cancel::new();
    cancel.drain();
    let unasked = from_fn(|| -> Option<u64> { panic!("no item is taken") });
    assert_eq!(unasked.cancelled_by(&cancel).collect().expect("it ends"), []);
    let (mut chan, port) = pipes::stream();
    chan.send(1_u64).expect("the port lives");
    assert_eq!(from_port(port).cancelled_by(&cancel).collect().expect("it ends"), []);
    chan.send(2).expect_err("the port is dropped");
}

/// A source that sleeps, because nothing is in its port or its stream, is woken.
#[test_in(watched)]
fn sources_that_sleep_are_woken() {
    let cancel = Cancel::new();
    let (mut chan, port) = pipes::stream();
    (1..=3).try_for_each(|number| chan.send(number)).expect("the port lives");
    let mut got = Vec::new();
    let numbers = from_port(port).cancelled_by(&cancel);
    let done = numbers.for_each(|number: u64| {
        got.push(number);
        if number == 3 {
            cancel.drain();
        }
    });
    done.expect("it ends");
    assert_eq!(got, [1, 2, 3]);
    chan.send(4).expect_err("the port is dropped");

    for _ in 0..100 {
        let cancel = Cancel::new();
        let silent = from_stream(futures::stream::pending::<u64>()).cancelled_by(&cancel);
        let (_open, quiet) = pipes::stream();
        let both = merge([silent, from_port(quiet)]).parallel_gather(2, |_| fold(1, |sum, n: u64| sum + n));
        let (port, running) = both.into_port();
        cancel.drain();
        assert_eq!(port.into_iter().sum::<u64>(), 2);
        running.join().expect("it ends");
    }
}

/// What a `read` returns after the drain is the last of the lines.
#[test_in(watched)]
fn a_read_is_not_interrupted() {
    struct Drains(Cancel, u32);
    impl Read for Drains {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 += 1;
            match self.1 {
                1 => "one\n".as_bytes().read(buffer),
                2 => {
                    self.0.drain();
                    "two\n".as_bytes().read(buffer)
                }
                _ => panic!("nothing more is read"),
            }
        }
    }
    let cancel = Cancel::new();
    let read = lines(Drains(cancel.clone(), 0)).cancelled_by(&cancel).collect();
    assert_eq!(read.expect("it ends"), ["one", "two"]);
}

/// A cancel, or a failure, ends a pipeline that is draining.
#[test_in(watched)]
fn a_drain_may_be_followed_by_a_cancel_or_a_failure() {
    let cancel = Cancel::new();
    let cancelled = up_to(9, &cancel).for_each(|number| {
        if number == 9 {
            cancel.cancel();
        }
    });
    assert!(cancelled.expect_err("it was cancelled").is_cancelled());
    assert!(up_to(9, &cancel).collect().expect_err("it was cancelled before").is_cancelled());

    let failed = up_to(9, &Cancel::new()).for_each(|number| assert!(number != 9, "nine"));
    let failure = failed.expect_err("it panics");
    assert!(!failure.is_cancelled() && matches!(failure.kind(), FailureKind::Panic(_)));
}

/// Nothing more can be posted, and the handle returns what was.
#[test_in(watched)]
fn a_pipeline_whose_items_are_posted_refuses_more() {
    let cancel = Cancel::new();
    let squares =
        posted(|numbers| numbers.sequential(|n: u64| n * n).cancelled_by(&cancel)).expect("it can be run");
    squares.post(3).expect("it is not drained");
    cancel.drain();
    assert_eq!(squares.post(4).expect_err("it is drained").into_item(), 4);
    assert_eq!(squares.collect().expect("no stage fails"), [9]);
}
