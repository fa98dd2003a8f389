//! Batches and other stages that gather items. (The random pipelines test sizes and ages, `deadlines`
//! changes.)

use pipes_skeleton::{Batching, BuildError, Gather, Processed, from_iter};
use pipes_tests::{test_in, watched};
use std::thread;
use std::time::Duration;

/// A gatherer may fail, and emits at its end.
#[test_in(watched)]
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

    assert_eq!(
        from_iter(0..100_u64).parallel(2, |n| n).gather(Sum(0, None)).collect().expect("none fails"),
        [4950]
    );
    let failure =
        from_iter(0..100_u64).gather(Sum(0, Some("fifty"))).named("sum").collect().expect_err("it fails");
    assert_eq!(failure.to_string(), "sum failed: fifty");
}

/// A run unregisters when it ends; another run with the same handle works as well.
#[test_in(watched)]
fn one_batching_for_several_pipelines() {
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
}

/// By age alone, a batch has any number of items. A number of 0 is refused.
#[test_in(watched)]
fn by_age_alone() {
    let batching = Batching::every(Duration::from_secs(3600));
    assert!(matches!(batching.set_size(0), Err(BuildError::NoBatch)));
    let batches = from_iter(0..100_u64).batched(&batching).collect().expect("none fails");
    assert!(batches.concat().into_iter().eq(0..100));
}
