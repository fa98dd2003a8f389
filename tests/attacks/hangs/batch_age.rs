//! A stage with a deadline stands behind stages that let no item through. It must be woken at its deadline,
//! however busy those stages are.

use pipes_skeleton::{Batching, Cancel, Gather, Pipeline, Processed, filter, from_iter};
use pipes_tests::watched;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The window of the region.
const WINDOW: u64 = 16;

/// What the parts of a run have counted.
#[derive(Clone, Default)]
struct Counts {
    /// The items that have left the source.
    pulled: Arc<AtomicU64>,
    /// The items that the farm has looked at.
    sifted: Arc<AtomicU64>,
}

/// Takes one item, with a deadline that has passed at once.
struct Woken {
    taken: Option<Instant>,
    counts: Counts,
}

impl Gather<u64> for Woken {
    type Out = u64;

    /// Begins when the window is full, so that items which have come to nothing wait behind this one.
    fn take(&mut self, _: u64, _: &mut impl FnMut(u64) -> Processed) -> Processed {
        while self.counts.sifted.load(Ordering::SeqCst) < WINDOW {
            thread::yield_now();
        }
        self.taken = Some(Instant::now());
        Ok(())
    }

    fn deadline(&self) -> Option<Instant> {
        self.taken
    }

    /// Emits how many items have left the source. If it has places for more, it gets the time to fill them.
    fn wake(&mut self, emit: &mut impl FnMut(u64) -> Processed) -> Processed {
        self.taken = None;
        (0..1000).for_each(|_| thread::yield_now());
        emit(self.counts.pulled.load(Ordering::SeqCst))
    }
}

/// Runs the stage behind a farm that lets only the first item through. Returns how many items had left the
/// source when the stage was woken. The source ends only after that: a stage that waits for another item, or
/// for the end, waits forever.
fn pulled_when_woken(behind: impl FnOnce(Pipeline<u64>) -> Pipeline<u64>) -> u64 {
    let counts = Counts::default();
    let Counts { pulled, sifted } = counts.clone();
    let is_over = Arc::new(AtomicBool::new(false));
    let ends = is_over.clone();
    let numbers = (0_u64..).inspect(move |_| {
        pulled.fetch_add(1, Ordering::SeqCst);
    });
    let source = from_iter(numbers.take_while(move |_| !ends.load(Ordering::SeqCst))).window(WINDOW as usize);
    let farm = source.parallel_with(2, |_| {
        let sifted = sifted.clone();
        filter(move |n: &u64| {
            sifted.fetch_add(1, Ordering::SeqCst);
            *n == 0
        })
    });
    let mut woken = Vec::new();
    let run = behind(farm).gather(Woken { taken: None, counts }).for_each(|count| {
        woken.push(count);
        is_over.store(true, Ordering::SeqCst);
    });
    run.expect("no stage fails");
    assert_eq!(woken.len(), 1, "it has taken one item: {woken:?}");
    woken[0]
}

/// The workers themselves give back the places of the items that they drop, so the source goes on however
/// long the stage's thread is kept from running, and no number of items can be asserted.
#[test]
fn behind_a_farm_that_lets_nothing_through() {
    watched(|| {
        for _ in 0..4 {
            assert!(pulled_when_woken(|farm| farm) >= WINDOW);
        }
    });
}

/// Here the stage gives back the places of dropped items, and looks at the clock after each of them. A stage
/// that looked only when none waits would first make room for most of a window.
#[test]
fn behind_a_farm_whose_order_is_restored() {
    watched(|| {
        for _ in 0..4 {
            let pulled = pulled_when_woken(Pipeline::in_order);
            assert!(pulled <= WINDOW + WINDOW / 4, "it was woken after {pulled} items");
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
