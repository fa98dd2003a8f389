//! The smallest pipelines, with one race each and ten times as many schedules.

use crate::counted::{Counted, DropCounter};
use crate::explore_times;
use pipes_skeleton::{Cancel, FailureKind, from_fn, from_iter, try_from_iter};
use shuttle::thread;

/// Runs a model of a few items, all of which must be dropped exactly once.
fn race(run: impl Fn(&DropCounter) + Copy + Send + Sync + 'static) {
    explore_times(10, move || {
        let drops = DropCounter::new();
        run(&drops);
        drops.assert_all_dropped();
    });
}

/// Makes two items.
fn two(drops: &DropCounter) -> [Counted; 2] {
    [drops.make(0), drops.make(1)]
}

/// A stage sends its items with a single permit, and ends.
#[test]
fn one_permit() {
    race(|drops| {
        let items = from_iter(two(drops)).in_flight(1).collect().expect("nothing fails");
        assert_eq!(items.len(), 2);
    });
}

/// The caller drops the iterator. This ends the source, which waits for a permit or is about to.
#[test]
fn the_iterator_is_dropped() {
    race(|drops| {
        let mut items = from_iter(two(drops)).in_flight(1).into_iter();
        assert!(items.next().is_some_and(|item| item.is_ok()));
    });
}

/// Two replicas share the items of one source.
#[test]
fn two_replicas() {
    race(|drops| {
        let items = from_iter(two(drops)).in_flight(2).parallel(2, |item| item).collect();
        assert_eq!(items.expect("nothing fails").len(), 2);
    });
}

/// The sink waits for an item that never comes. It must get the failure, and no thread may be left.
#[test]
fn the_source_fails() {
    race(|drops| {
        let items = [Ok(drops.make(0)), Err("none")];
        let failure = try_from_iter(items).collect().expect_err("the second item is an error");
        assert!(matches!(failure.kind(), FailureKind::Error(_)));
        assert!(failure.stuck().is_empty());
    });
}

/// The source waits for a permit when the sink fails.
#[test]
fn the_sink_fails() {
    race(|drops| {
        let cancel = Cancel::new();
        let ended = from_iter(two(drops)).in_flight(1).cancelled_by(&cancel).for_each(|_| cancel.cancel());
        assert!(ended.is_err_and(|failure| failure.stuck().is_empty()));
    });
}

/// Another thread cancels the pipeline at any time. It fails as cancelled, or has all results.
#[test]
fn cancelled() {
    race(|drops| {
        let (cancel, mut item) = (Cancel::new(), Some(drops.make(0)));
        let canceller = thread::spawn({
            let cancel = cancel.clone();
            move || cancel.cancel()
        });
        match from_fn(move || item.take()).cancelled_by(&cancel).collect() {
            Ok(items) => assert_eq!(items.len(), 1),
            Err(failure) => {
                assert!(matches!(failure.kind(), FailureKind::Cancelled) && failure.stuck().is_empty());
            }
        }
        canceller.join().expect("no panic here");
    });
}
