//! A stage panics after it has emitted an item whose destructor panics, too. This must be a failure of the
//! pipeline, and not the end of the process. Each test runs in its own process.
#![cfg(not(miri))]

use pipes_skeleton::{Pipeline, Processed, Stage, from_iter};
use pipes_tests::{apart, watched};
use std::mem::forget;

struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("the item goes");
    }
}

struct EmitsAndPanics;

impl Stage<u32> for EmitsAndPanics {
    type Out = Bomb;

    fn process(&mut self, _: u32, emit: &mut impl FnMut(Bomb) -> Processed) -> Processed {
        emit(Bomb)?;
        panic!("the stage fails")
    }
}

/// Runs the pipeline in its own process.
fn fails(stages: impl FnOnce(Pipeline<u32>) -> Pipeline<Bomb> + Send + 'static) {
    apart(|| watched(move || assert!(stages(from_iter(0..1)).for_each(forget).is_err())));
}

#[test]
fn of_a_sequential_stage() {
    fails(|items| items.stage(EmitsAndPanics));
}

#[test]
fn of_a_replica() {
    fails(|items| items.parallel_with(2, |_| EmitsAndPanics));
}
