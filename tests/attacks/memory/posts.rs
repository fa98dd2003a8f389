//! Posted pipelines of random stages, whose items are over-aligned or have no size, and which are ended,
//! cancelled, dropped, waited for and collected at any moment. An item that was not accepted must come back,
//! an accepted one must come out once if nothing fails, and each item must be dropped once.

use pipes_skeleton::{
    Batching, Cancel, Gather, Metrics, Pace, Pipeline, PostError, Posted, Processed, from_iter, merge, posted,
};
use pipes_tests::{Counted, Random, Tally, effort, watched};
use std::future::poll_fn;
use std::ops::ControlFlow::{Break, Continue};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::task::Poll;
use std::time::Duration;

trait Load: Send + Sized + 'static {
    fn make(tally: &Tally, number: u64) -> Self;
    /// Its number, or 7 if it has none.
    fn number(&self) -> u64;
    fn assert_all_gone(tally: &Tally) {
        tally.assert_all_gone();
    }
}

impl Load for Counted {
    fn make(tally: &Tally, number: u64) -> Self {
        tally.make(number)
    }

    fn number(&self) -> u64 {
        self.number
    }
}

#[repr(align(512))]
struct Wide(Counted);

impl Load for Wide {
    fn make(tally: &Tally, number: u64) -> Self {
        Wide(tally.make(number))
    }

    fn number(&self) -> u64 {
        assert_eq!(std::ptr::from_ref(self).addr() % 512, 0);
        self.0.number
    }
}

/// The number of live items without a size.
static EMPTY: AtomicUsize = AtomicUsize::new(0);

struct Empty;

impl Drop for Empty {
    fn drop(&mut self) {
        assert_ne!(EMPTY.fetch_sub(1, SeqCst), 0);
    }
}

impl Load for Empty {
    fn make(_: &Tally, _: u64) -> Self {
        EMPTY.fetch_add(1, SeqCst);
        Empty
    }

    fn number(&self) -> u64 {
        7
    }

    fn assert_all_gone(_: &Tally) {
        assert_eq!(EMPTY.load(SeqCst), 0);
    }
}

/// Collects three items and emits them together.
struct Threes<L>(Vec<L>);

impl<L> Gather<L> for Threes<L> {
    type Out = L;

    fn take(&mut self, item: L, emit: &mut impl FnMut(L) -> Processed) -> Processed {
        self.0.push(item);
        if self.0.len() < 3 { Ok(()) } else { self.finish(emit) }
    }

    fn finish(&mut self, emit: &mut impl FnMut(L) -> Processed) -> Processed {
        self.0.drain(..).try_for_each(emit)
    }
}

/// Adds a random stage. A part of a farm takes only the first five kinds.
fn stage<L: Load>(items: Pipeline<L>, random: &mut Random, is_part: bool) -> Pipeline<L> {
    let kinds = if is_part { 5 } else { 12 };
    match random.below(kinds) {
        0 => items.parallel(2, |item| item),
        1 => items.concurrent(2, |item| {
            let (mut item, mut left) = (Some(item), 2);
            poll_fn(move |cx| {
                left -= 1;
                cx.waker().wake_by_ref();
                if left > 0 { Poll::Pending } else { Poll::Ready(item.take().expect("once")) }
            })
        }),
        2 => {
            items.feedback(|again| {
                again.sequential(|item: L| (item, 0)).feedback(|again| {
                    again.parallel(2, |(item, turns)| {
                        if turns < 2 { Continue((item, turns + 1)) } else { Break(Break(item)) }
                    })
                })
            })
        }
        3 => items.flat_map(|item| [Some(item), None]).filter_map(|item| item),
        4 => items.sequential(|item| item),
        5 => {
            let mut random = random.clone();
            items.farm(2, move |share| {
                let part = stage(share, &mut random, true);
                stage(part, &mut random, true)
            })
        }
        6 => items.keyed(3, L::number, |item| item),
        7 => items.batched(&Batching::of(3).within(Duration::from_micros(50))).flat_map(|batch| batch),
        8 => items.gather(Threes(Vec::new())),
        9 => items.paced(&Pace::new(1e6).expect("it can be kept")),
        10 => items.round_robin(2, |item| item).in_order(),
        _ => merge([items, from_iter(std::iter::empty())]),
    }
}

fn begin<L: Load>(random: &mut Random, cancel: &Cancel) -> Posted<L, L> {
    let running = posted(|mut items: Pipeline<L>| {
        if random.below(2) == 0 {
            items = items.window(1 + random.below(3) as usize).hand_over(1 + random.below(3) as usize);
        }
        for _ in 0..random.below(4) {
            items = stage(items, random, false);
        }
        if random.below(3) == 0 {
            items = items.measured(&Metrics::new());
        }
        items.cancelled_by(cancel)
    });
    running.expect("it can be run")
}

fn program<L: Load>(seed: u64) {
    let (mut random, tally, cancel) = (Random::new(seed), Tally::new(), Cancel::new());
    let mut running = begin::<L>(&mut random, &cancel);
    let mut other = begin::<L>(&mut random, &cancel);
    let mut taken = [Vec::new(), Vec::new()];
    let mut fails = false;
    for number in 0..random.below(if cfg!(miri) { 6 } else { 40 }) {
        let item = L::make(&tally, number);
        let went = match random.below(3) {
            0 => running.post(item),
            1 => running.try_post(item),
            _ => running.post_timeout(item, Duration::from_micros(random.below(50))),
        };
        match went {
            Ok(()) => taken[0].push(if size_of::<L>() == 0 { 7 } else { number }),
            Err(PostError::Full(back) | PostError::Ended(back)) => {
                assert!(size_of::<L>() == 0 || back.number() == number);
            }
        }
        match random.below(60) {
            0 => running.end(),
            1 => {
                fails = true;
                cancel.cancel();
            }
            2 => {
                fails = true;
                running.cancel();
            }
            3 => {
                taken.swap(0, 1);
                std::mem::swap(&mut running, &mut other);
            }
            4 => {
                taken[0].clear();
                drop(std::mem::replace(&mut running, begin(&mut random, &cancel)));
            }
            5 => fails |= running.end_and_wait().is_err(),
            _ => {}
        }
    }
    drop(other);
    if random.below(4) > 0 {
        match running.collect() {
            Ok(came) => {
                let mut came: Vec<_> = came.iter().map(L::number).collect();
                came.sort_unstable();
                assert_eq!(came, taken[0], "seed {seed}");
            }
            Err(failure) => assert!(fails, "seed {seed}: {failure}"),
        }
    } else {
        drop(running);
    }
    L::assert_all_gone(&tally);
}

#[test]
fn ended_at_any_moment() {
    watched(|| {
        let first = std::env::var("PIPES_SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(1);
        for seed in first..first + effort(if cfg!(miri) { 2 } else { 300 }) as u64 {
            program::<Counted>(seed);
            program::<Wide>(seed + 1_000_000);
            program::<Empty>(seed + 2_000_000);
        }
    });
}
