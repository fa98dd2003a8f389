//! Random pipelines, with settings at any point of a row, a farm or a loop. In one test the source makes an
//! item only when all but a few of the items before it have come out. In others the items of a farm wait
//! until the item before them has come out, or as many items as there are replicas wait for each other. No
//! finished item may wait for the items behind it, and no item that is ready for a replica that is busy.

use pipes_skeleton::{Batching, Cancel, Metrics, Pace, Pipeline, flat_map, from_iter, merge, posted};
use pipes_tests::{Random, effort, watched};
use std::future::poll_fn;
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::{Arc, Barrier, Condvar, Mutex};
use std::task::Poll;

const ITEMS: u64 = 100;

/// A number; its upper half counts the rounds that it has made.
type Item = u64;

/// Counts the items that have come out.
#[derive(Clone, Default)]
struct Out(Arc<(Mutex<u64>, Condvar)>);

impl Out {
    fn came(&self) {
        *self.0.0.lock().expect("no thread panics with it") += 1;
        self.0.1.notify_all();
    }

    fn wait_for(&self, items: u64) {
        let count = self.0.0.lock().expect("no thread panics with it");
        drop(self.0.1.wait_while(count, |count| *count < items).expect("as above"));
    }
}

fn lot(seed: u64) -> Random {
    let mut lot = Random::new(seed);
    (0..8).for_each(|_| _ = lot.below(2));
    lot
}

fn work(lot: &mut Random) -> impl FnMut(Item) -> Item + Clone + Send + 'static {
    let mut costs = Random::new(lot.below(1 << 30));
    let most = [1, 100, 5000][lot.below(3) as usize];
    move |item| {
        costs.dawdle(most);
        item
    }
}

fn some(lot: &mut Random) -> usize {
    1 + lot.below(4) as usize
}

/// Applies a random setting, or none.
fn setting(items: Pipeline<Item>, lot: &mut Random, metrics: &Metrics) -> Pipeline<Item> {
    match lot.below(10) {
        0 => items.window(some(lot)),
        1 => items.hand_over(some(lot)),
        2 => items.measured(metrics),
        3 => items.cancelled_by(&Cancel::new()),
        4 => items.named("a name"),
        5 => items.window(256),
        _ => items,
    }
}

/// Lets an item leave the loop in one of `times` rounds, on average.
fn turn(times: u64) -> impl FnMut(Item) -> ControlFlow<Item, Item> + Clone + Send {
    move |item| {
        let next = item + (1 << 32);
        if lot(item).below(times) == 0 { Break(next) } else { Continue(next) }
    }
}

/// Is ready after a few polls.
async fn after_turns(item: Item) -> Item {
    let mut left = item % 3;
    poll_fn(|cx| {
        if left == 0 {
            return Poll::Ready(());
        }
        left -= 1;
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
    item
}

/// Adds random stages. If `nested`, only those that may stand in a farm or a loop.
fn stages(
    items: Pipeline<Item>,
    depth: u32,
    nested: bool,
    lot: &mut Random,
    metrics: &Metrics,
) -> Pipeline<Item> {
    let items = setting(items, lot, metrics);
    let kinds = if nested { 5 } else { 12 };
    let kind = lot.below(if depth == 0 { kinds } else { kinds + 4 });
    let made = match if kind < kinds { kind } else { kind - kinds + 12 } {
        0 => items.parallel(some(lot), work(lot)),
        1 => items.sequential(work(lot)),
        2 => items.concurrent(some(lot), after_turns),
        3 => items.parallel_with(some(lot), |_| flat_map(|item: Item| vec![item])),
        4 => items.filter(|_| true),
        5 => items
            .batched(&Batching::of(1000).within(std::time::Duration::from_micros(50)))
            .flat_map(|batch| batch),
        6 => items.ordered(work(lot)),
        7 => items.batched(&Batching::of(1)).flat_map(|batch| batch),
        8 => items.paced(&Pace::new(1e7).expect("it can be kept")),
        9 => merge([items, from_iter(Vec::new())]),
        10 => items.keyed(some(lot), |item| item % 3, work(lot)),
        11 => items.round_robin(some(lot), work(lot)),
        12 | 13 => {
            let (times, replicas) = (2 + lot.below(3), some(lot));
            items.feedback(|again| {
                stages(again, depth - 1, true, lot, metrics).parallel(replicas, turn(times))
            })
        }
        14 => {
            let (replicas, seed) = (some(lot), lot.below(1 << 40));
            items.farm(replicas, |share| stages(share, depth - 1, true, &mut Random::new(seed), metrics))
        }
        _ => {
            let first = stages(items, depth - 1, nested, lot, metrics);
            stages(first, depth - 1, nested, lot, metrics)
        }
    };
    setting(made, lot, metrics)
}

fn source_in_step(seed: u64) {
    let (mut lot, out, metrics) = (lot(seed), Out::default(), Metrics::new());
    let ahead = [1, 1, 2, 5][lot.below(4) as usize];
    let wait = {
        let out = out.clone();
        move |number: u64| out.wait_for((number + 1).saturating_sub(ahead))
    };
    let how = lot.below(4);
    let mut build = |mut items: Pipeline<Item>| {
        for _ in 0..=lot.below(2) {
            items = stages(items, 2, false, &mut lot, &metrics);
        }
        items
    };
    if how == 0 {
        let sink = out.clone();
        let posting = posted(|items| build(items).inspect(move |_| sink.came())).expect("it can be run");
        for number in 0..ITEMS {
            wait(number);
            posting.post(number).expect("no stage fails");
        }
        assert_eq!(posting.collect().expect("no stage fails").len() as u64, ITEMS, "seed {seed}");
        return;
    }
    let items = build(from_iter((0..ITEMS).inspect(move |number| wait(*number))));
    match how {
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
    assert_eq!(*out.0.0.lock().expect("it is whole"), ITEMS, "seed {seed}");
}

/// Adds `2 * replicas` replicas that call `f`: as a plain farm, as a farm of farms, or as a farm in a loop.
fn farm(
    items: Pipeline<Item>,
    replicas: usize,
    lot: &mut Random,
    f: impl FnMut(Item) -> Item + Clone + Send + 'static,
) -> Pipeline<Item> {
    let items = if lot.below(2) == 0 { items.measured(&Metrics::new()) } else { items };
    match lot.below(3) {
        0 => items.parallel(2 * replicas, f),
        1 => items.farm(replicas, |share| share.parallel(2, f.clone())),
        _ => items.feedback(|again| {
            again.parallel_with(2 * replicas, |_| {
                let mut f = f.clone();
                move |item| Break(f(item))
            })
        }),
    }
}

#[test]
fn a_source_that_waits_for_what_comes_out() {
    watched(|| (0..effort(300) as u64).for_each(source_in_step));
}

#[test]
fn items_that_wait_until_the_one_before_has_come_out() {
    watched(|| {
        for seed in 0..effort(30) as u64 {
            let (mut lot, out) = (lot(seed), Out::default());
            let each = 1 + lot.below(7);
            let wait = {
                let (out, mut work) = (out.clone(), work(&mut lot));
                move |number: u64| {
                    if work(number) % each == 0 {
                        out.wait_for(number);
                    }
                    number
                }
            };
            let items = from_iter(0..1000).window(1 + lot.below(40) as usize);
            let replicas = some(&mut lot);
            let items = farm(items, replicas, &mut lot, wait);
            if lot.below(2) == 0 {
                items.in_order().for_each(|_| out.came()).expect("no stage fails");
            } else {
                let (port, running) = items.into_port();
                port.into_iter().for_each(|_| out.came());
                running.join().expect("no stage fails");
            }
        }
    });
}

#[test]
fn as_many_as_there_are_replicas() {
    watched(|| {
        for seed in 0..effort(10) as u64 {
            let mut lot = lot(seed);
            let replicas = some(&mut lot);
            let all = 2 * replicas as u64;
            let (barrier, each) = (Arc::new(Barrier::new(2 * replicas)), all * (1 + lot.below(60)));
            let mut work = work(&mut lot);
            let meet = move |number| {
                if number % each < all {
                    barrier.wait();
                }
                work(number)
            };
            let items = from_iter(0..each * 50).window(2 * replicas + lot.below(50) as usize);
            let count = farm(items, replicas, &mut lot, meet).collect().expect("no stage fails").len();
            assert_eq!(count as u64, each * 50, "seed {seed}");
        }
    });
}
