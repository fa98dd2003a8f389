//! Pipelines whose items stop for ever, while their stages sleep for every possible reason. Each end reaches
//! all stages.

use pipes::stream;
use pipes_skeleton::{Batching, Cancel, FailureKind, Pace, Part, Pipeline, from_iter, from_port, merge};
use pipes_tests::{effort, spawn, test_in, watched};
use std::future::pending;
use std::ops::ControlFlow::{self, Continue};
use std::thread::yield_now;
use std::time::Duration;

/// A name, and a function that makes the pipeline.
type Shape = (&'static str, fn() -> Pipeline<u64>);

const SHAPES: [Shape; 8] = [
    ("a pace of nothing", || from_iter(0..).in_flight(1).parallel(2, |n| n).paced(&never())),
    ("a pace of one item in years", || from_iter(0..).paced(&Pace::new(1e-18).expect("it can be kept"))),
    ("batches without end", || {
        let all = Batching::of(usize::MAX).within(Duration::MAX);
        let batches = from_iter(0..10).parallel(2, |n| n).batched(&all);
        batches.sequential(|batch| batch.len() as u64).paced(&never())
    }),
    ("futures that are never ready", || from_iter(0..).concurrent(3, |_| pending())),
    ("a farm of them", || from_iter(0..).farm(2, |share| share.concurrent(2, |_| pending()))),
    ("items that go round for ever", || {
        from_iter(0..).in_flight(2).feedback(|again| {
            again.parallel(2, |n: u64| {
                yield_now();
                Continue::<u64, u64>(n)
            })
        })
    }),
    ("a loop in order", || {
        let again = |again: Pipeline<u64, Part>| again.concurrent(2, |_| pending::<ControlFlow<u64, u64>>());
        from_iter(0..).in_flight(1).feedback(again).in_order()
    }),
    ("silent sources", || {
        merge([silent().parallel(2, |n| n).in_order(), from_iter(0..3).round_robin(2, |n| n)])
    }),
];

fn never() -> Pace {
    Pace::new(0.0).expect("it can be kept")
}

/// A source that gives nothing and does not end.
fn silent() -> Pipeline<u64> {
    let (chan, port) = stream();
    from_port(port).sequential(move |n| {
        let _open = &chan;
        n
    })
}

/// A cancel from another thread wakes stages that sleep, or that are about to sleep.
#[test_in(watched)]
fn a_cancel_at_any_moment() {
    for (name, make) in SHAPES {
        for patience in 0..effort(12) {
            let cancel = Cancel::new();
            let ends = cancel.clone();
            let ending = spawn(move || {
                (0..patience * patience).for_each(|_| yield_now());
                ends.cancel();
            });
            let failure = make().cancelled_by(&cancel).for_each(drop).expect_err("it is cancelled");
            assert!(matches!(failure.kind(), FailureKind::Cancelled), "{name}: {failure}");
            assert!(failure.stuck().is_empty(), "{name}: {failure}");
            ending.join().expect("it does not panic");
        }
    }
}

/// The port, the handle or the iterator is dropped.
#[test_in(watched)]
fn what_comes_out_is_dropped() {
    for (_, make) in SHAPES {
        let (port, running) = make().into_port();
        drop(port);
        running.join().expect("that is no failure");
        let (mut port, running) = make().into_port();
        drop(running);
        while port.recv().is_ok() {}
        drop(make().into_iter());
    }
}
