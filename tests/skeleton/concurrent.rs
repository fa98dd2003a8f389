//! Async stages.

use futures::channel::oneshot;
use pipes_skeleton::{FailureKind, from_iter};
use pipes_tests::{DropCounter, test_in, watched};
use std::future::pending;
use std::sync::mpsc;

/// Futures that are woken from other threads, the last ones first.
#[test_in(watched)]
fn woken_from_outside() {
    let (to_wake, asked) = mpsc::channel();
    let waking = std::thread::spawn(move || {
        let mut all: Vec<(u64, oneshot::Sender<u64>)> = Vec::new();
        for chan in asked {
            all.push(chan);
            if all.len() == 10 {
                for (n, chan) in all.drain(..).rev() {
                    chan.send(n * 10).expect("it is waited for");
                }
            }
        }
    });
    let answers = from_iter(0..300_u64).concurrent(10, move |n| {
        let (chan, answer) = oneshot::channel();
        to_wake.send((n, chan)).expect("somebody wakes");
        async move { answer.await.expect("it is answered") }
    });
    assert!(answers.in_order().collect().expect("none fails").into_iter().eq((0..300).map(|n| n * 10)));
    waking.join().expect("all were woken");
}

/// The first error ends the pipeline. Futures that are not ready are dropped, and what has come out is right.
#[test]
fn a_future_that_fails_ends_the_pipeline() {
    for at_a_time in [1, 4, 100] {
        watched(move || {
            let drops = DropCounter::new();
            let maker = drops.clone();
            let mut seen = 0;
            let failure = from_iter(0..)
                .try_concurrent(at_a_time, move |n| {
                    let item = maker.make(n);
                    async move {
                        if n == 501 && at_a_time > 1 {
                            pending::<()>().await;
                        }
                        if n == 500 { Err(format!("{n} is too large")) } else { Ok((n, item)) }
                    }
                })
                .named("bound")
                .in_order()
                .fold(0, move |next, (n, _)| {
                    assert_eq!(n, next);
                    seen += 1;
                    assert!(seen <= 500);
                    next + 1
                })
                .expect_err("an item is too large");
            assert_eq!(failure.stage(), "bound");
            let FailureKind::Error(error) = failure.kind() else { panic!("{failure:?}") };
            assert_eq!(error.to_string(), "500 is too large");
            drops.assert_all_dropped();
        });
    }
}
