//! Items go back in a loop and become several on their way, through stages of each kind. All parts of an item
//! carry its number; none may be lost, or be counted for another item.

use pipes_skeleton::{Pipeline, filter_map, flat_map, from_iter};
use pipes_tests::{Counted, Tally, watched};
use std::future::poll_fn;
use std::ops::ControlFlow::{Break, Continue};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::task::Poll;

/// How often an item is divided.
const DEPTH: u64 = if cfg!(miri) { 2 } else { 5 };

/// How many more polls a late future takes.
const LATE: u64 = if cfg!(miri) { 4 } else { 40 };

/// An item of a loop, and how often it was divided.
struct Part(Counted, u64);

/// Divides each item into two, `DEPTH` times, with other stages in between. Returns how many parts of each
/// item came out.
fn divided(items: u64, tally: &Tally, between: impl FnOnce(Pipeline<Part>) -> Pipeline<Part>) -> Vec<usize> {
    let (first, maker) = (tally.clone(), tally.clone());
    let halve = move |Part(item, depth): Part| {
        let other = maker.make(item.number);
        [Part(item, depth + 1), Part(other, depth + 1)]
    };
    let out = from_iter(0..items)
        .sequential(move |number| Part(first.make(number), 0))
        .feedback(|again| {
            let halves = again.parallel_with(2, |_| flat_map(halve.clone()));
            between(halves).parallel(2, |Part(item, depth)| match depth {
                DEPTH => Break(item),
                _ => Continue(Part(item, depth)),
            })
        })
        .collect()
        .expect("no stage fails");
    let mut came = vec![0; items as usize];
    out.iter().for_each(|item| came[item.number as usize] += 1);
    came
}

#[track_caller]
fn all_come_out(between: impl Fn(Pipeline<Part>) -> Pipeline<Part>) {
    for items in [1, 3] {
        let tally = Tally::new();
        let came = divided(items, &tally, &between);
        assert_eq!(came, vec![1 << DEPTH; items as usize], "parts of each item");
        tally.assert_all_gone();
    }
}

#[test]
fn through_stages() {
    watched(|| {
        all_come_out(|parts| parts);
        all_come_out(|parts| parts.parallel_with(2, |_| filter_map(Some)));
        all_come_out(|parts| parts.farm(2, |share| share.sequential(|part| part).parallel(2, |part| part)));
    });
}

#[test]
fn through_rounds() {
    watched(|| {
        all_come_out(|parts| {
            parts.sequential(|part| (part, 3)).feedback(|again| {
                again.parallel(2, |(part, turns)| match turns {
                    0 => Break(part),
                    _ => Continue((part, turns - 1)),
                })
            })
        });
    });
}

/// Futures that take a few polls each, so that those of several parts of one item run together.
#[test]
fn through_futures() {
    watched(|| {
        for at_a_time in [1, 2, 7] {
            all_come_out(|parts| {
                parts.concurrent(at_a_time, |part| async move {
                    let mut turns = 1 + part.0.number % 3 + LATE * (part.1 % 2);
                    poll_fn(|cx| {
                        turns -= 1;
                        cx.waker().wake_by_ref();
                        if turns == 0 { Poll::Ready(()) } else { Poll::Pending }
                    })
                    .await;
                    part
                })
            });
        }
    });
}

/// All parts into which one item was divided wait for each other: two at the first depth, and four at the
/// second.
#[test]
fn futures_of_one_item_that_wait_for_each_other() {
    watched(|| {
        let begun = Arc::new(AtomicUsize::new(0));
        let out = from_iter([0_u64])
            .feedback(|again| {
                again.parallel_with(1, |_| flat_map(|depth: u64| [depth + 1, depth + 1])).concurrent(
                    8,
                    move |depth| {
                        let begun = begun.clone();
                        async move {
                            begun.fetch_add(1, SeqCst);
                            let all = if depth == 1 { 2 } else { 6 };
                            poll_fn(|cx| {
                                cx.waker().wake_by_ref();
                                if begun.load(SeqCst) >= all { Poll::Ready(()) } else { Poll::Pending }
                            })
                            .await;
                            if depth == 2 { Break(depth) } else { Continue(depth) }
                        }
                    },
                )
            })
            .collect();
        assert_eq!(out.expect("no stage fails"), [2; 4]);
    });
}
