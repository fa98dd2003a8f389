//! Settings of a pipeline in unusual places: windows in farms, loops and merged pipelines, metrics of merged
//! pipelines, and replicas with different names; also batch sizes and rates that change just before the next
//! item is made. Each setting must have its documented effect.

use pipes_skeleton::{Batching, Metrics, Pace, Pipeline, from_iter, from_port, merge};
use pipes_tests::watched;
use std::ops::ControlFlow::{Break, Continue};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Returns the greatest number of items that had left the source and not yet reached the sink.
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
                // Lets the source go on as far as it may.
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
            // Each item goes round once.
            items.feedback(|again| {
                again
                    .window(3)
                    .parallel(2, |n| if n >= 10_000 { Break(n - 10_000) } else { Continue(n + 10_000) })
            })
        });
        assert!(most <= 3, "{most} items are in a window of 3");
    });
}

/// The replicas of a stage have one name: the one that was given last.
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
            // Gives it time to take all of them, which it most probably does.
            (0..200).for_each(|_| std::thread::yield_now());
            batching.set_size(3).expect("it is possible");
            (4..=6).for_each(|n| chan.send(n).expect("the pipeline runs"));
            let first = batches.recv().expect("a batch is full");
            assert!(first.len() <= 3, "{first:?} has more items than a batch may have");
            drop((chan, batches, running));
        }
    });
}

/// A new pace begins with the next item, not when it is set.
#[test]
fn a_pace_that_begins_with_the_next_item() {
    watched(|| {
        let pace = Pace::new(1e6).expect("it can be kept");
        let (mut chan, port) = pipes::stream();
        let (mut items, running) = from_port(port).paced(&pace).into_port();
        chan.send(1).expect("the pipeline runs");
        assert_eq!(items.recv(), Ok(1));
        pace.set(20.0).expect("it can be kept");
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_millis(40) {
            std::thread::yield_now();
        }
        let begin = Instant::now();
        [2, 3].into_iter().try_for_each(|item| chan.send(item)).expect("the pipeline runs");
        assert_eq!(items.recv(), Ok(2));
        assert_eq!(items.recv(), Ok(3));
        assert!(begin.elapsed() >= Duration::from_millis(50), "the schedule began with the setting");
        drop((chan, items, running));
    });
}

/// Behind a merge the default window applies again, unless another one is set there.
#[test]
fn a_window_of_what_is_merged() {
    watched(|| {
        let inside = |items: Pipeline<u32>| items.window(3).parallel(2, |n| n).in_order();
        let none = || from_iter([]);
        let most = most_on_their_way(|items| {
            merge([inside(items).hand_over(1), none()]).window(3).parallel(2, |n| n)
        });
        // 3 in the merged region, 2 on the way to the merge and in it, and 3 in the region behind it.
        assert!(most <= 3 + 2 + 3, "{most} items are in two windows of 3");
        let most = most_on_their_way(|items| merge([inside(items), none()]).parallel(2, |n| n));
        assert!(most > 3 + 2 + 3, "{most} items are in a window of 256");
        // A pipeline alone is passed on.
        let most = most_on_their_way(|items| merge([inside(items)]).window(3).parallel(2, |n| n));
        assert!(most <= 3 + 3, "{most} items are in two windows of 3");
    });
}

/// A merge is measured with the first metrics of its inputs, unless others are set behind it.
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
