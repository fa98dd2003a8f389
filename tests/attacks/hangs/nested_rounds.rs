//! Random loops within loops, inside farms and around them, with windows from 1 on and with futures inside.
//! All items must come out, and an endless pipeline must end when it is cancelled or dropped, or when its
//! port is dropped, at any moment.

use pipes_skeleton::{Cancel, Cause, Pipeline, flat_map, from_iter};
use pipes_tests::{Random, effort, watched};
use std::future::poll_fn;
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;
use std::thread;

const PIPELINES: u64 = effort(60) as u64;
const ITEMS: u64 = if cfg!(miri) { 5 } else { 40 };
const DEPTH: u32 = 3;

/// A number, and how many rounds it has made.
type Item = (u64, u32);

/// Is ready after a few polls.
async fn after_turns(item: Item) -> Item {
    let mut left = item.1 % 3;
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

/// Is woken by another thread.
async fn from_a_thread(item: Item) -> Item {
    let (chan, port) = pipes::oneshot();
    thread::spawn(move || chan.send(item));
    port.await.unwrap_or(item)
}

/// Lets an item leave the loop in one of `times` rounds, on average. The choice depends on the item alone.
fn turn(times: u64) -> impl FnMut(Item) -> ControlFlow<Item, Item> + Clone + Send {
    move |(number, steps)| {
        let mut lot = Random::new(number << 32 | u64::from(steps));
        (0..4).for_each(|_| _ = lot.below(2));
        if lot.below(times) == 0 { Break((number, steps + 1)) } else { Continue((number, steps + 1)) }
    }
}

/// Adds one or more random stages.
fn stages(items: Pipeline<Item>, depth: u32, lot: &mut Random) -> Pipeline<Item> {
    match lot.below(if depth == 0 { 5 } else { 9 }) {
        0 => items.parallel(1 + lot.below(3) as usize, |item: Item| item),
        1 => items.concurrent(1 + lot.below(3) as usize, after_turns),
        2 if lot.below(4) == 0 => items.concurrent(2, from_a_thread),
        2 => items.sequential(|item| item),
        3 => items.parallel_with(2, |_| flat_map(|item: Item| vec![item])),
        4 => items.filter(|_| true),
        5 | 6 => {
            let (times, replicas) = (2 + lot.below(3), 1 + lot.below(3) as usize);
            items.feedback(|again| stages(again, depth - 1, lot).parallel(replicas, turn(times)))
        }
        7 => {
            let (replicas, seed) = (1 + lot.below(3) as usize, lot.below(1 << 40));
            // All replicas are the same.
            items.farm(replicas, |share| stages(share, depth - 1, &mut Random::new(seed)))
        }
        _ => {
            let first = stages(items, depth - 1, lot);
            stages(first, depth - 1, lot)
        }
    }
}

/// A random pipeline, which counts the items that its source has produced.
fn pipeline(lot: &mut Random, items: u64, pulled: &Arc<AtomicUsize>) -> Pipeline<Item> {
    let pulled = pulled.clone();
    let window = [1, 1, 2, 5, 256][lot.below(5) as usize];
    let mut all = from_iter(0..items)
        .inspect(move |_| _ = pulled.fetch_add(1, Ordering::Relaxed))
        .sequential(|number| (number, number as u32 % 4))
        .window(window)
        .hand_over([1, 3, 256][lot.below(3) as usize]);
    for _ in 0..1 + lot.below(2) {
        all = stages(all, DEPTH, lot);
        if lot.below(3) == 0 {
            all = all.in_order();
        }
        if lot.below(4) == 0 {
            all = all.keyed(2, |item| item.0 % 3, |item| item);
        }
    }
    all
}

fn each(test: impl Fn(&mut Random)) {
    for seed in 0..PIPELINES {
        let mut lot = Random::new(seed);
        // Neighbouring seeds begin with similar numbers.
        (0..8).for_each(|_| _ = lot.below(2));
        test(&mut lot);
    }
}

#[test]
fn all_items_come_out() {
    watched(|| {
        each(|lot| {
            let all = pipeline(lot, ITEMS, &Arc::default()).collect().expect("no stage fails");
            let mut numbers: Vec<_> = all.into_iter().map(|item| item.0).collect();
            numbers.sort_unstable();
            assert!(numbers.into_iter().eq(0..ITEMS));
        });
    });
}

#[test]
fn an_end_at_any_moment() {
    watched(|| {
        each(|lot| {
            let (cancel, pulled) = (Cancel::new(), Arc::default());
            let items = pipeline(lot, u64::MAX, &pulled).cancelled_by(&cancel);
            let enough = lot.below(ITEMS) as usize;
            match lot.below(4) {
                0 => {
                    let canceller = thread::spawn(move || {
                        while pulled.load(Ordering::Relaxed) < enough {
                            thread::yield_now();
                        }
                        cancel.cancel();
                    });
                    let failure = items.for_each(drop).expect_err("it has no end");
                    assert!(
                        matches!(failure.cause(), Cause::Cancelled) && failure.stuck().is_empty(),
                        "{failure}"
                    );
                    canceller.join().expect("it does not panic");
                }
                1 => {
                    let mut items = items.into_iter();
                    assert!(items.by_ref().take(enough).all(|item| item.is_ok()));
                }
                2 => {
                    let (mut port, running) = items.into_port();
                    assert_eq!(port.iter().take(enough).count(), enough);
                    drop(port);
                    running.join().expect("no stage fails");
                }
                _ => {
                    let (mut port, running) = items.into_port();
                    assert_eq!(port.iter().take(enough).count(), enough);
                    let reader = thread::spawn(move || port.iter().count());
                    drop(running);
                    reader.join().expect("the port closes");
                }
            }
        });
    });
}
