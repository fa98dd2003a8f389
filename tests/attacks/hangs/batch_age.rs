//! A stage with a deadline stands behind stages that let no item through. It must be woken at its deadline,
//! however busy those stages are.

use pipes::skeleton::{Batching, Cancel, Gather, Pipeline, Processed, filter, from_iter};
use pipes_tests::watched;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The window of the region.
const WINDOW: u64 = 8;
/// The source ends after this many items, if nothing ends it before.
const MANY: u64 = 20_000;

/// Takes one item, with a deadline that has passed at once.
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

    /// Emits how many items the source had produced.
    fn wake(&mut self, emit: &mut impl FnMut(u64) -> Processed) -> Processed {
        self.taken = None;
        emit(self.pulled.load(Ordering::SeqCst))
    }
}

/// Runs the stage behind `filtered`, which lets only the first item through. Returns how many items had left
/// the source each time that the stage was woken.
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

/// Asserts that the stage was woken soon. When it takes the first item, at most a window of items have left
/// the source. All others are filtered out, and after each of them the stage can look at the clock.
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
