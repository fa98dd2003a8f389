//! Limits on the number of items in a pipeline.

use pipes_skeleton::from_iter;
use pipes_tests::{Tally, watched};
use std::future::poll_fn;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};

/// Item `k + window` is never asked for before item `k` is done.
#[test]
fn nothing_is_pulled_beyond_the_window() {
    for window in [1, 2, 3, 8, 64] {
        for replicas in [1, 2, 4] {
            watched(move || {
                let done = Arc::new(AtomicU64::new(0));
                let seen = done.clone();
                let source = (0..2000_u64).inspect(move |k| assert!(*k < seen.load(SeqCst) + window as u64));
                let items =
                    from_iter(source).window(window).parallel(replicas, |k| k).parallel(replicas, |k| k);
                let all = items.in_order().for_each(|k| assert_eq!(done.fetch_add(1, SeqCst), k));
                all.expect("none fails");
                assert_eq!(done.load(SeqCst), 2000);
            });
        }
    }
}

/// Items are dropped, also behind a stage before the region.
#[test]
fn dropped_items_release_their_permits() {
    watched(|| {
        let tally = Tally::new();
        let (maker, counter) = (tally.clone(), tally.clone());
        let most = from_iter(0..2000_u64)
            .hand_over(4)
            .sequential(move |n| maker.make(n))
            .window(6)
            .parallel_with(2, |_| {
                pipes_skeleton::filter(|item: &pipes_tests::Counted| item.number.is_multiple_of(2))
            })
            .in_order()
            .fold(0, move |most, item| {
                let alive = counter.made() - counter.gone();
                drop(item);
                most.max(alive)
            });
        assert!(most.expect("none fails") <= 6 + 1, "with the one that is being made");
        tally.assert_all_gone();
        assert_eq!(tally.made(), 2000);
    });
}

/// Where no order is needed, the permit of a dropped item is released at once, and no more than the window
/// are alive.
#[test]
fn dropped_items_without_an_order_release_their_permits() {
    for (window, replicas) in [(1, 1), (1, 3), (6, 2), (64, 2), (512, 4)] {
        watched(move || {
            let tally = Tally::new();
            let (maker, alive) = (tally.clone(), tally.clone());
            let source = (0..4000_u64).map(move |n| {
                assert!(maker.made() - maker.gone() <= window, "{window}");
                maker.make(n)
            });
            let kept = from_iter(source)
                .window(window)
                .parallel_with(replicas, |_| {
                    pipes_skeleton::filter(|item: &pipes_tests::Counted| !item.number.is_multiple_of(3))
                })
                .parallel_with(replicas, |_| {
                    pipes_skeleton::filter(|item: &pipes_tests::Counted| item.number.is_multiple_of(100))
                })
                .fold(0, |kept, _| kept + 1);
            assert_eq!(kept.expect("none fails"), 26);
            alive.assert_all_gone();
            assert_eq!(tally.made(), 4000);
        });
    }
}

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

/// A slow item at the head stops the source, but not the other replicas.
#[test]
fn a_window_is_used_up_behind_a_slow_item() {
    watched(|| {
        let others = Arc::new(AtomicU64::new(0));
        let count = others.clone();
        let all = from_iter(0..100_u64).window(8).parallel(2, move |n| {
            if n == 0 {
                // Waits until all other items that fit into the window are done.
                while count.load(SeqCst) < 7 {
                    std::thread::yield_now();
                }
            } else {
                count.fetch_add(1, SeqCst);
            }
            n
        });
        assert!(all.in_order().collect().expect("none fails").into_iter().eq(0..100));
    });
}

#[test]
fn stages_hand_over_no_more_than_there_is_room_for() {
    watched(|| {
        let tally = Tally::new();
        let (maker, counter) = (tally.clone(), tally.clone());
        let most = from_iter((0..2000_u64).map(move |n| maker.make(n)))
            .hand_over(3)
            .sequential(|item| item)
            .fold(0, move |most, _item| most.max(counter.made() - counter.gone()));
        // Three on each way; the stage that gives or takes one holds one of them.
        assert!(most.expect("none fails") <= 6);
        tally.assert_all_gone();
    });
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
