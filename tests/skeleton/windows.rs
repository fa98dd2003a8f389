//! Limits on the number of items in a pipeline.

use pipes_skeleton::{Batching, Part, Pipeline, filter, from_iter, merge};
use pipes_tests::{test_in, watched};
use std::future::poll_fn;
use std::ops::ControlFlow::{self, Break, Continue};
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
            let dropped = from_iter(source).in_flight(window).parallel_with(2, move |_| {
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
                .in_flight(64)
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
#[test_in(watched)]
fn who_stops_asking_stops_the_source() {
    let pulled = Arc::new(AtomicU64::new(0));
    let counter = pulled.clone();
    let endless = from_iter((0_u64..).inspect(move |_| {
        counter.fetch_add(1, SeqCst);
    }));
    let mut items = endless.in_flight(16).parallel(2, |n| n).in_order().into_iter();
    for n in 0..10 {
        assert_eq!(items.next().expect("it has no end").expect("none fails"), n);
    }
    drop(items);
    assert!(pulled.load(SeqCst) <= 10 + 16);
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

/// The limit holds in farms and loops, over several regions, and before and behind a merge.
#[test_in(watched)]
fn in_flight_limits_the_items() {
    type Stages = fn(Pipeline<u64>) -> Pipeline<u64>;
    fn once(again: Pipeline<u64, Part>) -> Pipeline<ControlFlow<u64, u64>, Part> {
        again.parallel(2, |n| if n >= 10_000 { Break(n - 10_000) } else { Continue(n + 10_000) })
    }
    let shapes: [(Stages, u64); 9] = [
        (|items| items.in_flight(3).farm(2, |share| share.parallel(2, |n| n)), 3),
        (|items| items.in_flight(3).feedback(once), 3),
        (|items| items.sequential(|n| n).sequential(|n| n).in_flight(6), 6),
        (|items| items.parallel(2, |n| n).ordered(|n| n).parallel(3, |n| n).in_flight(9), 9),
        (|items| items.parallel(2, |n| n).keyed(2, |n| n % 7, |n| n).in_flight(8), 8),
        (|items| items.map(|n| n).filter(|_| true).parallel(2, |n| n).map(|n| n).in_flight(3), 3),
        (|items| merge([items.parallel(2, |n| n).in_order(), from_iter([])]).in_flight(8), 8),
        (|items| merge([items.in_flight(4)]).parallel(2, |n| n), 4),
        // Each of several regions has room for an item.
        (|items| items.sequential(|n| n).sequential(|n| n).sequential(|n| n).in_flight(1), 4),
    ];
    for (number, (stages, most)) in shapes.into_iter().enumerate() {
        let seen = most_on_their_way(stages);
        assert!(seen <= most, "{seen} in shape {number}, at most {most}");
    }
    let free = |items: Pipeline<u64>| items.parallel(2, |n| n).sequential(|n| n);
    assert!(most_on_their_way(free) > 9, "without a limit there is more room");
}

/// The last limit counts, also if it has another unit.
#[test_in(watched)]
fn several_limits() {
    let sized = || from_iter(0..100_usize).in_flight_bytes(1000, |_| 100);
    assert_eq!(sized().in_flight(8).parallel(2, |n| n).collect().expect("none fails").len(), 100);
    let both = merge([sized(), from_iter(0..100)]).in_flight(8);
    assert_eq!(both.collect().expect("none fails").len(), 200);
    let twice = from_iter(0..100).in_flight_bytes(50, |_| unreachable!("it is replaced"));
    assert_eq!(twice.in_flight_bytes(50, |_| 1).collect().expect("none fails").len(), 100);
}

/// The size of the items on their way is at most the limit. A larger item travels alone.
#[test_in(watched)]
fn in_flight_bytes_limits_their_size() {
    const LIMIT: isize = 300;
    type Stages = fn(Pipeline<usize>) -> Pipeline<usize>;
    // In a pipeline of several regions, an item is alone only in its own.
    let shapes: [(Stages, usize); 8] = [
        (|items| items, 2000),
        (|items| items.parallel(2, |n| n).in_order(), 2000),
        (|items| items.parallel_with(2, |_| filter(|_| true)).parallel(2, |n| n), 2000),
        (|items| items.map(|n| n).concurrent(5, |n| async move { n }), 2000),
        (|items| items.parallel(2, |n| n).ordered(|n| n), 150),
        (|items| items.parallel(2, |n| n).keyed(2, |n| *n, |n| n).map(|n| n), 150),
        (|items| items.sequential(|n| n).sequential(|n| n), 100),
        // A batch has the size of its items.
        (|items| items.batched(&Batching::of(2)).flat_map(|batch| batch), 75),
    ];
    for (number, (stages, largest)) in shapes.into_iter().enumerate() {
        // The size of the items on the way, and of the one that waits for room.
        let way = Arc::new(Mutex::new((0_isize, 0)));
        let (enters, leaves) = (way.clone(), way.clone());
        let sizes = (0..600).map(move |n| [1, 7, 30, 90, largest][n * n % 11 % 5]);
        let source = from_iter(sizes).in_flight_bytes(LIMIT as usize, move |size| {
            // The item may still wait for room, so it enters when the next size is taken.
            let mut way = enters.lock().expect("no panic");
            let (inside, waiting) = *way;
            assert!(inside + waiting <= LIMIT || inside <= 0, "{inside} and {waiting} in shape {number}");
            *way = (inside + waiting, *size as isize);
            *size
        });
        let came = stages(source).fold(0, |came, size| {
            let mut way = leaves.lock().expect("no panic");
            way.0 -= size as isize;
            came + 1
        });
        assert_eq!(came.expect("none fails"), 600);
    }
}
