//! Limits on the number of items in a pipeline.

use pipes::skeleton::from_iter;
use pipes_tests::{Tally, watched};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

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

/// The same if items are dropped, and behind a stage before the region.
#[test]
fn dropped_items_give_their_places_back() {
    watched(|| {
        let tally = Tally::new();
        let (maker, counter) = (tally.clone(), tally.clone());
        let most = from_iter(0..2000_u64)
            .hand_over(4)
            .sequential(move |n| maker.make(n))
            .window(6)
            .parallel_with(2, |_| {
                pipes::skeleton::filter(|item: &pipes_tests::Counted| item.number.is_multiple_of(2))
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
