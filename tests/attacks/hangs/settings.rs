//! What is said of a pipeline in unusual places: windows in farms, loops and merged pipelines, metrics of merged pipelines, names of
//! replicas that differ; sizes of batches and rates that change just before the next item is made.

use pipes::skeleton::{Batching, Metrics, Pace, Pipeline, Rate, Swing, from_iter, from_port, merge};
use pipes_tests::watched;
use std::ops::ControlFlow::{Break, Continue};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How many items are on their way at most, from the source until the sink asks for the next one.
fn most_on_their_way(stages: impl FnOnce(Pipeline<u32>) -> Pipeline<u32>) -> usize {
    let (begun, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let source = from_iter((0..2000_u32).inspect({
        let begun = begun.clone();
        move |_| {
            begun.fetch_add(1, Ordering::SeqCst);
        }
    }));
    let mut done = 0;
    stages(source)
        .in_order()
        .for_each({
            let most = most.clone();
            move |_| {
                // The source goes on as far as it may.
                (0..20).for_each(|_| std::thread::yield_now());
                most.fetch_max(begun.load(Ordering::SeqCst) - done, Ordering::SeqCst);
                done += 1;
            }
        })
        .expect("no stage fails");
    most.load(Ordering::SeqCst)
}

#[test]
fn a_window_in_a_row() {
    watched(|| {
        let most = most_on_their_way(|items| items.window(3).parallel(2, |n| n));
        assert!(most <= 3, "{most} items are in a window of 3");
    });
}

#[test]
fn a_window_in_a_farm() {
    watched(|| {
        let most = most_on_their_way(|items| items.farm(2, |share| share.window(3).parallel(2, |n| n)));
        assert!(most <= 3, "{most} items are in a window of 3");
    });
}

#[test]
fn a_window_in_a_loop() {
    watched(|| {
        let most = most_on_their_way(|items| {
            // Each goes round once.
            items.feedback(|again| {
                again
                    .window(3)
                    .parallel(2, |n| if n >= 10_000 { Break(n - 10_000) } else { Continue(n + 10_000) })
            })
        });
        assert!(most <= 3, "{most} items are in a window of 3");
    });
}

/// The replicas of a stage have one name, the one that was given last.
#[test]
fn replicas_with_names() {
    watched(|| {
        let mut number = 0;
        let items = from_iter(0..100_000).farm(2, |share| {
            number += 1;
            let replica = number;
            share
                .sequential(move |n: u32| {
                    assert!(replica == 2, "the first replica");
                    std::thread::yield_now();
                    n
                })
                .named(format!("replica {replica}"))
        });
        let failure = items.collect().expect_err("the first replica panics at each item");
        assert_eq!((failure.stage(), failure.panic_message()), ("replica 2", Some("the first replica")));
    });
}

#[test]
fn a_batch_of_the_new_size() {
    watched(|| {
        for _ in 0..200 {
            let batching = Batching::of(1000);
            let (mut chan, port) = pipes::stream();
            let (mut batches, running) = from_port(port).batched(&batching).into_port();
            (1..=3).for_each(|n| chan.send(n).expect("the pipeline runs"));
            // Until it has all of them, most probably.
            (0..200).for_each(|_| std::thread::yield_now());
            batching.set_size(3).expect("it is possible");
            (4..=6).for_each(|n| chan.send(n).expect("the pipeline runs"));
            let first = batches.recv().expect("a batch is full");
            assert!(first.len() <= 3, "{first:?} has more items than a batch may have");
            drop((chan, batches, running));
        }
    });
}

/// It begins with the next item, not when it is set.
#[test]
fn a_pace_that_begins_with_the_next_item() {
    watched(|| {
        let pace = Pace::new(Rate::Constant(1e6)).expect("it can be kept");
        let (mut chan, port) = pipes::stream();
        let (mut items, running) = from_port(port).paced(&pace).into_port();
        chan.send(1).expect("the pipeline runs");
        assert_eq!(items.recv(), Ok(1));
        // After a hundredth of a second there are no more items.
        let swing = Swing { period: Duration::from_millis(10), min: 0.0, max: 1000.0 };
        pace.set(Rate::Decreasing(swing)).expect("it can be kept");
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_millis(20) {
            std::thread::yield_now();
        }
        chan.send(2).expect("the pipeline runs");
        assert_eq!(items.recv(), Ok(2));
        drop((chan, items, running));
    });
}

/// Behind a merge the default applies again, until it is said otherwise.
#[test]
fn a_window_of_what_is_merged() {
    watched(|| {
        let inside = |items: Pipeline<u32>| items.window(3).parallel(2, |n| n).in_order();
        let most =
            most_on_their_way(|items| merge([inside(items).hand_over(1)]).window(3).parallel(2, |n| n));
        // In the region that is merged; on the way to the merge, and in it; in the region behind.
        assert!(most <= 3 + 2 + 3, "{most} items are in two windows of 3");
        let most = most_on_their_way(|items| merge([inside(items)]).parallel(2, |n| n));
        assert!(most > 3 + 2 + 3, "{most} items are in a window of 256");
    });
}

/// All of it is measured with the first metrics that there are, unless others are given behind.
#[test]
fn figures_of_what_is_merged() {
    watched(|| {
        let (left, right) = (Metrics::new(), Metrics::new());
        let both = merge([
            from_iter(0..10).sequential(|n: u32| n).named("left").measured(&left),
            from_iter(0..10).sequential(|n: u32| n).named("right").measured(&right),
        ]);
        assert_eq!(both.collect().expect("no stage fails").len(), 20);
        let has =
            |metrics: &Metrics, name| metrics.report().stages().iter().any(|stage| stage.name() == name);
        assert!(has(&left, "left") && has(&left, "right"));
        assert!(right.report().stages().is_empty(), "it measures nothing");
    });
}
