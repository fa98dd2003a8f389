//! A posted pipeline whose first stage posts more, as a crawler does, and that has the last handle: it ends the posting, or just goes with it. Dropping a handle
//! "ends it as `end_and_wait` does"; in a stage there is nothing to wait for, but what was posted is not to be lost.

use pipes::skeleton::{Posted, posted};
use pipes::{oneshot, stream};
use pipes_tests::watched;
use std::sync::{Arc, Mutex};

type Place = Arc<Mutex<Option<Posted<u64, ()>>>>;

/// Posts 9, which becomes 8 and so on in the first stage. The second stage begins when the first one has done what it does `last`.
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

/// An item with the handle of its own pipeline, so that a stage can post what follows from it; when no item is left that could, the pipeline ends.
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
