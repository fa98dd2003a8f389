//! The first stage of a posted pipeline posts more items, as a crawler does, and owns the last handle. It
//! ends the input, or drops the handle. Dropping a handle "ends it as `end_and_wait` does"; in a stage it
//! cannot wait, but the items that were posted must not be lost.

use pipes::{oneshot, stream};
use pipes_skeleton::{Posted, posted};
use pipes_tests::watched;
use std::sync::{Arc, Mutex};

type Place = Arc<Mutex<Option<Posted<u64, ()>>>>;

/// Posts 9; the first stage posts 8 and so on, and calls `last` at 0. The second stage begins only after
/// that.
fn all_come_out(mut last: impl FnMut(&Place) + Send + 'static) {
    watched(move || {
        let (mut out, port) = stream();
        let (go, gone) = oneshot::<()>();
        let (mut go, mut gone) = (Some(go), Some(gone));
        let place = Place::default();
        let inside = place.clone();
        let running = posted(move |numbers| {
            numbers
                .sequential(move |number: u64| {
                    if number > 0 {
                        let place = inside.lock().expect("no thread panics with it");
                        assert!(place.as_ref().is_some_and(|handle| handle.post(number - 1).is_ok()));
                    } else {
                        last(&inside);
                        drop(go.take());
                    }
                    number
                })
                .sequential(move |number| {
                    if let Some(gone) = gone.take() {
                        assert!(gone.recv().is_err(), "nothing is said");
                    }
                    out.send(number).expect("it is waited for");
                })
        });
        let mut handle = place.lock().expect("no thread panics with it");
        let running = handle.insert(running.expect("it can be run"));
        running.post(9).expect("no stage fails");
        drop(handle);
        drop(place);
        assert_eq!(port.into_iter().collect::<Vec<_>>(), [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    });
}

#[test]
fn that_is_ended() {
    all_come_out(|place| {
        if let Some(handle) = &*place.lock().expect("no thread panics with it") {
            handle.end();
        }
    });
}

#[test]
fn that_is_dropped() {
    all_come_out(|place| {
        let handle = place.lock().expect("no thread panics with it").take();
        drop(handle);
    });
}

/// An item that owns a handle of its pipeline, so that a stage can post the items that follow from it. The
/// pipeline ends when no item is left that owns the handle.
struct Job {
    handle: Arc<Mutex<Posted<Job, ()>>>,
    number: u64,
}

#[test]
fn that_its_items_have() {
    watched(|| {
        let (mut out, port) = stream();
        let (go, gone) = oneshot::<()>();
        let (mut go, mut gone) = (Some(go), Some(gone));
        let running = posted(move |jobs| {
            jobs.sequential(move |Job { handle, number }| {
                if number > 0 {
                    let next = Job { handle: handle.clone(), number: number - 1 };
                    assert!(handle.lock().expect("no thread panics with it").post(next).is_ok());
                } else {
                    drop(handle);
                    drop(go.take());
                }
                number
            })
            .sequential(move |number| {
                if let Some(gone) = gone.take() {
                    assert!(gone.recv().is_err(), "nothing is said");
                }
                out.send(number).expect("it is waited for");
            })
        });
        let handle = Arc::new(Mutex::new(running.expect("it can be run")));
        let first = Job { handle: handle.clone(), number: 9 };
        assert!(handle.lock().expect("no thread panics with it").post(first).is_ok());
        drop(handle);
        assert_eq!(port.into_iter().collect::<Vec<_>>(), [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    });
}
