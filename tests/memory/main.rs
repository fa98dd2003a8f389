//! Counts of allocations.
//!
//! Each thread counts its own, so that tests may run in parallel.

mod acceptance;
mod bounded;
mod inherited;
mod sets;
mod streams;
mod turns;
mod unbounded;

use allocation_counter::{AllocationInfo, measure};
use std::time::Duration;

/// Returns the action's result, and what this thread allocated during the action.
fn counting<T>(action: impl FnOnce() -> T) -> (T, AllocationInfo) {
    sleep_once();
    let mut given = None;
    let info = measure(|| given = Some(action()));
    (given.expect("the action was run"), info)
}

/// Sleeps once: a thread's first sleep allocates what all its later sleeps use.
fn sleep_once() {
    let (_silent, port) = pipes::oneshot::<()>();
    assert!(port.recv_timeout(Duration::from_millis(1)).is_err(), "nobody sends");
}

/// Asserts that the action allocates nothing, and frees nothing either.
#[track_caller]
fn without_allocating<T>(action: impl FnOnce() -> T) -> T {
    let (given, info) = counting(action);
    assert_eq!((info.count_total, info.bytes_current), (0, 0), "{info:?}");
    given
}
