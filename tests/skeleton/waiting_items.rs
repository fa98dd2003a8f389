//! Items that can only be processed together. No item that is ready waits for a replica, or for a future,
//! that is busy with another item, and no place of a window is held back.

use super::destructors_that_wait::second_first;
use pipes::{oneshot, stream};
use pipes_skeleton::{Pace, Pipeline, Place, flat_map, from_iter};
use pipes_tests::{effort, test_in, watched};
use std::future::poll_fn;
use std::ops::ControlFlow::{Break, Continue};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Barrier, Mutex, OnceLock};
use std::task::{Poll, Waker};
use std::thread::yield_now;

/// Passes most items on at once. Now and then two consecutive items wait until both are being processed.
fn pairs(both: Arc<Barrier>) -> impl FnMut(u64) -> u64 + Clone + Send + 'static {
    move |number| {
        if number % 97 < 2 {
            both.wait();
        }
        number
    }
}

/// The same without a thread that blocks.
fn pairs_of_futures<P: Place>(share: Pipeline<u64, P>) -> Pipeline<u64, P> {
    let waiting = Arc::new(Mutex::new(None::<Waker>));
    share.concurrent(2, move |number| {
        let waiting = waiting.clone();
        let mut is_first_poll = true;
        poll_fn(move |cx| {
            if number % 97 < 2 && std::mem::take(&mut is_first_poll) {
                let mut waiting = waiting.lock().expect("no future panics");
                let Some(other) = waiting.take() else {
                    *waiting = Some(cx.waker().clone());
                    return Poll::Pending;
                };
                other.wake();
            }
            Poll::Ready(number)
        })
    })
}

#[test_in(watched)]
fn pairs_of_items() {
    type Farm = fn(Pipeline<u64>, Arc<Barrier>) -> Pipeline<u64>;
    let farms: [(&str, Farm); 8] = [
        ("a farm", |items, both| items.parallel(2, pairs(both))),
        ("a farm in order", |items, both| items.parallel(2, pairs(both)).in_order()),
        ("a second farm", |items, both| items.parallel(3, |n| n).parallel(2, pairs(both))),
        ("a farm of pipelines", |items, both| {
            items.farm(2, |share| share.sequential(pairs(both.clone())).sequential(|n| n))
        }),
        ("more replicas than are needed, in order", |items, both| {
            items.in_flight(9).parallel(8, pairs(both)).in_order()
        }),
        ("a loop", |items, both| {
            let mut pairs = pairs(both);
            items.feedback(|again| again.parallel(2, move |n| Break(pairs(n))))
        }),
        ("futures", |items, _| pairs_of_futures(items)),
        ("futures in a replica", |items, _| items.farm(1, pairs_of_futures)),
    ];
    for (name, farm) in farms {
        let items = 97 * effort(60) as u64;
        let done = farm(from_iter(0..items).in_flight(6), Arc::new(Barrier::new(2)));
        let done = done.collect().expect("no stage fails");
        assert_eq!(done.len() as u64, items, "{name}");
        assert!(!name.ends_with("in order") || done.is_sorted(), "{name}");
    }
}

/// Of two items into which one was divided, the first future waits for the second one.
#[test_in(watched)]
fn the_next_future_of_several() {
    let (go, goes) = oneshot();
    let (mut go, mut goes) = (Some(go), Some(goes));
    let twice = from_iter(0..1_u64).parallel_with(1, |_| flat_map(|number| [number, number + 1]));
    let done = twice.concurrent(2, move |number| {
        let (waits, lets_go) = if number == 0 { (goes.take(), None) } else { (None, go.take()) };
        async move {
            if let Some(goes) = waits {
                goes.await.expect("the other one lets it go");
            }
            if let Some(go) = lets_go {
                go.send(()).expect("the other one waits");
            }
            number
        }
    });
    assert_eq!(done.collect().expect("no stage fails"), [0, 1]);
}

/// A replica has taken several items, and is busy with one that waits for the next one. The other replica
/// begins that before the source has ended, although it does not run out of items.
#[test]
fn an_item_that_a_busy_replica_has_taken() {
    const ITEMS: u64 = 20_000;
    fn pulled_when_both_were_begun() -> u64 {
        let pulled = Arc::new(AtomicU64::new(0));
        let (counted, both) = (pulled.clone(), Arc::new(Barrier::new(2)));
        let (first, met) = (Arc::new(OnceLock::new()), Arc::new(OnceLock::new()));
        let meets = met.clone();
        let source = from_iter((0..ITEMS).inspect(move |_| _ = counted.fetch_add(1, SeqCst)));
        let farm = source.in_flight(1024).parallel(2, move |number| {
            if number >= 2000 {
                let first = *first.get_or_init(|| number);
                if number == first + 1 {
                    meets.set(pulled.load(SeqCst)).expect("it is begun once");
                }
                if number == first || number == first + 1 {
                    both.wait();
                }
            }
            // More items than a replica takes at once.
            while pulled.load(SeqCst) < (number + 200).min(ITEMS) {
                yield_now();
            }
        });
        farm.for_each(drop).expect("no stage fails");
        *met.get().expect("all items were processed")
    }
    watched(|| (0..5).for_each(|_| assert!(pulled_when_both_were_begun() < ITEMS)));
}

/// Items go back to a farm again and again, while one replica is busy with an item that waits until all
/// others are begun, also those that this replica has taken.
#[test_in(watched)]
fn items_that_a_busy_replica_has_taken_in_a_loop() {
    const ITEMS: u64 = 64;
    const MOST: u64 = 5000 * ITEMS;
    for _ in 0..5 {
        let (rounds, waiting) = (AtomicU64::new(0), OnceLock::new());
        let begun: Vec<_> = (0..ITEMS).map(|_| AtomicBool::new(false)).collect();
        let missing = Arc::new(AtomicU64::new(ITEMS - 1));
        let left = missing.clone();
        let turn = move |item: u64| {
            // Before that, the replicas take many at once.
            if rounds.fetch_add(1, SeqCst) < 100 * ITEMS {
                return Continue(item);
            }
            let is_over = || missing.load(SeqCst) == 0 || rounds.load(SeqCst) >= MOST;
            if *waiting.get_or_init(|| item) == item {
                while !is_over() {
                    yield_now();
                }
            } else if !begun[item as usize].swap(true, SeqCst) {
                missing.fetch_sub(1, SeqCst);
            }
            if is_over() { Break(item) } else { Continue(item) }
        };
        let turn = Arc::new(turn);
        let items = from_iter(0..ITEMS).feedback(|again| again.parallel(2, move |item| turn(item)));
        assert_eq!(items.collect().expect("no stage fails").len() as u64, ITEMS);
        assert_eq!(left.load(SeqCst), 0, "items were not begun while others went round");
    }
}

/// The sink waits until the source is a whole window ahead. Meanwhile the stage at the end of the region
/// waits for room, or for the clock. It has given back all places.
#[test_in(watched)]
fn a_whole_window_while_its_end_waits() {
    for window in [1, 4, 7, 8, 16_u64] {
        for is_paced in [false, true] {
            let (mut pulled, mut pulls) = stream();
            let source = from_iter((0..100_u64).inspect(move |n| pulled.send(*n).expect("it is here")));
            let region = if window < 4 { source.parallel(2, |n| n) } else { second_first(source) };
            let pace = Pace::new(if is_paced { 1e-6 } else { 1e9 }).expect("it can be kept");
            // The region and the way to the sink have equal shares.
            let behind = region.in_order().paced(&pace).in_flight(2 * window as usize);
            let mut seen = 0;
            let done = behind.for_each(|number| {
                while seen < (number + window).min(99) && (!is_paced || number == 0) {
                    seen = pulls.recv().expect("the source is there");
                }
                pace.set(1e9).expect("it can be kept");
            });
            done.expect("no stage fails");
        }
    }
}
