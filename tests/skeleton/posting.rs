//! Items that are posted by hand.

use pipes_skeleton::{Pipeline, PostError, posted};
use pipes_tests::{test_in, watched};
use std::sync::mpsc;
use std::time::Duration;

/// Nothing is accepted beyond the window, by any way of posting; refused items are returned.
#[test]
fn a_full_pipeline_refuses() {
    for direct in [false, true] {
        watched(move || {
            let (go, gate) = mpsc::channel::<()>();
            let block = move |n: u64| {
                let _ = gate.recv();
                n
            };
            let running = posted(|items: Pipeline<u64>| {
                if direct {
                    items.in_flight(6).sequential(block)
                } else {
                    items.in_flight(3).parallel(1, |n| n).sequential(block)
                }
            });
            let running = running.expect("it can be run");
            let taken = (0..100).take_while(|n| running.try_post(*n).is_ok()).count();
            assert_eq!(taken, 3);
            assert_eq!(running.try_post(7), Err(PostError::Full(7)));
            assert_eq!(running.post_timeout(8, Duration::from_millis(2)), Err(PostError::Full(8)));
            drop(go);
            assert_eq!(running.post(3), Ok(()));
            assert_eq!(running.collect().expect("none fails"), [0, 1, 2, 3]);
        });
    }
}

#[test_in(watched)]
fn after_the_end_nothing_is_taken() {
    let mut running = posted(|items: Pipeline<u64>| items.sequential(|n| n)).expect("it can be run");
    running.post(1).expect("it runs");
    running.end();
    assert_eq!(running.post(2), Err(PostError::Ended(2)));
    assert_eq!(running.try_post(2), Err(PostError::Ended(2)));
    running.end_and_wait().expect("none fails");
    assert_eq!(running.collect().expect("none fails"), [1]);
}
