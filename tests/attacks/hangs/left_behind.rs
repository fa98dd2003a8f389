//! Pipelines of many shapes are abandoned in every way: detached, dropped, cancelled, failed, with their port
//! unread or dropped. In the end none of their threads may be left.

use pipes_skeleton::{Batching, Cancel, Pace, Pipeline, from_iter, merge};
use pipes_tests::{Random, effort, watched};
use std::future::poll_fn;
use std::ops::ControlFlow::{Break, Continue};
use std::sync::{Arc, Weak};
use std::task::Poll;
use std::thread;
use std::time::Duration;

/// An item. All items and stages hold the same `Arc`, which lives as long as one of them does.
type Item = (u64, Arc<()>);

fn pipeline(random: &mut Random) -> (Pipeline<Item>, Weak<()>) {
    let all = Arc::new(());
    let weak = Arc::downgrade(&all);
    let limit = [1, 2, 64, 256][random.below(4) as usize];
    let end = if random.below(2) == 0 { 300 } else { u64::MAX };
    let others = all.clone();
    let source = from_iter((0..end).map(move |n| (n, all.clone()))).window(limit).hand_over(limit);
    let shaped = match random.below(8) {
        0 => source.parallel(3, |item| item),
        1 => {
            let batching = Batching::of(3).within(Duration::from_micros(100));
            source
                .concurrent(5, |item| async move { item })
                .in_order()
                .batched(&batching)
                .flat_map(|batch| batch)
        }
        2 => {
            let odd = |(n, all): Item| if n % 3 == 1 { Continue((n + 1, all)) } else { Break((n, all)) };
            source.feedback(|again| again.parallel(2, odd)).in_order()
        }
        3 => source.farm(2, |share| share.parallel(2, |item| item).sequential(|item| item)),
        4 => {
            let pace = Pace::new(1e5).expect("it can be kept");
            source.paced(&pace).keyed(3, |_| 1, |item| item)
        }
        5 => merge([source, from_iter((0..).map(move |n| (n, others.clone()))).hand_over(1)]),
        6 => source.filter(|_| false),
        _ => source.concurrent(2, |item| {
            // It wakes itself a few times.
            let (mut left, mut item) = (3, Some(item));
            poll_fn(move |cx| {
                left -= 1;
                cx.waker().wake_by_ref();
                if left > 0 {
                    Poll::Pending
                } else {
                    Poll::Ready(item.take().expect("it is polled to its end"))
                }
            })
        }),
    };
    (shaped, weak)
}

fn leave(items: Pipeline<Item>, random: &mut Random) {
    match random.below(5) {
        0 => {
            let (mut port, running) = items.into_port();
            running.detach();
            let enough = random.below(20);
            (0..enough).all(|_| port.recv_timeout(Duration::from_millis(2)).is_ok());
        }
        1 => {
            let (port, running) = items.into_port();
            drop(running);
            drop(port);
        }
        2 => drop(items.into_iter()),
        way => {
            let cancel = Cancel::new();
            let mut left = random.below(50);
            let items = items.cancelled_by(&cancel).try_sequential(move |item| {
                left = left.saturating_sub(1);
                if way == 3 && left == 0 { Err("enough") } else { Ok(item) }
            });
            let run = thread::spawn(move || drop(items.collect()));
            (0..random.below(3000)).for_each(|_| std::hint::spin_loop());
            cancel.cancel();
            run.join().expect("no panic");
        }
    }
}

#[test]
fn no_thread_is_left() {
    watched(|| {
        let mut random = Random::new(7);
        let mut all = Vec::new();
        for _ in 0..effort(1000) {
            let (items, weak) = pipeline(&mut random);
            leave(items, &mut random);
            all.push(weak);
        }
        for weak in all {
            while weak.upgrade().is_some() {
                thread::yield_now();
            }
        }
    });
}
