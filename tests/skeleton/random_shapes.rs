//! Random pipelines of stages within farms and loops, with settings at any place. No item that is done waits
//! for the items behind it, and an end at any moment leaves no thread behind.

use pipes_skeleton::{
    Batching, Cancel, FailureKind, Gather, Metrics, Pace, Pipeline, Place, Processed, flat_map, from_iter,
    merge, posted,
};
use pipes_tests::{Rng, effort, give_way, spin, watched};
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

const ITEMS: u64 = 60;

/// A number, whose upper half counts the rounds that it has made. All items and stages of a pipeline hold the
/// same `Arc`.
struct Item(u64, Arc<()>);

fn some(random: &mut Rng) -> usize {
    1 + random.usize(..4)
}

/// A function that takes a while, or none.
fn work(random: &mut Rng) -> impl FnMut(Item) -> Item + Clone + Send + 'static {
    let mut costs = Rng::with_seed(random.u64(..1 << 30));
    let most = [1, 100, 5000][random.usize(..3)];
    move |item| {
        spin(costs.u64(..most));
        item
    }
}

/// A random setting, or none.
fn setting(items: Pipeline<Item>, random: &mut Rng, metrics: &Metrics) -> Pipeline<Item> {
    match random.u64(..9) {
        0 | 1 => items.in_flight(some(random)),
        2 => items.measured(metrics),
        3 => items.named("a name"),
        4 => items.in_flight(256),
        _ => items,
    }
}

/// Lets an item leave the loop in one of `times` rounds, on average. That depends on the item alone.
fn turn(times: u64) -> impl FnMut(Item) -> ControlFlow<Item, Item> + Clone + Send {
    move |Item(number, all)| {
        let next = Item(number + (1 << 32), all);
        if Rng::with_seed(number).u64(..times) == 0 { Break(next) } else { Continue(next) }
    }
}

/// A future that is woken by itself, or by another thread.
async fn later(item: Item) -> Item {
    give_way(item.0 % 3).await;
    if item.0 % 100 == 17 {
        let (chan, port) = pipes::oneshot();
        thread::spawn(move || chan.send(()));
        port.await.expect("it is sent");
    }
    item
}

/// Adds random stages, in a whole pipeline, a farm or a loop.
fn anywhere<P: Place>(items: Pipeline<Item, P>, depth: u32, random: &mut Rng) -> Pipeline<Item, P> {
    match random.u64(..if depth == 0 { 5 } else { 9 }) {
        0 => items.parallel(some(random), work(random)),
        1 => items.sequential(work(random)),
        2 => items.concurrent(some(random), later),
        3 => items.parallel_with(some(random), |_| flat_map(|item: Item| vec![item])),
        4 => items.filter(|_| true),
        5 | 6 => {
            let (times, replicas) = (2 + random.u64(..3), some(random));
            items.feedback(|again| anywhere(again, depth - 1, random).parallel(replicas, turn(times)))
        }
        7 => {
            let (replicas, seed) = (some(random), random.u64(..1 << 40));
            // All replicas are the same.
            items.farm(replicas, |share| anywhere(share, depth - 1, &mut Rng::with_seed(seed)))
        }
        _ => {
            let first = anywhere(items, depth - 1, random);
            anywhere(first, depth - 1, random)
        }
    }
}

/// Adds random stages and settings.
fn stages(items: Pipeline<Item>, depth: u32, random: &mut Rng, metrics: &Metrics) -> Pipeline<Item> {
    let items = setting(items, random, metrics);
    let items = match random.u64(..if depth == 0 { 13 } else { 15 }) {
        0 => {
            let batching = Batching::of(1000).within(Duration::from_micros(50));
            items.batched(&batching).flat_map(|batch| batch)
        }
        1 => items.ordered(work(random)),
        2 => items.batched(&Batching::of(1)).flat_map(|batch| batch),
        3 => items.paced(&Pace::new(1e7).expect("it can be kept")),
        4 => merge([items, from_iter(Vec::new())]),
        5 => items.keyed(some(random), |item| item.0 % 3, work(random)),
        6 => items.round_robin(some(random), work(random)),
        7 => items.parallel_gather(some(random), |_| Each),
        8 => items.keyed_gather(some(random), |item| item.0 % 3, |_| Each),
        9..13 => anywhere(items, depth, random),
        _ => {
            let first = stages(items, depth - 1, random, metrics);
            stages(first, depth - 1, random, metrics)
        }
    };
    setting(items, random, metrics)
}

/// Combines nothing.
struct Each;

impl Gather<Item> for Each {
    type Out = Item;

    fn take(&mut self, item: Item, emit: &mut impl FnMut(Item) -> Processed) -> Processed {
        emit(item)
    }
}

fn row(mut items: Pipeline<Item>, random: &mut Rng) -> Pipeline<Item> {
    let metrics = Metrics::new();
    for _ in 0..=random.u64(..2) {
        items = stages(items, 2, random, &metrics);
    }
    items
}

/// Counts the items that have come out.
#[derive(Clone, Default)]
struct Out(Arc<(Mutex<u64>, Condvar)>);

impl Out {
    fn came(&self) {
        *self.0.0.lock().expect("not poisoned") += 1;
        self.0.1.notify_all();
    }

    fn wait_for(&self, items: u64) {
        let count = self.0.0.lock().expect("not poisoned");
        drop(self.0.1.wait_while(count, |count| *count < items).expect("not poisoned"));
    }
}

/// The source makes an item only when all but a few of the items before it have come out.
#[test]
fn a_source_that_waits_for_what_comes_out() {
    watched(|| (0..effort(150) as u64).for_each(source_that_waits));
}

fn source_that_waits(seed: u64) {
    let (mut random, out, all) = (Rng::with_seed(seed), Out::default(), Arc::new(()));
    let ahead = [1, 1, 2, 5][random.usize(..4)];
    let make = {
        let out = out.clone();
        move |number: u64| {
            out.wait_for((number + 1).saturating_sub(ahead));
            Item(number, all.clone())
        }
    };
    let way = random.u64(..4);
    if way == 0 {
        let sink = out.clone();
        let running = posted(|items| row(items, &mut random).inspect(move |_| sink.came()));
        let running = running.expect("it can be run");
        (0..ITEMS).for_each(|number| running.post(make(number)).expect("no stage fails"));
        assert_eq!(running.collect().expect("no stage fails").len() as u64, ITEMS, "seed {seed}");
        return;
    }
    let items = row(from_iter((0..ITEMS).map(make)), &mut random);
    match way {
        1 => items.for_each(|_| out.came()).expect("no stage fails"),
        2 => {
            let (port, running) = items.into_port();
            port.into_iter().for_each(|_| out.came());
            running.join().expect("no stage fails");
        }
        _ => items.into_iter().for_each(|item| {
            item.expect("no stage fails");
            out.came();
        }),
    }
    assert_eq!(*out.0.0.lock().expect("not poisoned"), ITEMS, "seed {seed}");
}

/// An endless pipeline is cancelled, left alone, or what comes out is dropped. All threads end.
#[test]
fn an_end_at_any_moment() {
    watched(|| (0..effort(200) as u64).for_each(ended));
}

fn ended(seed: u64) {
    let mut random = Rng::with_seed(seed);
    let (cancel, pulled, all) = (Cancel::new(), Arc::new(AtomicU64::new(0)), Arc::new(()));
    let (counter, left) = (pulled.clone(), Arc::downgrade(&all));
    let source = from_iter((0..).map(move |number| {
        counter.fetch_add(1, Ordering::Relaxed);
        Item(number, all.clone())
    }));
    let source = source.in_flight([1, 2, 5, 256][random.usize(..4)]);
    let items = row(source, &mut random).cancelled_by(&cancel);
    let enough = random.u64(..ITEMS);
    match random.u64(..5) {
        0 => {
            let cancelling = thread::spawn(move || {
                while pulled.load(Ordering::Relaxed) < enough {
                    thread::yield_now();
                }
                cancel.cancel();
            });
            let failure = items.for_each(drop).expect_err("it has no end");
            assert!(
                matches!(failure.kind(), FailureKind::Cancelled) && failure.stuck().is_empty(),
                "{failure}"
            );
            cancelling.join().expect("it does not panic");
        }
        1 => assert!(items.into_iter().take(enough as usize).all(|item| item.is_ok())),
        way => {
            let (mut port, running) = items.into_port();
            assert_eq!(port.iter().take(enough as usize).count() as u64, enough);
            match way {
                2 => {
                    drop(port);
                    running.join().expect("no stage fails");
                }
                3 => {
                    let reading = thread::spawn(move || port.iter().count());
                    drop(running);
                    reading.join().expect("the port closes");
                }
                _ => {
                    running.detach();
                    drop(port);
                }
            }
        }
    }
    while left.upgrade().is_some() {
        thread::yield_now();
    }
}
