//! A pipeline with stages of every kind, in which all code of the user counts its calls: functions, keys,
//! futures, deadlines, wakers of its port, and destructors of items and of what stages own. The n-th call,
//! for many n, ends the pipeline. All threads end soon, and all that was counted is dropped.

use pipes::Port;
use pipes_skeleton::{
    Batching, Cancel, Failure, FailureKind, Gather, Pace, Pipeline, Processed, Running, from_iter, merge,
    posted, try_from_iter,
};
use pipes_tests::{WakeCounter, effort, poll, watched};
use std::future::poll_fn;
use std::ops::ControlFlow::{Break, Continue};
use std::panic::panic_any;
use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::thread::{self, yield_now};
use std::time::{Duration, Instant};

/// Counts calls, and does something at one of them.
#[derive(Clone, Default)]
struct Calls(Arc<State>);

#[derive(Default)]
struct State {
    calls: AtomicUsize,
    at: AtomicUsize,
    deed: Mutex<Option<Box<dyn FnOnce() + Send>>>,
    /// Destructors do not count as calls: a panic in one would leak values.
    spares_destructors: AtomicBool,
    /// The number of items that are not dropped.
    items: AtomicIsize,
}

impl Calls {
    fn call(&self) {
        if self.0.calls.fetch_add(1, Relaxed) == self.0.at.load(Relaxed) {
            let deed = self.0.deed.lock().expect("not poisoned").take();
            if let Some(deed) = deed {
                deed();
            }
        }
    }

    fn does(&self, deed: impl FnOnce() + Send + 'static) {
        *self.0.deed.lock().expect("not poisoned") = Some(Box::new(deed));
    }

    fn item(&self, number: u64) -> Item {
        self.0.items.fetch_add(1, Relaxed);
        Item(number, self.clone())
    }
}

/// An item, whose destructor counts as a call.
struct Item(u64, Calls);

impl Drop for Item {
    fn drop(&mut self) {
        self.1.0.items.fetch_sub(1, Relaxed);
        if !self.1.0.spares_destructors.load(Relaxed) {
            self.1.call();
        }
    }
}

/// Passes items on in pairs.
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

/// A function that counts its calls, and owns an item.
fn stage(calls: &Calls) -> impl FnMut(Item) -> Item + Send + use<> {
    let (calls, own) = (calls.clone(), calls.item(0));
    move |item| {
        calls.call();
        let _own = &own;
        item
    }
}

/// Adds stages of every kind.
fn everything(items: Pipeline<Item>, calls: &Calls) -> Pipeline<Item> {
    let [keys, futures, farms, rounds] = [calls; 4].map(Calls::clone);
    let pace = Pace::new(1e6).expect("it can be kept");
    let batches = Batching::of(3).within(Duration::from_micros(100));
    items
        .in_flight(20)
        .sequential(stage(calls))
        .parallel_with(2, |_| stage(calls))
        .gather(Pairs(None, calls.clone(), calls.item(0)))
        .keyed_with(2, move |item: &Item| (keys.call(), item.0).1, |_| stage(calls))
        .in_order()
        .paced(&pace)
        .concurrent(2, move |item: Item| {
            futures.call();
            let (calls, mut polls, mut item) = (futures.clone(), 0, Some(item));
            poll_fn(move |cx| {
                calls.call();
                polls += 1;
                if polls < 3 {
                    cx.waker().wake_by_ref();
                    return Poll::Pending;
                }
                Poll::Ready(item.take().expect("it is polled until then"))
            })
        })
        .farm(2, |share| {
            share.sequential(stage(&farms)).feedback(|again| again.sequential(|item: Item| Break(item)))
        })
        .batched(&batches)
        .flat_map(|batch| batch)
        .feedback(move |again| {
            again.parallel_with(2, move |_| {
                let calls = rounds.clone();
                move |item: Item| {
                    calls.call();
                    if item.0 < 100 { Continue(calls.item(item.0 + 60)) } else { Break(item) }
                }
            })
        })
        .ordered(stage(calls))
}

fn pipeline(calls: &Calls) -> Pipeline<Item> {
    let items = |from: u64| {
        let calls = calls.clone();
        (0..50).map(move |number| {
            calls.call();
            calls.item(from + number)
        })
    };
    let right = try_from_iter(items(50).map(Ok::<_, std::fmt::Error>));
    everything(merge([from_iter(items(0)), right]), calls)
}

/// Runs the test for the n-th call, for many n: all of the first ones, and some of the others.
fn each(test: fn(Calls, usize)) {
    const STEP: usize = if cfg!(miri) { 997 } else { 1 };
    watched(move || {
        for at in (0..effort(150)).step_by(STEP).chain((150..4000).step_by(STEP * 101)) {
            let calls = Calls::default();
            calls.0.at.store(at, Relaxed);
            test(calls.clone(), at);
            calls.0.deed.lock().expect("not poisoned").take();
            while calls.0.items.load(Relaxed) != 0 {
                yield_now();
            }
        }
    });
}

/// The pipeline has run to its end, or was ended by this cause.
fn is_due<R>(result: Result<R, Failure>, is_kind: fn(&FailureKind) -> bool) {
    if let Err(failure) = result {
        assert!(is_kind(failure.kind()), "{failure}");
    }
}

#[test]
fn cancels_the_pipeline() {
    each(|calls, _| {
        let cancel = Cancel::new();
        let (cancels, sink) = (cancel.clone(), calls.clone());
        calls.does(move || cancels.cancel());
        let done = pipeline(&calls).cancelled_by(&cancel).for_each(move |item| {
            sink.call();
            drop(item);
        });
        is_due(done, |cause| matches!(cause, FailureKind::Cancelled));
    });
}

#[test]
fn panics() {
    each(|calls, at| {
        calls.0.spares_destructors.store(true, Relaxed);
        let payload = calls.item(0);
        calls.does(move || panic_any(Mutex::new(payload)));
        let is_panic = |cause: &FailureKind| matches!(cause, FailureKind::Panic(_));
        if at % 2 == 0 {
            is_due(pipeline(&calls).collect(), is_panic);
        } else {
            pipeline(&calls).into_iter().for_each(|item| is_due(item, is_panic));
        }
    });
}

/// It is called in the pipeline, or in the thread that posts.
#[test]
fn cancels_a_posted_pipeline() {
    each(|calls, _| {
        let cancel = Cancel::new();
        let cancels = cancel.clone();
        calls.does(move || cancels.cancel());
        let running = posted(|items| everything(items, &calls).cancelled_by(&cancel)).expect("it can be run");
        let _ = (0..60).try_for_each(|number| running.post(calls.item(number)));
        is_due(running.collect(), |cause| matches!(cause, FailureKind::Cancelled));
    });
}

/// It drops or joins the pipeline's handle.
#[test]
fn ends_the_pipeline_by_its_handle() {
    each(|calls, at| {
        let handle = Arc::new(Mutex::new(None::<Running>));
        let (inside, reader) = (handle.clone(), thread::current().id());
        calls.does(move || {
            let running = inside.lock().expect("not poisoned").take();
            match running {
                None => {}
                // The thread that reads the results would wait for itself.
                Some(running) if at % 2 == 0 || thread::current().id() == reader => drop(running),
                Some(running) => drop(running.join()),
            }
        });
        let (port, running) = pipeline(&calls).into_port();
        *handle.lock().expect("not poisoned") = Some(running);
        port.into_iter().for_each(drop);
        let running = handle.lock().expect("not poisoned").take();
        running.into_iter().for_each(|running| running.join().expect("no stage fails"));
    });
}

/// It drops the pipeline's port, also in a waker of the port.
#[test]
fn drops_the_port() {
    each(|calls, _| {
        let place = Arc::new(Mutex::new(None::<Port<Item>>));
        let inside = place.clone();
        calls.does(move || drop(inside.lock().map(|mut place| place.take())));
        let (port, running) = pipeline(&calls).into_port();
        let mut port = Some(port);
        while let Some(mut open) = port.take() {
            let counter = calls.clone();
            let (wakes, waker) = WakeCounter::on_wake(move || counter.call());
            if poll(&mut open, &waker).is_ready() {
                let Ok(item) = open.try_recv() else { break };
                drop(item);
                port = Some(open);
                continue;
            }
            *place.lock().expect("not poisoned") = Some(open);
            calls.call();
            // The port may be dropped meanwhile.
            while wakes.count() == 0 && place.lock().expect("not poisoned").is_some() {
                yield_now();
            }
            port = place.lock().expect("not poisoned").take();
        }
        drop(running.join());
    });
}
