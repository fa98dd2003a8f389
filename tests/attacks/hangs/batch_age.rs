//! A stage with a deadline stands behind stages that let no item through. It must be woken at its deadline,
//! however busy those stages are.

use pipes::skeleton::{Batching, Cancel, Gather, Pipeline, Processed, filter, from_iter};
use pipes_tests::watched;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Takes items, with a deadline that has passed at once.
#[derive(Default)]
struct Woken {
    taken: Option<Instant>,
}

impl Gather<u64> for Woken {
    type Out = ();

    fn take(&mut self, _: u64, _: &mut impl FnMut(()) -> Processed) -> Processed {
        self.taken = Some(Instant::now());
        Ok(())
    }

    fn deadline(&self) -> Option<Instant> {
        self.taken
    }

    fn wake(&mut self, emit: &mut impl FnMut(()) -> Processed) -> Processed {
        self.taken = None;
        emit(())
    }
}

/// Runs the stage behind `filtered`, which lets only the first item through. The source ends only after the
/// stage was woken: a stage that waits for another item, or for the end, waits forever.
fn assert_woken(filtered: impl FnOnce(Pipeline<u64>) -> Pipeline<u64>) {
    let is_over = Arc::new(AtomicBool::new(false));
    let ends = is_over.clone();
    let source = from_iter((0_u64..).take_while(move |_| !ends.load(Ordering::SeqCst))).window(8);
    let mut woken = 0;
    let run = filtered(source).gather(Woken::default()).for_each(|()| {
        woken += 1;
        is_over.store(true, Ordering::SeqCst);
    });
    run.expect("no stage fails");
    assert_eq!(woken, 1, "it has taken one item");
}

#[test]
fn behind_a_farm_that_lets_nothing_through() {
    watched(|| {
        for _ in 0..4 {
            assert_woken(|source| source.parallel_with(2, |_| filter(|n: &u64| *n == 0)));
        }
    });
}

#[test]
fn behind_a_farm_whose_order_is_restored() {
    watched(|| {
        for _ in 0..4 {
            assert_woken(|source| source.parallel_with(2, |_| filter(|n: &u64| *n == 0)).in_order());
        }
    });
}

/// A batch with a maximum age stands behind such a farm, and the source has no end: the batch must be
/// emitted, and its arrival ends the pipeline.
#[test]
fn a_batch_that_ends_an_endless_pipeline() {
    watched(|| {
        let cancel = Cancel::new();
        let ends = cancel.clone();
        let batching = Batching::every(Duration::from_millis(1));
        let failure = from_iter(0_u64..)
            .parallel_with(2, |_| filter(|n: &u64| *n == 0))
            .batched(&batching)
            .cancelled_by(&cancel)
            .for_each(move |batch| {
                assert_eq!(batch, [0]);
                ends.cancel();
            });
        assert!(failure.is_err(), "it has no other end");
    });
}
