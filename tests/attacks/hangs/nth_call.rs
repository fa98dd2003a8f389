//! A pipeline with stages of every kind, in which all user code counts its calls: functions, keys, futures,
//! wakers of its port, and destructors of items and of what stages own. The n-th call, for many n, ends the
//! pipeline: it cancels it, panics, fails, drops its handle or its port, or ends a posted pipeline. All
//! threads must end soon, and all that was counted must be dropped.

use pipes_skeleton::{
    Batching, Cancel, Cause, Gather, Pace, Pipeline, Processed, from_iter, merge, posted, try_from_iter,
};

use pipes_tests::{effort, watched};
use std::ops::ControlFlow::{Break, Continue};
use std::panic::panic_any;
use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

type Deed = Box<dyn FnOnce() + Send>;

/// Counts calls, and runs `deed` at one of them.
#[derive(Clone, Default)]
pub(super) struct Calls(Arc<Counted>);

#[derive(Default)]
struct Counted {
    calls: AtomicUsize,
    at: AtomicUsize,
    deed: Mutex<Option<Deed>>,
    /// Destructors do not count as calls: a panic in one would leak values.
    spares_destructors: AtomicBool,
    /// The number of live items.
    there: AtomicIsize,
}

impl Calls {
    pub(super) fn at(at: usize) -> Self {
        let calls = Calls::default();
        calls.0.at.store(at, Ordering::Relaxed);
        calls
    }

    pub(super) fn does(&self, deed: impl FnOnce() + Send + 'static) {
        *self.0.deed.lock().expect("no thread panics with it") = Some(Box::new(deed));
    }

    pub(super) fn call(&self) {
        if self.0.calls.fetch_add(1, Ordering::Relaxed) == self.0.at.load(Ordering::Relaxed) {
            let deed = self.0.deed.lock().expect("no thread panics with it").take();
            if let Some(deed) = deed {
                deed();
            }
        }
    }

    pub(super) fn item(&self, number: u64) -> Item {
        self.0.there.fetch_add(1, Ordering::Relaxed);
        Item(number, self.clone())
    }
}

/// An item, whose destructor counts as a call.
pub(super) struct Item(u64, Calls);

impl Drop for Item {
    fn drop(&mut self) {
        self.1.0.there.fetch_sub(1, Ordering::Relaxed);
        if !self.1.0.spares_destructors.load(Ordering::Relaxed) {
            self.1.call();
        }
    }
}

/// Passes items on in pairs; its functions count as calls.
struct Pairs(Option<Item>, Calls, #[expect(dead_code, reason = "it is there to be dropped")] Item);

impl Gather<Item> for Pairs {
    type Out = Item;

    fn take(&mut self, item: Item, emit: &mut impl FnMut(Item) -> Processed) -> Processed {
        self.1.call();
        match self.0.take() {
            None => self.0 = Some(item),
            Some(first) => {
                emit(first)?;
                emit(item)?;
            }
        }
        Ok(())
    }

    fn deadline(&self) -> Option<Instant> {
        self.1.call();
        self.0.as_ref().map(|_| Instant::now() + Duration::from_micros(50))
    }

    fn wake(&mut self, emit: &mut impl FnMut(Item) -> Processed) -> Processed {
        self.0.take().map_or(Ok(()), emit)
    }

    fn finish(&mut self, emit: &mut impl FnMut(Item) -> Processed) -> Processed {
        self.wake(emit)
    }
}

/// Adds stages of every kind, each of which owns an item.
pub(super) fn everything(items: Pipeline<Item>, calls: &Calls) -> Pipeline<Item> {
    let own = || calls.item(0);
    let stage = |calls: &Calls| {
        let (calls, own) = (calls.clone(), own());
        move |item: Item| {
            calls.call();
            let _own = &own;
            item
        }
    };
    let pace = Pace::new(1e6).expect("it can be kept");
    let batches = Batching::of(3).within(Duration::from_micros(100));
    let keys = calls.clone();
    let again = calls.clone();
    let farms = calls.clone();
    let futures = calls.clone();
    items
        .window(5)
        .hand_over(2)
        .sequential(stage(calls))
        .parallel_with(2, |_| stage(calls))
        .gather(Pairs(None, calls.clone(), own()))
        .keyed_with(2, move |item: &Item| (keys.call(), item.0).1, |_| stage(calls))
        .in_order()
        .paced(&pace)
        .concurrent(2, move |item: Item| {
            futures.call();
            let (calls, mut polls) = (futures.clone(), 0);
            let mut item = Some(item);
            std::future::poll_fn(move |cx| {
                calls.call();
                polls += 1;
                if polls < 3 {
                    cx.waker().wake_by_ref();
                    return std::task::Poll::Pending;
                }
                std::task::Poll::Ready(item.take().expect("it is polled until then"))
            })
        })
        .farm(2, |share| {
            share.sequential(stage(&farms)).feedback(|again| again.sequential(|item: Item| Break(item)))
        })
        .batched(&batches)
        .flat_map(|batch| batch)
        .feedback(move |round| {
            let calls = again.clone();
            round.parallel_with(2, move |_| {
                let calls = calls.clone();
                move |item: Item| {
                    calls.call();
                    if item.0 < 100 { Continue(calls.item(item.0 + 60)) } else { Break(item) }
                }
            })
        })
        .ordered(stage(calls))
}

pub(super) fn source(calls: &Calls, many: u64) -> Pipeline<Item> {
    let (one, other) = (calls.clone(), calls.clone());
    let items = |calls: Calls, from: u64| {
        (0..many).map(move |number| {
            calls.call();
            calls.item(from + number)
        })
    };
    let left = from_iter(items(one, 0));
    let right = try_from_iter(items(other, 50).map(Ok::<_, std::fmt::Error>));
    merge([left, right])
}

/// Waits until all threads have ended and no item is left.
pub(super) fn is_over(calls: &Calls) {
    while calls.0.there.load(Ordering::Relaxed) != 0 {
        thread::yield_now();
    }
}

const STEP: usize = if cfg!(miri) { 997 } else { 1 };

pub(super) fn steps() -> impl Iterator<Item = usize> {
    (0..effort(400)).step_by(STEP).chain((400..4000).step_by(STEP * 61))
}

#[test]
fn a_cancel() {
    watched(|| {
        for at in steps() {
            let (calls, cancel) = (Calls::at(at), Cancel::new());
            let cancels = cancel.clone();
            calls.does(move || cancels.cancel());
            let sink = calls.clone();
            let done = everything(source(&calls, 50), &calls).cancelled_by(&cancel).for_each(move |item| {
                sink.call();
                drop(item);
            });
            if let Err(failure) = done {
                assert!(matches!(failure.cause(), Cause::Cancelled));
            }
            is_over(&calls);
        }
    });
}

#[test]
fn a_panic() {
    watched(|| {
        for at in steps() {
            let calls = Calls::at(at);
            calls.0.spares_destructors.store(true, Ordering::Relaxed);
            let payload = calls.item(0);
            calls.does(move || panic_any(Mutex::new(payload)));
            if at % 2 == 0 {
                if let Err(failure) = everything(source(&calls, 50), &calls).collect() {
                    assert!(matches!(failure.cause(), Cause::Panic(_)), "{failure}");
                }
            } else {
                for item in everything(source(&calls, 50), &calls) {
                    if let Err(failure) = item {
                        assert!(matches!(failure.cause(), Cause::Panic(_)), "{failure}");
                    }
                }
            }
            calls.0.deed.lock().expect("no thread panics with it").take();
            is_over(&calls);
        }
    });
}

/// A posted pipeline is cancelled in its own code, or in that of the thread that posts.
#[test]
fn a_posted_pipeline() {
    watched(|| {
        for at in steps() {
            let (calls, cancel) = (Calls::at(at), Cancel::new());
            let cancels = cancel.clone();
            calls.does(move || cancels.cancel());
            let running =
                posted(|items| everything(items, &calls).cancelled_by(&cancel)).expect("it can be run");
            for number in 0..60 {
                if running.post(calls.item(number)).is_err() {
                    break;
                }
            }
            if let Err(failure) = running.collect() {
                assert!(matches!(failure.cause(), Cause::Cancelled), "{failure}");
            }
            is_over(&calls);
        }
    });
}
