//! Async stages.

use futures::channel::oneshot;
use pipes_skeleton::{BuildError, Cause, flat_map, from_iter};
use pipes_tests::{Tally, watched};
use std::future::{pending, ready};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, mpsc};
use std::task::Poll;

#[test]
fn as_many_at_a_time_as_it_says() {
    for at_a_time in [1, 2, 7, 100] {
        watched(move || {
            let (alive, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
            let counters = (alive.clone(), most.clone());
            let items = from_iter(0..500_u64).window(1000).concurrent(at_a_time, move |n| {
                let (alive, most) = counters.clone();
                async move {
                    most.fetch_max(alive.fetch_add(1, SeqCst) + 1, SeqCst);
                    let mut turns = n % 5;
                    std::future::poll_fn(|cx| {
                        turns = turns.saturating_sub(1);
                        cx.waker().wake_by_ref();
                        if turns == 0 { Poll::Ready(()) } else { Poll::Pending }
                    })
                    .await;
                    alive.fetch_sub(1, SeqCst);
                    n + 1
                }
            });
            assert!(items.in_order().collect().expect("none fails").into_iter().eq(1..=500));
            assert!((1..=at_a_time).contains(&most.load(SeqCst)));
            assert_eq!(alive.load(SeqCst), 0);
        });
    }
}

/// Futures that are woken from other threads, the last ones first.
#[test]
fn woken_from_outside() {
    watched(|| {
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
    });
}

#[test]
fn in_all_places() {
    watched(|| {
        let items = from_iter(0..600_u64)
            .parallel_with(2, |_| flat_map(|n: u64| vec![n; n as usize % 3]))
            .concurrent(4, |n| ready(n * 2))
            .farm(2, |share| share.concurrent(3, |n| ready(n + 1)).sequential(|n| n))
            .concurrent(1, ready)
            .in_order()
            .concurrent(5, ready)
            .in_order();
        let expected = (0..600_u64).flat_map(|n| vec![n * 2 + 1; n as usize % 3]);
        assert!(items.collect().expect("none fails").into_iter().eq(expected));
    });
}

/// Futures that are never ready are dropped with the pipeline; one that panics ends it.
#[test]
fn dropped_in_the_middle() {
    watched(|| {
        let tally = Tally::new();
        let maker = tally.clone();
        let failure = from_iter(0..10_u64)
            .concurrent(10, move |n| {
                let item = maker.make(n);
                async move {
                    assert!(n != 7, "seven");
                    pending::<()>().await;
                    item
                }
            })
            .named("waits")
            .collect()
            .expect_err("it panics");
        assert_eq!((failure.stage(), failure.panic_message()), ("waits", Some("seven")));
        assert!(failure.stuck().is_empty());
        tally.assert_all_gone();
        let failure = from_iter(0..9).concurrent(0, ready).collect().expect_err("it cannot be run");
        assert!(matches!(failure.cause(), Cause::Build(BuildError::NoReplicas)));
    });
}

/// If an earlier stage makes several items of one, each is a future of its own. The limit counts each of
/// them, and their results go on together, in order.
#[test]
fn several_of_one() {
    for (replicas, at_a_time) in [(1, 1), (1, 3), (3, 4), (2, 1000)] {
        watched(move || {
            let (alive, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
            let counters = (alive.clone(), most.clone());
            let numbers = from_iter(0..200_u64)
                .parallel_with(replicas, |_| flat_map(|n| (0..n % 7).map(move |m| 10 * n + m)))
                .concurrent(at_a_time, move |n| {
                    let (alive, most) = counters.clone();
                    most.fetch_max(alive.fetch_add(1, SeqCst) + 1, SeqCst);
                    let mut turns = n % 5;
                    async move {
                        std::future::poll_fn(|cx| {
                            turns = turns.saturating_sub(1);
                            cx.waker().wake_by_ref();
                            if turns == 0 { Poll::Ready(()) } else { Poll::Pending }
                        })
                        .await;
                        alive.fetch_sub(1, SeqCst);
                        n
                    }
                });
            let due = (0..200).flat_map(|n| (0..n % 7).map(move |m| 10 * n + m));
            assert!(numbers.in_order().collect().expect("none fails").into_iter().eq(due));
            assert!((1..=at_a_time).contains(&most.load(SeqCst)), "{most:?} of {at_a_time}");
        });
    }
}

/// The first error ends the pipeline. Futures that are not ready are dropped, and what has come out is right.
#[test]
fn a_future_that_fails_ends_the_pipeline() {
    for at_a_time in [1, 4, 100] {
        watched(move || {
            let tally = Tally::new();
            let maker = tally.clone();
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
            let Cause::Error(error) = failure.cause() else { panic!("{failure:?}") };
            assert_eq!(error.to_string(), "500 is too large");
            tally.assert_all_gone();
        });
    }
}
