//! Items that are posted by hand.

use pipes_skeleton::{Cause, Pipeline, PostError, posted};
use pipes_tests::{Tally, watched};
use std::sync::mpsc;
use std::time::Duration;

#[test]
fn posted_in_order() {
    watched(|| {
        let running =
            posted(|items: Pipeline<u64>| items.parallel(3, |n| n + 1).in_order()).expect("it can be run");
        (0..2000).for_each(|n| running.post(n).expect("it runs"));
        assert!(running.collect().expect("none fails").into_iter().eq(1..=2000));
    });
}

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
                    items.hand_over(3).sequential(block)
                } else {
                    items.window(3).parallel(1, |n| n).sequential(block)
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

#[test]
fn after_the_end_nothing_is_taken() {
    watched(|| {
        let mut running = posted(|items: Pipeline<u64>| items.sequential(|n| n)).expect("it can be run");
        running.post(1).expect("it runs");
        running.end();
        assert_eq!(running.post(2), Err(PostError::Ended(2)));
        assert_eq!(running.try_post(2), Err(PostError::Ended(2)));
        running.end_and_wait().expect("none fails");
        assert_eq!(running.collect().expect("none fails"), [1]);
    });
}

/// A stage panics while a poster waits for room, or between two posts.
#[test]
fn a_poster_is_told_of_a_panic() {
    watched(|| {
        let tally = Tally::new();
        let running = posted(|items: Pipeline<pipes_tests::Counted>| {
            items.window(4).parallel(2, |item| assert!(item.number != 100, "a hundred")).named("picky")
        });
        let running = running.expect("it can be run");
        let refused = (0..).find_map(|n| running.post(tally.make(n)).err()).expect("it does not end");
        assert!(matches!(refused, PostError::Ended(_)));
        drop(refused);
        let failure = running.collect().expect_err("it has panicked");
        assert_eq!((failure.stage(), failure.panic_message()), ("picky", Some("a hundred")));
        tally.assert_all_gone();
    });
}

#[test]
fn dropped_it_does_what_was_posted() {
    watched(|| {
        let tally = Tally::new();
        let (done, all) = mpsc::channel();
        let running = posted(|items: Pipeline<pipes_tests::Counted>| {
            items.parallel(2, move |item| done.send(item.number).expect("it is counted"))
        });
        let running = running.expect("it can be run");
        (0..300).for_each(|n| running.post(tally.make(n)).expect("it runs"));
        drop(running);
        assert_eq!(all.iter().count(), 300);
        tally.assert_all_gone();
    });
}

#[test]
fn cancelled_by_its_owner() {
    watched(|| {
        let tally = Tally::new();
        let running =
            posted(|items: Pipeline<pipes_tests::Counted>| items.parallel(2, |item| item).in_order());
        let running = running.expect("it can be run");
        (0..100).for_each(|n| running.post(tally.make(n)).expect("it runs"));
        running.cancel();
        assert!(matches!(running.post(tally.make(0)), Err(PostError::Ended(_))));
        assert!(matches!(running.collect().expect_err("cancelled").cause(), Cause::Cancelled));
        tally.assert_all_gone();
    });
}

/// A stage holds the handle of its own pipeline, and drops it: it must not wait for itself.
#[test]
fn dropped_by_a_stage_of_its_own() {
    watched(|| {
        let (hand, handle) = mpsc::channel::<pipes_skeleton::Posted<u64, ()>>();
        let (say, said) = mpsc::channel();
        let running = posted(|items: Pipeline<u64>| {
            items
                .sequential(move |_| {
                    let mut own = handle.recv().expect("it is handed over");
                    say.send(own.end_and_wait().map_err(|failure| failure.to_string())).expect("it is heard");
                })
                .named("ouroboros")
        });
        let running = running.expect("it can be run");
        running.post(1).expect("it runs");
        hand.send(running).map_err(drop).expect("it is taken");
        let heard = said.recv().expect("it says so").expect_err("it cannot");
        assert_eq!(heard, "ouroboros waits for the end of its own pipeline");
    });
}
