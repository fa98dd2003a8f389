//! Which results a pipeline has, in which order, and how many items are in progress.

use crate::counted::DropCounter;
use crate::explore;
use pipes_skeleton::{Batching, Part, Pipeline, filter, flat_map, from_iter, from_port, merge};
use shuttle::thread;
use std::ops::ControlFlow::{Break, Continue};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

/// Two farms in a row and the order restored, with the smallest windows and with a window for all items.
#[test]
fn farms_in_order() {
    explore(|| {
        for limit in [1, 4, 16] {
            let drops = DropCounter::new();
            let maker = drops.clone();
            let items = from_iter(0..5)
                .sequential(move |n| maker.make(n))
                .in_flight(limit)
                .parallel(2, |item| item)
                .parallel_with(2, |_| filter(|item: &crate::counted::Counted| item.number != 3))
                .in_order()
                .collect()
                .expect("none fails");
            assert!(items.iter().map(|item| item.number).eq([0, 1, 2, 4]));
            drop(items);
            drops.assert_all_dropped();
        }
    });
}

/// The number of items that are begun and not done is at most the window, or the limit between two stages.
#[test]
fn the_window_is_exact() {
    explore(|| {
        for (window, in_farm) in [(1, true), (2, true), (3, true), (1, false), (2, false)] {
            let begun = Arc::new(AtomicU64::new(0));
            let counter = begun.clone();
            let source = from_iter((0..6_u64).inspect(move |_| {
                counter.fetch_add(1, SeqCst);
            }));
            let stages = if in_farm {
                source.in_flight(window).parallel(2, |n| n).in_order()
            } else {
                source.in_flight(window)
            };
            let mut done = 0;
            let counted = stages.for_each(|n| {
                assert_eq!(n, done);
                assert!(begun.load(SeqCst) <= done + window as u64);
                done += 1;
            });
            counted.expect("none fails");
            assert_eq!(done, 6);
        }
    });
}

/// With `keyed`, all items of a key go to the same replica, in order. With `round_robin`, each replica has
/// its own turns.
#[test]
fn routed() {
    explore(|| {
        let mut last = 0;
        let keyed = from_iter(1..7_u64).keyed(
            2,
            |n| n % 2,
            move |n| {
                assert!(n > last);
                last = if n % 2 == 0 { last } else { n };
                n
            },
        );
        let mut all = keyed.collect().expect("none fails");
        all.sort_unstable();
        assert!(all.into_iter().eq(1..7));
        let routed = from_iter(0..6_u64).round_robin(3, |n| n).in_order().collect().expect("none fails");
        assert!(routed.into_iter().eq(0..6));
    });
}

/// Farms whose replicas are pipelines, and items that go back, become several, or are dropped.
#[test]
fn nested_and_fed_back() {
    explore(|| {
        let farm = |share: Pipeline<u64, Part>| share.sequential(|n| n + 1).sequential(|n| n * 2);
        let items = from_iter(0..4).in_flight(2).farm(2, farm).in_order().collect().expect("none fails");
        assert_eq!(items, [2, 4, 6, 8]);

        let halved = from_iter([5, 0, 8_u64]).in_flight(2).feedback(|again| {
            again.parallel_with(2, |_| {
                flat_map(|n: u64| match n {
                    0 => vec![],
                    1 => vec![Break(1)],
                    n => vec![Continue(n / 2), Continue(n - n / 2)],
                })
            })
        });
        assert_eq!(halved.fold(0, |sum, n| sum + n).expect("none fails"), 13);
    });
}

/// Several sources, each in its own order. One is a port whose sender is dropped at any time.
#[test]
fn several_sources() {
    explore(|| {
        let (mut chan, port) = pipes::stream();
        let sender = thread::spawn(move || (10..13).try_for_each(|n| chan.send(n)));
        let both = merge([from_iter(0..3).in_flight(3), from_port(port)]).collect().expect("none fails");
        sender.join().expect("no panic here").expect("it is received");
        for ten in [0, 1] {
            assert!(both.iter().filter(|n| **n / 10 == ten).copied().eq(10 * ten..10 * ten + 3));
        }
        assert_eq!(both.len(), 6);
    });
}

/// Another thread changes the size of batches.
#[test]
fn batches() {
    explore(|| {
        let batching = Batching::of(3);
        let handle = batching.clone();
        let changer = thread::spawn(move || handle.set_size(2).expect("it is possible"));
        let batches = from_iter(0..7).batched(&batching).collect().expect("none fails");
        changer.join().expect("no panic here");
        assert!(batches.iter().all(|batch| (1..=3).contains(&batch.len())));
        assert!(batches.concat().into_iter().eq(0..7));
    });
}

/// At most two futures at a time. Another thread wakes them.
#[test]
fn concurrent() {
    explore(|| {
        let (mut ask, asked) = pipes::stream::<(u64, pipes::ChanOne<u64>)>();
        let answering = thread::spawn(move || {
            for (n, chan) in asked {
                // If the pipeline has ended, no future waits for the answer.
                let _ = chan.send(n * n);
            }
        });
        let answers = from_iter(0..4).concurrent(2, move |n| {
            let (chan, port) = pipes::oneshot();
            ask.send((n, chan)).expect("it is answered");
            async move { port.await.expect("it is answered") }
        });
        assert_eq!(answers.in_order().collect().expect("none fails"), [0, 1, 4, 9]);
        answering.join().expect("no panic here");
    });
}
