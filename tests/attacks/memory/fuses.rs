//! A pipeline with a stage of each kind, in which one call of the user's code panics, or one destructor: each
//! of them in turn. Each item must come out, or be dropped once.

use pipes_skeleton::{Batching, Cause, Failure, Pipeline, from_iter, merge};
use pipes_tests::{Counted, Tally, caught, watched};
use std::future::poll_fn;
use std::ops::ControlFlow::{Break, Continue};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::task::Poll;
use std::thread::{panicking, yield_now};

const ITEMS: u64 = if cfg!(miri) { 3 } else { 7 };
/// The distance from one panicking call to the next that is tried.
const STEP: usize = if cfg!(miri) { 41 } else { 1 };
/// A fuse that never panics.
const NEVER: usize = 1 << 20;

/// How many more calls, and how many more destructors, run before one panics.
#[derive(Clone)]
struct Fuses {
    calls: Arc<AtomicUsize>,
    drops: Arc<AtomicUsize>,
}

impl Fuses {
    fn new(calls: usize, drops: usize) -> Self {
        Fuses { calls: Arc::new(AtomicUsize::new(calls)), drops: Arc::new(AtomicUsize::new(drops)) }
    }

    fn called(&self) {
        assert!(self.calls.fetch_sub(1, SeqCst) != 0, "a call");
    }

    /// A destructor has run. It does not panic during another panic, which would end the process.
    fn dropped(&self) {
        if !panicking() {
            assert!(self.drops.fetch_sub(1, SeqCst) != 0, "a destructor");
        }
    }

    /// Returns whether neither has panicked.
    fn are_whole(&self) -> bool {
        [&self.calls, &self.drops].into_iter().all(|fuse| fuse.load(SeqCst) <= NEVER)
    }
}

/// A value that a stage owns.
#[derive(Clone)]
struct Owned(Fuses);

impl Drop for Owned {
    fn drop(&mut self) {
        self.0.dropped();
    }
}

struct Item(Counted, Fuses);

impl Drop for Item {
    fn drop(&mut self) {
        self.1.dropped();
    }
}

fn stage(fuses: &Fuses) -> impl FnMut(Item) -> Item + Clone + Send + 'static {
    let owned = Owned(fuses.clone());
    move |item| {
        owned.0.called();
        item
    }
}

fn source(first: u64, fuses: &Fuses, tally: &Tally) -> Pipeline<Item> {
    let (owned, tally) = (Owned(fuses.clone()), tally.clone());
    from_iter((first..first + ITEMS).map(move |number| {
        owned.0.called();
        Item(tally.make(number), owned.0.clone())
    }))
}

/// A pipeline with all kinds of stages.
fn pipeline(fuses: &Fuses, tally: &Tally) -> Pipeline<Item> {
    let (key, begins, opens) = (Owned(fuses.clone()), Owned(fuses.clone()), Owned(fuses.clone()));
    let (turns, keeps) = (Owned(fuses.clone()), Owned(fuses.clone()));
    let items = merge([source(0, fuses, tally), source(ITEMS, fuses, tally).parallel(2, stage(fuses))]);
    let items = items.window(5).hand_over(2).sequential(stage(fuses)).parallel(2, stage(fuses));
    let by_key = move |item: &Item| {
        key.0.called();
        item.0.number % 3
    };
    let items = items.keyed(2, by_key, stage(fuses)).concurrent(3, move |item| {
        begins.0.called();
        let (mut turns, owned) = (item.0.number % 3, begins.clone());
        async move {
            poll_fn(|cx| {
                owned.0.called();
                turns = turns.saturating_sub(1);
                cx.waker().wake_by_ref();
                if turns == 0 { Poll::Ready(()) } else { Poll::Pending }
            })
            .await;
            // Dropped here, because a destructor that panics after a future's result would leak the result.
            drop(owned);
            item
        }
    });
    let items = items.farm(2, |share| share.sequential(stage(fuses)).parallel(2, stage(fuses))).in_order();
    let items = items.batched(&Batching::of(3)).flat_map(move |batch| {
        opens.0.called();
        batch
    });
    let again = items.sequential(|item| (item, 2)).feedback(move |again| {
        again.parallel(2, move |(item, left)| {
            turns.0.called();
            if left == 0 { Break(item) } else { Continue((item, left - 1)) }
        })
    });
    again.in_order().filter(move |_| {
        keeps.0.called();
        true
    })
}

/// Runs the pipeline in one of four ways.
fn run(which: usize, pipeline: Pipeline<Item>) -> Result<Vec<Item>, Failure> {
    match which % 4 {
        0 => pipeline.collect(),
        1 => pipeline.into_iter().collect(),
        2 => {
            let mut all = Vec::new();
            pipeline.for_each(|item| all.push(item)).map(|()| all)
        }
        _ => {
            let (port, running) = pipeline.into_port();
            let all = port.into_iter().collect();
            running.join().map(|()| all)
        }
    }
}

/// Returns whether nothing has panicked.
fn with(which: usize, calls: usize, drops: usize) -> bool {
    let (tally, fuses) = (Tally::new(), Fuses::new(calls, drops));
    let mut is_whole = false;
    let unbuilt = caught(|| match run(which, pipeline(&fuses, &tally)) {
        Ok(items) => {
            is_whole = fuses.are_whole();
            fuses.drops.store(NEVER, SeqCst);
            let mut numbers: Vec<_> = items.iter().map(|item| item.0.number).collect();
            numbers.sort_unstable();
            assert!(numbers.into_iter().eq(0..2 * ITEMS), "each item once");
        }
        Err(failure) => {
            assert!(matches!(failure.cause(), Cause::Panic(_)), "{failure}");
        }
    });
    if let Some(panic) = unbuilt {
        assert!(panic.downcast_ref() == Some(&"a destructor"), "only that panics where it is built");
    }
    // On a busy machine a stage can take longer than the run waits for it.
    while tally.gone() < tally.made() {
        yield_now();
    }
    assert_eq!((tally.gone(), which, calls, drops), (tally.made(), which, calls, drops));
    is_whole
}

#[test]
fn each_call_panics() {
    watched(|| {
        let first = (0..).step_by(STEP).find(|calls| with(*calls, *calls, NEVER));
        assert!(first.is_some_and(|calls| calls >= 2 * ITEMS as usize));
    });
}

#[test]
fn each_destructor_panics() {
    watched(|| {
        for calls in [NEVER, 5, 2 * ITEMS as usize] {
            let first = (0..).step_by(STEP).find(|drops| {
                let is_whole = with(*drops, calls, *drops);
                is_whole || calls != NEVER && *drops > 150
            });
            assert!(first.is_some_and(|drops| drops > 5));
        }
    });
}
