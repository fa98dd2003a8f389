//! Items that can only be processed together. No item that is ready may wait for a replica, or for a future,
//! that is busy with another item.

use pipes::oneshot;
use pipes_skeleton::{Pipeline, from_iter};
use pipes_tests::{effort, watched};
use std::sync::{Arc, Barrier, Mutex};

const PAIRS: u64 = effort(300) as u64;

/// Passes most items on at once. Now and then two consecutive items wait until both are being processed.
fn work(both: Arc<Barrier>) -> impl FnMut(u64) -> u64 + Clone + Send + 'static {
    move |number| {
        if number % 97 < 2 {
            both.wait();
        }
        number
    }
}

fn in_pairs(name: &str, farm: impl FnOnce(Pipeline<u64>, Arc<Barrier>) -> Pipeline<u64>) {
    let both = Arc::new(Barrier::new(2));
    let items = PAIRS * 97;
    let done = farm(from_iter(0..items).window(3), both).collect().expect("no stage fails");
    assert_eq!(done.len() as u64, items, "{name}");
}

#[test]
fn pairs_in_a_farm() {
    watched(|| in_pairs("a farm", |items, both| items.parallel(2, work(both))));
}

#[test]
fn pairs_in_a_farm_in_order() {
    watched(|| in_pairs("in order", |items, both| items.parallel(2, work(both)).in_order()));
}

#[test]
fn pairs_in_a_second_farm() {
    watched(|| {
        in_pairs("two farms", |items, both| items.parallel(3, |number| number).parallel(2, work(both)))
    });
}

#[test]
fn pairs_in_a_farm_of_pipelines() {
    watched(|| {
        in_pairs("a farm of pipelines", |items, both| {
            items.farm(2, move |share| share.sequential(work(both.clone())).sequential(|number| number))
        });
    });
}

/// More replicas than are needed, so that most of them sleep.
#[test]
fn pairs_in_a_wide_farm() {
    watched(|| in_pairs("a wide farm", |items, both| items.window(9).parallel(8, work(both)).in_order()));
}

#[test]
fn pairs_of_futures() {
    watched(|| {
        in_pairs("futures", |items, _| {
            // The first of a pair puts its sender here and waits; the second one sends to it.
            let waiting = Arc::new(Mutex::new(None));
            items.concurrent(2, move |number| {
                let waiting = waiting.clone();
                async move {
                    if number % 97 == 0 {
                        let (chan, port) = oneshot();
                        let before = waiting.lock().expect("no future panics").replace(chan);
                        assert!(before.is_none());
                        assert_eq!(port.await, Ok(number + 1));
                    } else if number % 97 == 1 {
                        let chan = waiting.lock().expect("no future panics").take();
                        // The item that comes first is begun first, so its sender is there.
                        chan.expect("it waits").send(number).expect("it waits");
                    }
                    number
                }
            })
        });
    });
}
