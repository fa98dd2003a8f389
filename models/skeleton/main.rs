//! Shuttle models: small, whole pipelines under a random scheduler.
//!
//! Run them with `ci/shuttle.sh`. A pipeline has too many schedules to try all of them, so each model runs
//! two thousand times, and those of `races` twenty thousand times. In half of the runs, each step is of a
//! random thread. In the other half, threads have random priorities that rarely change, which finds faults
//! that need a thread to be late for long. A wait that no thread ends is found at once, without a timeout.
//!
//! Weak memory orderings are not explored here. Pipelines have two atomics, both of which are hints for what
//! a lock protects. The streams between their stages have models in `models/loom`.
#![cfg(pipes_shuttle)]

// The models do not use all of it. The tests do.
#[allow(dead_code)]
#[path = "../../tests/support/counted.rs"]
mod counted;
mod endings;
mod gathering;
mod joined;
mod memory;
mod order;
mod outside;
mod races;

use shuttle::{check_pct, check_random};

/// Runs a model with many schedules.
fn explore(run: impl Fn() + Copy + Send + Sync + 'static) {
    explore_times(1, run);
}

/// Runs a small model with `times` as many schedules.
fn explore_times(times: usize, run: impl Fn() + Copy + Send + Sync + 'static) {
    let runs = std::env::var("SHUTTLE_RUNS").map_or(1000, |runs| runs.parse().expect("a number of runs"));
    let runs = times * runs;
    check_random(run, runs);
    check_pct(run, runs, 3);
}
