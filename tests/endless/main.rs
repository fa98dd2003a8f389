//! Pipelines that run for long use constant memory: that of the items in flight, however many come through.
//!
//! The test has a program of its own, because the allocator counts the memory of all threads together.

use peak_alloc::PeakAlloc;
use pipes_skeleton::{Batching, Metrics, Part, Pipeline, Stage, filter, flat_map, from_iter, merge};
use pipes_tests::{test_in, watched};
use std::ops::ControlFlow::{Break, Continue};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// An item, one kilobyte large.
type Item = Box<[u8; 1024]>;

/// `MANY` items come through each pipeline. At most `REST` kilobytes may be in use besides the items that
/// have places.
const MANY: usize = 100_000;
const REST: usize = 400;

fn items() -> Pipeline<Item> {
    from_iter((0..MANY).map(|n| Box::new([n as u8; 1024])))
}

/// Runs the pipeline, and asserts that there were never more items than it has places.
#[track_caller]
fn assert_constant<T: Send + 'static>(pipeline: Pipeline<T>, places: usize) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let came = pipeline.fold(0, |came, _| came + 1).expect("none fails");
    let most = (MEMORY.peak_usage() - before) / 1024;
    assert!(came > 0 && most <= places + REST, "{most} kB with {places} places");
    let left = MEMORY.current_usage().saturating_sub(before) / 1024;
    assert!(left <= REST, "{left} kB are left");
}

#[test_in(watched)]
fn as_many_items_as_places() {
    assert_constant(items().in_flight(60).sequential(|item| item).sequential(|item| item), 60);
    // Some items are slow: those behind them wait in the window.
    let skewed = |item: Item| {
        (0..if item[0] == 77 { 300 } else { 0 }).for_each(|_| std::thread::yield_now());
        item
    };
    assert_constant(items().in_flight(50).parallel(3, skewed).in_order(), 50);
    assert_constant(
        items().in_flight(50).parallel(2, skewed).parallel(2, |item| item).ordered(|item| item),
        50,
    );
    assert_constant(
        items().parallel(2, skewed).keyed(2, |item| item[0], |item| item).map(|item| item).in_flight(60),
        60,
    );
    assert_constant(items().in_flight(50).round_robin(3, skewed).in_order(), 50);
    let share = |share: Pipeline<Item, Part>| share.sequential(skewed).sequential(|item| item);
    assert_constant(items().in_flight(50).farm(2, share).in_order(), 50);
    let dropped =
        filter(|item: &Item| item[0].is_multiple_of(2)).then(flat_map(|item: Item| [item.clone(), item]));
    assert_constant(items().in_flight(50).parallel_with(2, |_| dropped.clone()).in_order(), 100);
    let again = |again: Pipeline<Item, Part>| {
        again.parallel(2, |mut item| {
            item[0] /= 2;
            if item[0] == 0 { Break(item) } else { Continue(item) }
        })
    };
    assert_constant(items().in_flight(50).feedback(again).in_order(), 50);
    assert_constant(items().in_flight(40).batched(&Batching::of(16)), 40 * 16);
    assert_constant(items().in_flight(50).concurrent(8, |item| async { item }).in_order(), 50);
    assert_constant(merge([items(), items()]).in_flight(60), 60);
    assert_constant(items().in_flight(50).parallel(2, |item| item).measured(&Metrics::new()).in_order(), 50);
    // Larger items are fewer.
    let kilobytes = items().in_flight_bytes(50 << 10, |item| size_of_val(&**item));
    assert_constant(kilobytes.parallel(2, skewed).in_order(), 51);
}
