//! Whole small pipelines, whose threads take turns that are drawn by lot.
//!
//! Run them with `ci/shuttle.sh`. A pipeline has more orders than anybody can try; so each model is run some thousand times, half of
//! them with any thread next at each step, half with threads of few priorities that change rarely, which finds what needs one of
//! them to be late for long. A wait that nobody ends is found at once, without a clock. What single steps may see of each other's memory is
//! not looked at here: that is what the models of `models/loom` are for.
#![cfg(pipes_shuttle)]

// What the tests use besides is dead here.
#[allow(dead_code)]
#[path = "../../tests/support/counted.rs"]
mod counted;
mod endings;
mod memory;
mod order;
mod outside;

use shuttle::{check_pct, check_random};

/// Runs it with many orders.
fn explore(run: impl Fn() + Copy + Send + Sync + 'static) {
    let runs = std::env::var("SHUTTLE_RUNS").map_or(1000, |runs| runs.parse().expect("a number of runs"));
    check_random(run, runs);
    check_pct(run, runs, 3);
}
