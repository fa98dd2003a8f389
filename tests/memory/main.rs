//! Counts of allocations.
//!
//! Each thread counts its own, so that tests may run in parallel. A thread keeps a few small pipes that it
//! has freed, and makes its next ones there. Counts must not depend on what the thread did before, so it
//! keeps as much as it can when a count begins: then a small pipe allocates nothing, and what is freed goes
//! where it came from. `kept` has the counts of threads that keep nothing yet.

mod acceptance;
mod bounded;
mod empty_blocks;
mod inherited;
mod kept;
mod sets;
mod streams;
mod turns;
mod unbounded;

use allocation_counter::{AllocationInfo, measure};
use pipes_tests::KEEPS;
use std::sync::Barrier;

/// What a small pipe allocates during a count.
const PIPE: u64 = if KEEPS { 0 } else { 1 };

/// Returns the action's result, and what this thread allocated during the action, with as many pipes kept as
/// the thread can keep.
fn counting<T>(action: impl FnOnce() -> T) -> (T, AllocationInfo) {
    wait_once();
    fill();
    let mut given = None;
    let info = measure(|| given = Some(action()));
    (given.expect("the action was run"), info)
}

/// Waits once: a thread's first wait allocates what all its later waits use. This one ends at once, and needs
/// no time that a busy machine could take away.
fn wait_once() {
    let (mut chan, port) = pipes::shared_stream::<()>();
    drop(port);
    chan.wait_closed();
}

/// Frees more pipes of each size than the thread keeps.
fn fill() {
    fn free_many<const BYTES: usize>() {
        drop([(); 40].map(|()| pipes::oneshot::<[u8; BYTES]>()));
    }
    free_many::<0>();
    free_many::<32>();
    free_many::<64>();
    free_many::<96>();
    free_many::<128>();
    free_many::<160>();
    free_many::<192>();
}

/// Asserts that the action allocates nothing, and frees nothing either.
#[track_caller]
fn without_allocating<T>(action: impl FnOnce() -> T) -> T {
    both_without_allocating(&Barrier::new(1), action)
}

/// Asserts the same of two threads that wake each other. Both call it, and neither returns before both have
/// counted: a thread that ends while the other one still wakes it leaves its waker to be freed there.
#[track_caller]
fn both_without_allocating<T>(both: &Barrier, action: impl FnOnce() -> T) -> T {
    let (given, info) = counting(action);
    both.wait();
    assert_eq!((info.count_total, info.bytes_current), (0, 0), "{info:?}");
    given
}
