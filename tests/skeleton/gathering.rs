//! Farms whose replicas combine items, and emit at the end.

use pipes::stream;
use pipes_skeleton::{
    BuildError, Cancel, FailureKind, Gather, Metrics, Pipeline, Processed, filter, flat_map, fold, from_iter,
    from_port,
};
use pipes_tests::{DropCounter, test_in, watched};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

/// Adds items. Emits its number and the sum: at the end, and when the sum reaches a limit.
#[derive(Clone)]
struct Sum {
    replica: usize,
    all: u64,
    limit: u64,
}

impl Sum {
    fn of(replica: usize) -> Self {
        Sum { replica, all: 0, limit: u64::MAX }
    }

    fn emit(&mut self, emit: &mut impl FnMut((usize, u64)) -> Processed) -> Processed {
        emit((self.replica, std::mem::take(&mut self.all)))
    }
}

impl Gather<u64> for Sum {
    type Out = (usize, u64);

    fn take(&mut self, item: u64, emit: &mut impl FnMut(Self::Out) -> Processed) -> Processed {
        self.all += item;
        if self.all >= self.limit { self.emit(emit) } else { Ok(()) }
    }

    fn finish(&mut self, emit: &mut impl FnMut(Self::Out) -> Processed) -> Processed {
        self.emit(emit)
    }
}

fn sum(results: &[(usize, u64)]) -> u64 {
    results.iter().map(|(_, sum)| sum).sum()
}

/// Whatever is before the replicas, each item is taken once, and each replica emits once at the end, in its
/// turn.
#[test_in(watched)]
fn each_replica_emits_at_the_end() {
    type Describe = fn(Pipeline<u64>) -> Pipeline<u64>;
    let shapes: [(Describe, u64); 8] = [
        (|items| items, 499_500),
        (|items| items.sequential(|n| n + 1), 500_500),
        (|items| items.parallel(3, |n| n), 499_500),
        (|items| items.parallel(3, |n| n).in_order(), 499_500),
        (|items| items.in_flight(1).parallel(3, |n| n), 499_500),
        (|items| items.parallel_with(3, |_| filter(|n| n % 2 == 0)), 249_500),
        (|items| items.parallel_with(3, |_| flat_map(|n| [n, n])).filter(|_| true), 999_000),
        (|items| items.in_flight(1).farm(2, |share| share.sequential(|n| n).parallel(2, |n| n)), 499_500),
    ];
    for (describe, expected) in shapes {
        for replicas in [1, 2, 5] {
            let results = describe(from_iter(0..1000)).parallel_gather(replicas, Sum::of).collect();
            let results = results.expect("none fails");
            assert!(results.iter().map(|(replica, _)| *replica).eq(0..replicas), "{results:?}");
            assert_eq!(sum(&results), expected);
        }
    }
    let nothing = from_iter(Vec::new()).parallel_gather(3, Sum::of).collect();
    assert_eq!(nothing.expect("none fails"), [(0, 0), (1, 0), (2, 0)]);
}

/// Replicas emit in between as well. The next stages may have replicas, an order and limits of their own.
#[test_in(watched)]
fn replicas_emit_in_between() {
    for room in [1, 256] {
        let sums = from_iter(0..1000)
            .in_flight(room)
            .parallel_gather(3, |replica| Sum { limit: 500, ..Sum::of(replica) });
        let results = sums.parallel(2, |sum| sum).in_order().collect().expect("none fails");
        assert_eq!(sum(&results), 499_500);
        assert!(results.len() > 500, "most items are emitted alone");
        let last: Vec<_> = results[results.len() - 3..].iter().map(|(replica, _)| *replica).collect();
        assert!(last.is_sorted(), "the last ones come in turn: {results:?}");
    }
    let twice = from_iter(0..1000_u64).parallel_gather(3, Sum::of).sequential(|(_, sum)| sum);
    assert_eq!(sum(&twice.parallel_gather(2, Sum::of).collect().expect("none fails")), 499_500);
}

/// Keys stay together and in order, so each run has the same results.
#[test_in(watched)]
fn keys_stay_together() {
    for before in [1, 3] {
        let run = || {
            let items = from_iter(0..1000_u64).parallel(before, |n| n).in_order();
            let lists = items.keyed_gather(
                3,
                |n| n % 10,
                |_| {
                    fold(BTreeMap::new(), |mut lists: BTreeMap<u64, Vec<u64>>, n| {
                        lists.entry(n % 10).or_default().push(n);
                        lists
                    })
                },
            );
            lists.collect().expect("none fails")
        };
        let lists = run();
        assert_eq!(lists, run());
        assert_eq!(lists.len(), 3);
        let mut keys: Vec<_> = lists.iter().flat_map(BTreeMap::keys).copied().collect();
        keys.sort_unstable();
        assert!(keys.into_iter().eq(0..10), "each key is in one place");
        for (key, list) in lists.iter().flatten() {
            assert!(list.iter().copied().eq((*key..1000).step_by(10)));
        }
    }
}

/// All replicas work at the same time, and an item that blocks keeps no other one waiting.
#[test_in(watched)]
fn replicas_work_at_the_same_time() {
    let barrier = Arc::new(Barrier::new(3));
    let results = from_iter(0..3_u64).parallel_gather(3, |_| {
        let barrier = barrier.clone();
        fold(0, move |all, n| {
            barrier.wait();
            all + n
        })
    });
    let mut results = results.collect().expect("none fails");
    results.sort_unstable();
    assert_eq!(results, [0, 1, 2], "each has taken one item");
}

/// A replica is woken at its deadline: the first in line for the items, and those behind it.
#[test_in(watched)]
fn replicas_are_woken_at_their_deadlines() {
    struct Due {
        at: Option<Instant>,
        woken: Arc<AtomicUsize>,
    }

    impl Gather<u64> for Due {
        type Out = u64;

        fn take(&mut self, _: u64, _: &mut impl FnMut(u64) -> Processed) -> Processed {
            Ok(())
        }

        fn deadline(&self) -> Option<Instant> {
            self.at
        }

        fn wake(&mut self, emit: &mut impl FnMut(u64) -> Processed) -> Processed {
            self.at = None;
            self.woken.fetch_add(1, SeqCst);
            emit(1)
        }
    }

    for replicas in [1, 4] {
        let (chan, port) = stream();
        let woken = Arc::new(AtomicUsize::new(0));
        let at = Instant::now() + Duration::from_millis(1);
        let results = from_port(port)
            .parallel_gather(replicas, |_| Due { at: Some(at), woken: woken.clone() })
            .into_iter();
        // The source has no items.
        assert_eq!(results.take(replicas).filter(Result::is_ok).count(), replicas);
        assert_eq!(woken.load(SeqCst), replicas);
        drop(chan);
    }
}

/// What fails in a replica ends the pipeline, and is reported for the stage.
#[test_in(watched)]
fn a_replica_fails() {
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Where {
        Take,
        Finish,
        Panic,
    }

    struct Failing(Where);

    impl Gather<u64> for Failing {
        type Out = u64;

        fn take(&mut self, item: u64, _: &mut impl FnMut(u64) -> Processed) -> Processed {
            match self.0 {
                Where::Take if item == 50 => Err("fifty".into()),
                Where::Panic if item == 50 => panic!("fifty"),
                _ => Ok(()),
            }
        }

        fn finish(&mut self, _: &mut impl FnMut(u64) -> Processed) -> Processed {
            if self.0 == Where::Finish { Err("at the end".into()) } else { Ok(()) }
        }
    }

    let cases = [
        (Where::Take, "sum failed: fifty"),
        (Where::Finish, "sum failed: at the end"),
        (Where::Panic, "sum panicked: fifty"),
    ];
    for (place, says) in cases {
        let sums = from_iter(0..1000).parallel_gather(3, |_| Failing(place)).named("sum");
        let failure = sums.collect().expect_err("it fails");
        assert_eq!(failure.to_string(), says);
        assert!(failure.stuck().is_empty());
    }
}

/// Replicas stop when the pipeline is cancelled, when a stage before them fails, and when the results are no
/// longer wanted. All items are dropped.
#[test_in(watched)]
fn replicas_stop() {
    let drops = DropCounter::new();
    let cancel = Cancel::new();
    let (made, cancels) = (drops.clone(), cancel.clone());
    let items = from_iter((0..).map(move |n| {
        if n == 500 {
            cancels.cancel();
        }
        made.make(n)
    }));
    let kept = items.parallel_gather(3, |_| {
        fold(Vec::new(), |mut all, item| {
            all.push(item);
            all
        })
    });
    let failure = kept.cancelled_by(&cancel).collect().expect_err("it is cancelled");
    assert!(matches!(failure.kind(), FailureKind::Cancelled));
    drops.assert_all_dropped();

    let before = from_iter(0..1000_u64).try_parallel(2, |n| if n == 500 { Err("lost") } else { Ok(n) });
    let failure = before.named("before").parallel_gather(3, Sum::of).collect().expect_err("it fails");
    assert_eq!(failure.to_string(), "before failed: lost");

    let mut sums =
        from_iter(0..).parallel_gather(3, |replica| Sum { limit: 0, ..Sum::of(replica) }).into_iter();
    assert!(sums.next().is_some_and(|sum| sum.is_ok()));
}

/// The window limits what is before the replicas and in them.
#[test_in(watched)]
fn the_window_holds() {
    const WINDOW: u64 = 8;
    let taken = Arc::new(AtomicU64::new(0));
    let (takes, mut begun) = (taken.clone(), 0);
    let items = from_iter((0..2000_u64).inspect(move |_| {
        begun += 1;
        assert!(begun - takes.load(SeqCst) <= WINDOW);
    }));
    let sums = items.in_flight(2 * WINDOW as usize).parallel(2, |n| n).parallel_gather(3, |_| {
        let taken = taken.clone();
        fold(0, move |all, n| {
            taken.fetch_add(1, SeqCst);
            all + n
        })
    });
    assert_eq!(sums.reduce(|one, other| one + other).expect("none fails"), Some(1_999_000));
}

#[test_in(watched)]
fn what_cannot_be_built() {
    for (replicas, error) in [(0, BuildError::NoReplicas), ((1 << 16) + 1, BuildError::TooManyReplicas)] {
        let failure = from_iter(0..9).parallel_gather(replicas, Sum::of).collect().expect_err("refused");
        assert!(matches!(failure.kind(), FailureKind::Build(found) if *found == error));
    }
}

/// A measured pipeline counts each item once.
#[test_in(watched)]
fn replicas_are_measured() {
    let metrics = Metrics::new();
    let sums = from_iter(0..1000_u64).parallel(2, |n| n).parallel_gather(3, Sum::of).named("sum");
    assert_eq!(sum(&sums.measured(&metrics).collect().expect("none fails")), 499_500);
    let report = metrics.report();
    assert_eq!(report.items(), 3);
    let stage = report.stages().iter().find(|stage| stage.name() == "sum").expect("it is there");
    assert_eq!(stage.replicas().len(), 3);
    assert_eq!(stage.replicas().iter().map(|replica| replica.items).sum::<u64>(), 1000);
}
