//! The function that chooses the replica for an item of a posted pipeline runs in the thread that posts. It
//! may itself print the pipeline, post to it or end it; none of this may deadlock.

use pipes_skeleton::{Pipeline, PostError, Posted, posted};
use pipes_tests::watched;
use std::cell::RefCell;

thread_local! {
    static RUNNING: RefCell<Option<Posted<u32, u32>>> = const { RefCell::new(None) };
}

fn with_running<R>(then: impl FnOnce(&Posted<u32, u32>) -> R) -> Option<R> {
    RUNNING.with_borrow(|running| running.as_ref().map(then))
}

fn post_with(look: fn(&Posted<u32, u32>)) {
    watched(move || {
        let running = posted(|items: Pipeline<u32>| {
            let key = move |number: &u32| {
                if *number == 0 {
                    with_running(look);
                }
                *number
            };
            items.keyed(2, key, |number| number)
        });
        RUNNING.set(Some(running.expect("it can be run")));
        with_running(|running| running.post(0).expect("no stage fails"));
        let running = RUNNING.take().expect("it is there");
        running.collect().expect("the library does not panic");
    });
}

#[test]
fn looks() {
    post_with(|running| assert!(!format!("{running:?}").is_empty()));
}

#[test]
fn posts() {
    post_with(|running| {
        assert_eq!(running.try_post(1), Err(PostError::Full(1)));
        assert_eq!(running.post(1), Err(PostError::Full(1)));
    });
}

#[test]
fn ends() {
    post_with(|running| {
        running.end();
        assert_eq!(running.post(1), Err(PostError::Full(1)));
    });
}
