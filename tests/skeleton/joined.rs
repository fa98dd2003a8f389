//! Stages without a thread of their own.

use pipes_skeleton::{
    BoxError, Cancel, FailureKind, Metrics, Part, Pipeline, PostError, from_iter, merge, posted,
};
use pipes_tests::{DropCounter, test_in, watched};
use std::collections::BTreeSet;
use std::ops::ControlFlow::{Break, Continue};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// The names of the threads that have run a stage.
#[derive(Clone, Default)]
struct Names(Arc<Mutex<BTreeSet<String>>>);

impl Names {
    fn note(&self) {
        let name = thread::current().name().unwrap_or("none").to_owned();
        self.0.lock().expect("no panic").insert(name);
    }

    /// A function that passes items on and notes its thread.
    fn noting(&self) -> impl FnMut(u64) -> u64 + Send + use<> {
        let names = self.clone();
        move |n| {
            names.note();
            n
        }
    }

    /// Returns the names, and forgets them.
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().expect("no panic")).into_iter().collect()
    }
}

fn items() -> Pipeline<u64> {
    from_iter(0..100_u64)
}

fn sum(pipeline: Pipeline<u64>) -> u64 {
    pipeline.fold(0, |sum, n| sum + n).expect("no stage fails")
}

/// The function runs in the thread of the stage before it.
#[test_in(watched)]
fn the_thread_of_the_stage_before() {
    type Make = fn(&Names) -> Pipeline<u64>;
    let makes: [(Make, &[&str]); 9] = [
        (|names| items().map(names.noting()), &["source"]),
        (|names| items().filter(|_| true).map(names.noting()).inspect(|_| ()), &["source"]),
        (|names| items().sequential(|n| n).named("a").map(names.noting()), &["a"]),
        (|names| items().parallel(2, |n| n).named("a").map(names.noting()), &["a"]),
        (|names| items().parallel(2, |n| n).named("a").in_order().map(names.noting()), &["stage 2"]),
        (|names| items().concurrent(2, |n| async move { n }).named("a").map(names.noting()), &["a"]),
        (|names| items().farm(1, |part| part.map(names.noting())).named("a"), &["a"]),
        (
            |names| {
                let part = |part: Pipeline<u64, Part>| part.sequential(|n| n).named("a").map(names.noting());
                items().farm(2, part)
            },
            &["a"],
        ),
        (|names| merge([items(), from_iter([])]).named("a").map(names.noting()), &["a"]),
    ];
    for (number, (make, expected)) in makes.into_iter().enumerate() {
        let names = Names::default();
        let sum = sum(make(&names));
        assert_eq!((sum, names.take()), (4950, expected.iter().map(|name| (*name).to_owned()).collect()));
        assert!(number < 9);
    }
    let names = Names::default();
    let running = posted(|items| items.map(names.noting())).expect("it can be run");
    let here = thread::Builder::new().name("poster".to_owned());
    let posting = here.spawn(move || (0..9).for_each(|n| running.post(n).expect("no stage fails")));
    posting.expect("there is a thread").join().expect("no panic");
    assert_eq!(names.take(), ["poster"]);
}

/// The plan tells the number of threads before the pipeline runs.
#[test]
fn the_plan_tells_the_threads() {
    let shapes: [(Pipeline<u64>, usize); 10] = [
        (items().map(|n| n).filter(|_| true), 1),
        (items().sequential(|n| n).map(|n| n), 2),
        (items().parallel(3, |n| n).map(|n| n).in_order(), 4),
        (items().parallel(3, |n| n).in_order().map(|n| n), 5),
        (items().parallel(3, |n| n).keyed(2, |n| *n, |n| n), 6),
        (items().parallel(3, |n| n).in_order().keyed(2, |n| *n, |n| n), 7),
        (items().farm(2, |part| part.sequential(|n| n).parallel(2, |n| n).map(|n| n)), 7),
        (merge([items()]), 1),
        (merge([items().parallel(2, |n| n), items()]), 5),
        (items().concurrent(9, |n| async move { n }), 2),
    ];
    for (number, (pipeline, threads)) in shapes.into_iter().enumerate() {
        assert_eq!(pipeline.explain().threads(), threads, "shape {number}");
    }
    let mut replicas = [5, 1].into_iter();
    let different = items().farm(2, |part| part.parallel(replicas.next().expect("there are two"), |n| n));
    assert_eq!(different.explain().threads(), 1 + 5 + 1);
    let gathered = items().parallel(2, |n| n).keyed(2, |n| *n, |n| n);
    assert_eq!(gathered.explain().regions(), 2);
    let lines = gathered.in_flight(30).explain().to_string();
    assert_eq!(lines.matches("at most 15 items").count(), 2, "{lines}");
    let farms = items().named("read").farm(2, |part| part.sequential(|n| n).named("a").map(|n| n).named("b"));
    let farms = farms.in_order().in_flight_bytes(9, |_| 1).sequential(|n| n).named("write");
    let picture = "\
read   1 thread
  |
a      2 threads
  +
b      in the threads of a
  |    at most 4 bytes on the way, in order from here
write  1 thread
  |    at most 4 bytes on the way
sink   the calling thread
";
    assert_eq!(farms.explain().to_string(), picture);
}

/// In a region, the function gets one item at a time, and the order can still be restored.
#[test_in(watched)]
fn one_item_at_a_time() {
    let busy = Arc::new(Mutex::new(()));
    let counted = items().parallel(4, |n| n).map(move |n| {
        let _alone = busy.try_lock().expect("one item at a time");
        thread::yield_now();
        n
    });
    let all = counted.filter(|n| n % 3 > 0).flat_map(|n| [n, n]).in_order().collect();
    let expected = (0..100).filter(|n| n % 3 > 0).flat_map(|n| [n, n]);
    assert!(all.expect("no stage fails").into_iter().eq(expected));
    let rounds = items().feedback(|again| {
        let odd = again.parallel(2, |n| n).map(|n| if n % 2 == 1 { Break(n) } else { Continue(n + 1) });
        odd.filter(|_| true)
    });
    assert!(rounds.in_order().collect().expect("no stage fails").iter().all(|n| n % 2 == 1));
}

/// A failure is that of the function's own stage, wherever it runs.
#[test_in(watched)]
fn its_own_failures() {
    type Before = fn(Pipeline<u64>) -> Pipeline<u64>;
    let befores: [Before; 5] = [
        |items| items,
        |items| items.sequential(|n| n),
        |items| items.parallel(3, |n| n),
        |items| items.parallel(3, |n| n).in_order(),
        |items| items.parallel(3, |n| n).keyed(2, |n| *n, |n| n),
    ];
    for before in befores {
        let drops = DropCounter::new();
        let made = drops.clone();
        let failing = before(items()).named("before").map(move |n| made.make(n));
        let failing = failing.try_map(|item| if item.number == 50 { Err("fifty") } else { Ok(item) });
        let failure = failing.named("check").map(|item| item).collect().expect_err("it fails");
        assert_eq!(failure.to_string(), "check failed: fifty");
        assert!(failure.stuck().is_empty());
        drops.assert_all_dropped();

        let panics = before(items()).inspect(|n| assert!(*n != 50, "fifty")).named("look");
        let failure = panics.map(|n| n).for_each(drop).expect_err("it panics");
        assert_eq!(failure.to_string(), "look panicked: fifty");
    }
    for before in [befores[0], befores[3]] {
        // Results without end. In a region without order they would come together, and never.
        let endless = before(items()).flat_map(|_| 0_u64..).named("endless");
        let mut enough = 0;
        let failure = endless.for_each(|n| {
            enough += n;
            assert!(enough < 1000, "enough");
        });
        assert_eq!(failure.expect_err("it has no other end").stage(), "sink");
    }
}

/// In a region, the results of an item stay together. A stop ends results without end, wherever they are
/// made.
#[test_in(watched)]
fn results_without_end_in_a_region() {
    let cancel = Cancel::new();
    let cancels = cancel.clone();
    let endless = items().parallel(2, |n| n).flat_map(move |_| {
        let cancels = cancels.clone();
        (0_u64..).inspect(move |n| {
            if *n == 1000 {
                cancels.cancel()
            }
        })
    });
    let failure = endless.cancelled_by(&cancel).for_each(drop).expect_err("it was cancelled");
    assert!(failure.stuck().is_empty(), "{failure}");
}

/// A stop is noticed where items without end vanish.
#[test_in(watched)]
fn items_without_end_that_vanish() {
    let cancel = Cancel::new();
    let cancels = cancel.clone();
    let endless = items().flat_map(|_| 0_u64..).filter(move |n| {
        if *n == 1000 {
            cancels.cancel();
        }
        false
    });
    let failure = endless.cancelled_by(&cancel).for_each(drop).expect_err("it was cancelled");
    assert!(failure.stuck().is_empty(), "{failure}");
}

/// An item whose stage fails during a post counts as posted.
#[test_in(watched)]
fn failures_during_a_post() {
    let fails = |items: Pipeline<u64>| items.try_map(|n| if n == 2 { Err("two") } else { Ok(n) });
    let running = posted(fails).expect("it can be run");
    assert_eq!([1, 2, 3].map(|n| running.post(n)), [Ok(()), Ok(()), Err(PostError::Ended(3))]);
    let failure = running.collect().expect_err("it has failed");
    assert!(matches!(failure.kind(), FailureKind::Error(error) if is_text(error, "two")));
    // The results of an item wait for room, as long as it takes.
    let running = posted(|items: Pipeline<u64>| items.in_flight(2).flat_map(|n| 0..n));
    let running = running.expect("it can be run");
    (0..50).for_each(|n| running.post(n).expect("no stage fails"));
    assert_eq!(running.collect().expect("no stage fails").len(), 49 * 50 / 2);
}

/// A post waits for the room of its item before a function that has joined the source gets it. The size of
/// the item is part of that, and so is a failure of the function that returns it.
#[test_in(watched)]
fn posts_of_sized_items() {
    let (go, gate) = std::sync::mpsc::channel::<()>();
    let sized = |items: Pipeline<u64>| items.in_flight_bytes(20, |n| 10 / (10 - *n) as usize);
    let running = posted(|items| {
        let blocks = move |n| {
            let _ = gate.recv();
            n
        };
        sized(items).map(|n| n).sequential(blocks)
    });
    let running = running.expect("it can be run");
    // Each of the two regions has room for 10.
    assert_eq!(running.post(9), Ok(()));
    assert_eq!(running.try_post(9), Err(PostError::Full(9)));
    assert_eq!(running.post_timeout(5, Duration::from_millis(1)), Err(PostError::Full(5)));
    drop(go);
    assert_eq!(running.post(5), Ok(()));
    assert_eq!(running.post(10), Err(PostError::Ended(10)), "the size cannot be computed");
    assert_eq!(running.collect().expect_err("it panicked").stage(), "source");
}

fn is_text(error: &BoxError, text: &str) -> bool {
    error.to_string() == text
}

/// A stage without a thread has a row of its own in the report.
#[test_in(watched)]
fn its_own_measurements() {
    let metrics = Metrics::new();
    let odd = items().map(|n| n + 1).named("map").parallel(2, |n| n).named("farm");
    let odd = odd.filter(|n| n % 2 == 1).named("odd").in_order().measured(&metrics);
    assert_eq!(sum(odd), 2500);
    let report = metrics.report();
    let rows: Vec<_> =
        report.stages().iter().map(|row| (row.name(), row.replicas().len(), row.items())).collect();
    assert_eq!(rows, [("source", 1, 100), ("map", 1, 100), ("farm", 2, 100), ("odd", 1, 100)]);
}
