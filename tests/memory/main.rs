//! Allocations, counted.
//!
//! Each thread counts its own, so that tests may run side by side.
#![cfg(not(pipes_loom))]

mod acceptance;
mod bounded;
mod inherited;
mod turns;
mod unbounded;

use allocation_counter::{AllocationInfo, measure};

/// What the action gives, and what its thread allocated for it.
fn counting<T>(action: impl FnOnce() -> T) -> (T, AllocationInfo) {
    let mut given = None;
    let info = measure(|| given = Some(action()));
    (given.expect("the action was run"), info)
}

/// Asserts that the action allocates nothing, and frees nothing either.
#[track_caller]
fn without_allocating<T>(action: impl FnOnce() -> T) -> T {
    let (given, info) = counting(action);
    assert_eq!((info.count_total, info.bytes_current), (0, 0), "{info:?}");
    given
}
