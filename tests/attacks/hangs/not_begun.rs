//! A replica has taken items that it has not begun, because it is busy with an item that waits for them. A
//! replica that is free must begin them.

use pipes_skeleton::{flat_map, from_iter};
use pipes_tests::watched;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Barrier, OnceLock};
use std::thread::yield_now;

/// The source ends after this many items.
const ITEMS: u64 = 20_000;
/// The first item from this number on waits for the item after it.
const FIRST: u64 = 2000;
/// More items than a replica takes at once.
const AHEAD: u64 = 200;

/// Returns how many items had left the source when the second of two items was begun that wait for each
/// other. Each other item waits until [`AHEAD`] more items have left the source, so that the replicas never
/// run out of items.
fn pulled_when_together() -> u64 {
    let pulled = Arc::new(AtomicU64::new(0));
    let counted = pulled.clone();
    let both = Arc::new(Barrier::new(2));
    let (first, together) = (Arc::new(OnceLock::new()), Arc::new(OnceLock::new()));
    let met = together.clone();
    let source = from_iter((0..ITEMS).inspect(move |_| {
        counted.fetch_add(1, Ordering::SeqCst);
    }));
    let farm = source.window(1024).parallel(2, move |number| {
        if number >= FIRST {
            let first = *first.get_or_init(|| number);
            if number == first + 1 {
                met.set(pulled.load(Ordering::SeqCst)).expect("it is begun once");
            }
            if number == first || number == first + 1 {
                both.wait();
            }
        }
        while pulled.load(Ordering::SeqCst) < (number + AHEAD).min(ITEMS) {
            yield_now();
        }
        number
    });
    farm.for_each(drop).expect("no stage fails");
    *together.get().expect("all items were worked on")
}

/// The item must be begun before the source has ended, because a source may have no end.
#[test]
fn the_next_item_of_a_run() {
    watched(|| {
        for round in 0..10 {
            let pulled = pulled_when_together();
            assert!(pulled < ITEMS, "in round {round} the next item was begun when the source had ended");
        }
    });
}

/// The futures of two items into which one item was divided must be begun, too.
#[test]
fn the_next_future_of_several() {
    watched(|| {
        let (go, goes) = pipes::oneshot();
        let mut goes = Some(goes);
        let mut go = Some(go);
        let twice = from_iter(0..1_u64).parallel_with(1, |_| flat_map(|number| [number, number + 1]));
        let done = twice.concurrent(2, move |number| {
            let waits_for = if number == 0 { goes.take() } else { None };
            let lets_go = if number == 1 { go.take() } else { None };
            async move {
                if let Some(goes) = waits_for {
                    goes.await.expect("the other one lets it go");
                }
                if let Some(go) = lets_go {
                    go.send(()).expect("the other one waits");
                }
                number
            }
        });
        assert_eq!(done.collect().expect("no stage fails"), [0, 1]);
    });
}
