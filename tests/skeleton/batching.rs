//! Batches: by size, by age, by both, and with settings that change during the run.

use pipes_skeleton::{Batching, BuildError, Cause, Gather, Processed, from_iter, from_port};
use pipes_tests::{Tally, watched};
use std::thread;
use std::time::Duration;

/// An age that no batch of these tests reaches.
const NEVER: Duration = Duration::from_secs(1000);

#[test]
fn by_size() {
    for size in [1, 3, 100, 1000] {
        watched(move || {
            let batches = from_iter(0..1000_u64).batched(&Batching::of(size)).collect().expect("none fails");
            assert_eq!(batches.len(), 1000_usize.div_ceil(size));
            assert!(batches.iter().rev().skip(1).all(|batch| batch.len() == size));
            assert!(batches.concat().into_iter().eq(0..1000));
        });
    }
}

/// A batch that is old enough is emitted although no item comes.
#[test]
fn by_age_while_the_source_is_silent() {
    watched(|| {
        let (mut chan, port) = pipes::stream();
        let batching = Batching::of(1000).within(Duration::from_millis(2));
        let mut batches = from_port(port).batched(&batching).into_iter();
        for round in 0..5_u64 {
            chan.send(round).expect("it is received");
            assert_eq!(batches.next().expect("it goes on").expect("none fails"), [round]);
        }
        drop(chan);
        assert!(batches.next().is_none());
    });
}

#[test]
fn by_age_alone() {
    watched(|| {
        let batches = from_iter(0..5000_u64).batched(&Batching::every(Duration::from_micros(100))).collect();
        assert!(batches.expect("none fails").concat().into_iter().eq(0..5000));
    });
}

/// A setting that changes while a batch is open applies to that batch.
#[test]
fn changed_while_it_runs() {
    watched(|| {
        let (mut chan, port) = pipes::stream();
        let batching = Batching::of(1000).within(NEVER);
        let mut batches = from_port(port).batched(&batching).into_iter();
        let mut next = || batches.next().expect("it goes on").expect("none fails");
        let mut send =
            |items: std::ops::Range<u64>| items.for_each(|n| chan.send(n).expect("it is received"));
        send(0..3);
        batching.set_size(3).expect("it is possible");
        assert_eq!(next(), [0, 1, 2]);
        send(3..6);
        assert_eq!(next(), [3, 4, 5]);
        send(6..8);
        batching.set_age(Some(Duration::ZERO));
        let mut more = next();
        if more.len() == 1 {
            more.extend(next());
        }
        assert_eq!(more, [6, 7]);
        batching.set_age(None);
        batching.set_size(2).expect("it is possible");
        send(8..10);
        assert_eq!(next(), [8, 9]);
        assert_eq!(batching.set_size(0), Err(BuildError::NoBatch));
    });
}

#[test]
fn in_the_order_of_the_source() {
    watched(|| {
        let batching = Batching::of(7);
        let ordered = from_iter(0..1000_u64)
            .parallel(3, |n| n)
            .in_order()
            .batched(&batching)
            .parallel(2, |batch| batch);
        assert!(ordered.in_order().collect().expect("none fails").concat().into_iter().eq(0..1000));
        let mut any = from_iter(0..1000_u64)
            .parallel(3, |n| n)
            .batched(&batching)
            .collect()
            .expect("none fails")
            .concat();
        any.sort_unstable();
        assert!(any.into_iter().eq(0..1000));
    });
}

#[test]
fn refused() {
    let failure = from_iter(0..9).batched(&Batching::of(0)).collect().expect_err("it cannot be run");
    assert!(matches!(failure.cause(), Cause::Build(BuildError::NoBatch)));
    let failure =
        from_iter(0..9).farm(2, |share| share.batched(&Batching::of(2)).sequential(|batch| batch.len()));
    assert!(matches!(
        failure.collect().expect_err("it cannot be run").cause(),
        Cause::Build(BuildError::OrderInFarm)
    ));
}

/// Items in an open batch are dropped when the pipeline ends early.
#[test]
fn an_open_batch_is_dropped() {
    watched(|| {
        let tally = Tally::new();
        let maker = tally.clone();
        let batches = from_iter(0..100_u64)
            .sequential(move |n| {
                assert!(n != 57, "enough");
                maker.make(n)
            })
            .batched(&Batching::of(10).within(NEVER))
            .collect();
        assert_eq!(batches.expect_err("it panics").panic_message(), Some("enough"));
        tally.assert_all_gone();
    });
}

/// A gatherer may fail, and emits at its end.
#[test]
fn gatherers() {
    struct Sum(u64, Option<&'static str>);

    impl Gather<u64> for Sum {
        type Out = u64;

        fn take(&mut self, n: u64, _: &mut impl FnMut(u64) -> Processed) -> Processed {
            self.0 += n;
            self.1.filter(|_| n == 50).map_or(Ok(()), |error| Err(error.into()))
        }

        fn finish(&mut self, emit: &mut impl FnMut(u64) -> Processed) -> Processed {
            emit(self.0)
        }
    }

    watched(|| {
        assert_eq!(
            from_iter(0..100_u64).parallel(2, |n| n).gather(Sum(0, None)).collect().expect("none fails"),
            [4950]
        );
        let failure =
            from_iter(0..100_u64).gather(Sum(0, Some("fifty"))).named("sum").collect().expect_err("it fails");
        assert_eq!(failure.to_string(), "sum failed: fifty");
    });
}

/// A run unregisters when it ends; another run with the same handle works as well.
#[test]
fn one_batching_for_several_pipelines() {
    watched(|| {
        let batching = Batching::of(5);
        let runs: Vec<_> = (0..4_u64)
            .map(|run| {
                let batching = batching.clone();
                thread::spawn(move || from_iter(run * 100..run * 100 + 100).batched(&batching).collect())
            })
            .collect();
        for (run, batches) in (0..).zip(runs) {
            let batches = batches.join().expect("no panic").expect("none fails");
            assert!(batches.concat().into_iter().eq(run * 100..run * 100 + 100));
        }
    });
}
