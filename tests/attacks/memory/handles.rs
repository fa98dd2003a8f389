//! Handles of pipelines are dropped in the pipeline's own code, by a panic there, or with an item that owns
//! them in a later stage. Each value must be dropped once, and nothing may be left of the run. A result or a
//! failure that owns the handle of its own run keeps itself alive, as a thread's result does that owns its
//! own `JoinHandle`.

use pipes_skeleton::{Pipeline, Posted, posted};
use pipes_tests::{Counted, Tally, watched};
use std::fmt;
use std::panic::panic_any;
use std::sync::{Arc, Mutex};
use std::thread;

type Place<T> = Arc<Mutex<Option<T>>>;

fn take<T>(place: &Place<T>) -> Option<T> {
    place.lock().expect("nothing panics behind the lock").take()
}

/// An item that may own the handle of its pipeline.
struct Item(Counted, Option<Box<Posted<Item, Item>>>);

/// How the handle is dropped.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    /// A stage drops it.
    Dropped,
    /// A stage panics while it owns it.
    Unwound,
    /// A stage calls `end` and then drops it.
    Ended,
    /// An item owns it, and a later stage drops it.
    InAnItem,
}

fn items(
    items: Pipeline<Item>,
    kind: u64,
    mut f: impl FnMut(Item) -> Item + Clone + Send + 'static,
) -> Pipeline<Item> {
    match kind {
        0 => items.sequential(f),
        1 => items.parallel(2, f),
        2 => items.parallel(2, f).in_order().sequential(|item| item),
        3 => items.keyed(2, |item| item.0.number, f),
        4 => items.farm(2, move |share| share.sequential(f.clone())),
        5 => items.concurrent(2, move |item| std::future::ready(f(item))),
        6 => items.sequential(f).window(1).hand_over(1).parallel(2, |item| item),
        _ => items.flat_map(move |item| [f(item)]),
    }
}

/// Posts three items; the stage finds the handle in its place, surely or perhaps.
fn program(way: Way, kind: u64, surely: bool) -> Tally {
    let tally = Tally::new();
    let place = Place::<Posted<Item, Item>>::default();
    let (inside, maker) = (place.clone(), tally.clone());
    let gate = Arc::new(Mutex::new(()));
    let closed = gate.clone();
    let held = gate.lock().expect("it is fresh");
    let running = posted(|pipeline: Pipeline<Item>| {
        let pipeline = items(pipeline, kind, move |mut item: Item| {
            drop(closed.lock());
            let _local = maker.make(100);
            let Some(handle) = take(&inside) else { return item };
            match way {
                Way::Dropped => drop(handle),
                Way::Unwound => panic_any("on purpose"),
                Way::Ended => handle.end(),
                Way::InAnItem => item.1 = Some(Box::new(handle)),
            }
            item
        });
        pipeline.sequential(move |mut item| {
            if way == Way::InAnItem {
                item.1 = None;
            }
            item
        })
    });
    let running = running.expect("it can be run");
    for number in 0..3 {
        if running.try_post(Item(tally.make(number), None)).is_err() {
            break;
        }
    }
    *place.lock().expect("nothing panics behind the lock") = Some(running);
    drop(held);
    if !surely {
        // The items have found the handle, or it is dropped here.
        drop(take(&place));
    }
    tally
}

fn wait_for_the_end(tally: &Tally, what: impl fmt::Debug) {
    // The watchdog fails the test if that never happens.
    while tally.gone() < tally.made() {
        thread::yield_now();
    }
    assert_eq!(tally.gone(), tally.made(), "{what:?}");
}

#[test]
fn a_handle_in_its_own_stages() {
    watched(|| {
        for way in [Way::Dropped, Way::Unwound, Way::Ended, Way::InAnItem] {
            for kind in 0..8 {
                wait_for_the_end(&program(way, kind, true), (way, kind));
                wait_for_the_end(&program(way, kind, false), (way, kind));
            }
        }
    });
}
