//! Counts of allocations.
//!
//! Each thread counts its own, so that tests may run in parallel. A thread keeps a few small pipes that it
//! has freed, and makes its next ones there. Counts must not depend on what the thread did before, so it
//! keeps as much as it can when a count begins: then a small pipe allocates nothing, and what is freed goes
//! where it came from. `kept` has the counts of threads that keep nothing yet.

mod bounded;
mod closing;
mod empty_blocks;
mod first_state;
mod kept;
mod sets;
mod threads;
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

/// Asserts that all memory comes back that the action allocates.
#[track_caller]
fn assert_all_comes_back(action: impl FnOnce()) {
    let ((), info) = counting(action);
    assert_eq!((info.count_current, info.bytes_current), (0, 0), "{info:?}");
}

/// Asserts that tasks allocate the same for a few rounds as for many.
#[track_caller]
fn same_for_few_and_many<F: Future<Output = ()>>(rounds: impl Fn(u64) -> F) {
    let allocations = |count| counting(|| futures::executor::block_on(rounds(count))).1;
    // The executor keeps memory for the thread.
    allocations(200);
    let (few, many) = (allocations(1_000), allocations(100_000));
    assert_eq!(few.bytes_current, 0, "all memory comes back");
    assert_eq!((few.count_total, few.bytes_max), (many.count_total, many.bytes_max));
    assert_eq!(many.bytes_current, 0, "all memory comes back");
}
