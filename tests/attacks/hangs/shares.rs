//! Items of a farm that need each other. A replica whose first stage is busy is not free, so another replica
//! must take the next item.

use pipes::{ChanOne, oneshot};
use pipes_skeleton::{Pipeline, from_iter};
use pipes_tests::watched;
use std::sync::{Arc, Barrier, Mutex};

const ITEMS: usize = 300;

/// Runs a farm in which each item waits until another one is begun.
fn in_pairs(farm: impl FnOnce(Pipeline<usize>, Arc<Barrier>) -> Pipeline<usize>) {
    let done = farm(from_iter(0..ITEMS), Arc::new(Barrier::new(2))).collect().expect("no stage fails");
    assert_eq!(done.len(), ITEMS);
}

/// Both items of a pair block, so both replicas are needed.
#[test]
fn pairs_in_two_replicas() {
    watched(|| {
        in_pairs(|items, both| {
            items.farm(2, |share| {
                let both = both.clone();
                share.sequential(move |number| {
                    both.wait();
                    number
                })
            })
        });
    });
}

/// Waits for the other item of a pair, without blocking the thread.
async fn meet(waiting: Arc<Mutex<Option<ChanOne<()>>>>) {
    let (chan, port) = oneshot();
    let before = {
        let mut waiting = waiting.lock().expect("no future panics");
        let before = waiting.take();
        if before.is_none() {
            *waiting = Some(chan);
        }
        before
    };
    match before {
        Some(other) => other.send(()).expect("the other one waits"),
        None => port.await.expect("the other one comes"),
    }
}

fn async_pairs(at_a_time: usize) {
    let waiting = Arc::new(Mutex::new(None));
    let done = from_iter(0..ITEMS).farm(1, |share| {
        let waiting = waiting.clone();
        share.concurrent(at_a_time, move |number| {
            let meeting = meet(waiting.clone());
            async move {
                meeting.await;
                number
            }
        })
    });
    assert_eq!(done.collect().expect("no stage fails").len(), ITEMS);
}

/// Futures, two of which run in one replica.
#[test]
fn pairs_of_futures_in_one_replica() {
    watched(|| async_pairs(2));
}
