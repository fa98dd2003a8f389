//! A stage that is to be woken at a moment, behind stages that let nothing through: it is woken however busy those are.

use pipes::skeleton::{Batching, Cancel, Gather, Pipeline, Processed, filter, from_iter};
use pipes_tests::watched;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The most items that may be in a region.
const WINDOW: u64 = 8;
/// The source ends here, if nothing ends it before.
const MANY: u64 = 20_000;

/// Takes one item, and wants to be woken at once.
struct Woken {
    taken: Option<Instant>,
    pulled: Arc<AtomicU64>,
}

impl Gather<u64> for Woken {
    type Out = u64;

    fn take(&mut self, _: u64, _: &mut impl FnMut(u64) -> Processed) -> Processed {
        self.taken = Some(Instant::now());
        Ok(())
    }

    fn deadline(&self) -> Option<Instant> {
        self.taken
    }

    /// Tells how many items had been pulled.
    fn wake(&mut self, emit: &mut impl FnMut(u64) -> Processed) -> Processed {
        self.taken = None;
        emit(self.pulled.load(Ordering::SeqCst))
    }
}

/// How many items had left the source when a stage behind these, which let only the first of them through, was woken.
fn pulled_when_woken(filtered: impl FnOnce(Pipeline<u64>) -> Pipeline<u64>) -> Vec<u64> {
    let pulled = Arc::new(AtomicU64::new(0));
    let counted = pulled.clone();
    let is_over = Arc::new(AtomicBool::new(false));
    let ends = is_over.clone();
    let numbers = (0..MANY).inspect(move |_| {
        counted.fetch_add(1, Ordering::SeqCst);
    });
    let source = from_iter(numbers.take_while(move |_| !ends.load(Ordering::SeqCst))).window(WINDOW as usize);
    let mut woken = Vec::new();
    let run = filtered(source).gather(Woken { taken: None, pulled }).for_each(|count| {
        woken.push(count);
        is_over.store(true, Ordering::SeqCst);
    });
    run.expect("no stage fails");
    woken
}

/// When the first item is taken at most as many as the window holds have left the source. All others come to nothing, so the stage has
/// nothing to do but to look at the clock, if not for each of them.
fn assert_soon(woken: &[u64]) {
    assert!(!woken.is_empty(), "it was never woken, while {MANY} items came to nothing");
    assert!(woken[0] <= 64 * WINDOW, "it was woken after {} items that came to nothing", woken[0]);
}

#[test]
fn behind_a_farm_that_lets_nothing_through() {
    watched(|| {
        for _ in 0..4 {
            assert_soon(&pulled_when_woken(|source| source.parallel_with(2, |_| filter(|n: &u64| *n == 0))));
        }
    });
}

#[test]
fn behind_a_farm_whose_order_is_restored() {
    watched(|| {
        for _ in 0..4 {
            assert_soon(&pulled_when_woken(|source| {
                source.parallel_with(2, |_| filter(|n: &u64| *n == 0)).in_order()
            }));
        }
    });
}

/// A batch of an age, behind such a farm, while the source has no end: what comes of it ends the pipeline.
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
