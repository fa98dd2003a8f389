//! Limits on the number of items in a pipeline.

use pipes_skeleton::{Pipeline, from_iter, merge};
use pipes_tests::watched;
use std::future::poll_fn;
use std::ops::ControlFlow::{Break, Continue};
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};

/// While one replica is held up, the other one goes on.
#[test]
fn a_replica_that_is_held_up_does_not_keep_the_places_of_dropped_items() {
    for window in [4, 8, 64, 512] {
        watched(move || {
            let pulled = Arc::new(AtomicU64::new(0));
            let (count, seen) = (pulled.clone(), pulled.clone());
            let source = (0..100 * window as u64).inspect(move |_| {
                count.fetch_add(1, SeqCst);
            });
            let dropped = from_iter(source).window(window).parallel_with(2, move |_| {
                let seen = seen.clone();
                pipes_skeleton::filter(move |n: &u64| {
                    // The source comes to its end only with permits that the other replica returns.
                    while *n == 0 && seen.load(SeqCst) < 100 * window as u64 {
                        std::thread::yield_now();
                    }
                    false
                })
            });
            assert_eq!(dropped.collect().expect("none fails"), []);
            assert_eq!(pulled.load(SeqCst), 100 * window as u64);
        });
    }
}

/// A replica that waits for an item holds back no permits: here all of the window are needed before any item
/// comes out.
#[test]
fn a_replica_that_waits_holds_back_no_permits_of_dropped_items() {
    for (replicas, dropped) in [(1, 7), (2, 6), (4, 4)] {
        watched(move || {
            let begun = Arc::new(Mutex::new((0, Vec::<Waker>::new())));
            let all = from_iter(0..64 + dropped)
                .window(64)
                .parallel_with(replicas, move |_| pipes_skeleton::filter(move |n: &u64| *n >= dropped))
                .concurrent(64, move |n| {
                    begun.lock().expect("no panic").0 += 1;
                    let begun = begun.clone();
                    poll_fn(move |cx| {
                        let mut begun = begun.lock().expect("no panic");
                        if begun.0 < 64 {
                            begun.1.push(cx.waker().clone());
                            return Poll::Pending;
                        }
                        begun.1.drain(..).for_each(Waker::wake);
                        Poll::Ready(n)
                    })
                });
            assert_eq!(all.collect().expect("none fails").len(), 64);
        });
    }
}

/// The items are pulled when results are asked for, at most a window ahead.
#[test]
fn who_stops_asking_stops_the_source() {
    watched(|| {
        let pulled = Arc::new(AtomicU64::new(0));
        let counter = pulled.clone();
        let endless = from_iter((0_u64..).inspect(move |_| {
            counter.fetch_add(1, SeqCst);
        }));
        let mut items = endless.window(16).parallel(2, |n| n).in_order().into_iter();
        for n in 0..10 {
            assert_eq!(items.next().expect("it has no end").expect("none fails"), n);
        }
        drop(items);
        assert!(pulled.load(SeqCst) <= 10 + 16);
    });
}

/// Returns the greatest number of items that had left the source and not yet reached the sink.
fn most_on_their_way(stages: impl FnOnce(Pipeline<u64>) -> Pipeline<u64>) -> u64 {
    let begun = Arc::new(AtomicU64::new(0));
    let counter = begun.clone();
    let source = from_iter((0..1000).inspect(move |_| _ = counter.fetch_add(1, SeqCst)));
    let most = stages(source).in_order().fold((0, 0), |(done, most), _| {
        // The source goes on as far as it may.
        (0..20).for_each(|_| std::thread::yield_now());
        (done + 1, most.max(begun.load(SeqCst) - done))
    });
    most.expect("none fails").1
}

/// A window holds in a farm and in a loop. Behind a merge the default window applies again, unless another
/// one is set.
#[test]
fn windows_in_parts() {
    watched(|| {
        assert!(most_on_their_way(|items| items.window(3).farm(2, |share| share.parallel(2, |n| n))) <= 3);
        let once = |n| if n >= 10_000 { Break(n - 10_000) } else { Continue(n + 10_000) };
        assert!(most_on_their_way(|items| items.window(3).feedback(|again| again.parallel(2, once))) <= 3);
        let inside = |items: Pipeline<u64>| items.window(3).parallel(2, |n| n).in_order();
        let none = || from_iter([]);
        let both = |items| merge([inside(items).hand_over(1), none()]);
        // 2 items are on the way to the merge and in it.
        assert!(most_on_their_way(|items| both(items).window(3).parallel(2, |n| n)) <= 3 + 2 + 3);
        assert!(most_on_their_way(|items| merge([inside(items), none()]).parallel(2, |n| n)) > 3 + 2 + 3);
        // A pipeline alone is passed on.
        assert!(most_on_their_way(|items| merge([inside(items)]).window(3).parallel(2, |n| n)) <= 3 + 3);
    });
}
