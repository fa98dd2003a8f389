//! Futures that own ends of all kinds are polled by a set of futures, by two threads in turn, or by an async
//! stage, and are dropped in the middle, at any moment, while a thread uses the other ends. Each value must
//! be dropped once, and the other sides must come to their end.

use super::midway_jobs::{Job, job};
use futures::StreamExt;
use futures::stream::FuturesUnordered;
use pipes_skeleton::{Cancel, from_iter};
use pipes_tests::{Bell, Lent, Random, Tally, effort, lend, watched};
use std::panic::panic_any;
use std::sync::mpsc::{Sender, channel};
use std::task::Context;
use std::thread;

const JOBS: u64 = if cfg!(miri) { 5 } else { 12 };

/// Makes jobs, with their other sides in two threads.
fn jobs(tally: &Tally, lot: &mut Random) -> (Vec<Job>, Vec<Lent<()>>) {
    let (mut jobs, mut threads) = (Vec::new(), Vec::new());
    for _ in 0..2 {
        let (own, others): (Vec<_>, Vec<_>) = (0..JOBS / 2).map(|_| job(tally, lot)).unzip();
        let own_lot = Random::new(lot.below(1 << 40));
        jobs.extend(own);
        threads.push(lend(move || {
            others.into_iter().for_each(|other| other(own_lot.clone()));
        }));
    }
    (jobs, threads)
}

/// The futures that are polled by one thread.
type Set = FuturesUnordered<Job>;

fn poll_some(set: &mut Set, lot: &mut Random, back: Option<&Sender<Job>>) {
    let (bell, waker) = Bell::new();
    for _ in 0..lot.below(3 * JOBS) {
        let _ = set.poll_next_unpin(&mut Context::from_waker(&waker));
        lot.dawdle(300);
        if lot.below(8) == 0 {
            thread::yield_now();
        }
        // One future is removed from the set and polled alone, with another waker, and goes to the other set.
        if let (0, Some(back)) = (lot.below(6), back)
            && let Some(mut job) = std::mem::take(set).into_iter().fold(None, |one: Option<Job>, job| {
                if let Some(one) = one {
                    set.push(one);
                }
                Some(job)
            })
            && job.as_mut().poll(&mut Context::from_waker(&waker)).is_pending()
        {
            drop(back.send(job));
        }
    }
    drop(bell);
}

fn in_two_threads(seed: u64) {
    let (tally, mut lot) = (Tally::new(), Random::new(seed));
    let (futures, threads) = jobs(&tally, &mut lot);
    let mut set: Set = futures.into_iter().collect();
    let (back, more) = channel();
    poll_some(&mut set, &mut lot, Some(&back));
    let mut other_lot = Random::new(seed + 1);
    let other = lend(move || {
        poll_some(&mut set, &mut other_lot, None);
        if other_lot.below(2) == 0 {
            set.clear()
        }
        set
    });
    drop(back);
    let mut rest: Set = more.into_iter().collect();
    poll_some(&mut rest, &mut lot, None);
    drop(rest);
    drop(other.join().expect("it only polls"));
    threads.into_iter().for_each(|thread| thread.join().expect("it does not panic"));
    tally.assert_all_gone();
}

fn in_a_stage(seed: u64) {
    let (tally, mut lot) = (Tally::new(), Random::new(seed));
    let (futures, threads) = jobs(&tally, &mut lot);
    let (cancel, fuse, taken) = (Cancel::new(), lot.below(3 * JOBS), lot.below(2 * JOBS));
    let mut number = 0;
    let pipeline = from_iter(futures).concurrent(1 + lot.below(JOBS) as usize, move |job| {
        number += 1;
        let number = number;
        async move {
            let count = job.await;
            if number == fuse {
                panic_any(number);
            }
            count
        }
    });
    let pipeline = if lot.below(2) == 0 { pipeline.in_order() } else { pipeline };
    let (port, running) = pipeline.cancelled_by(&cancel).into_port();
    let own = tally.clone();
    let canceller = lend(move || {
        lot.dawdle(30_000);
        if lot.below(2) == 0 {
            cancel.cancel();
        }
        drop(own);
    });
    let came = port.into_iter().take(taken as usize).count();
    drop(running);
    canceller.join().expect("it only cancels");
    threads.into_iter().for_each(|thread| thread.join().expect("it does not panic"));
    assert!(came as u64 <= JOBS);
    tally.assert_all_gone();
}

#[test]
fn polled_here_and_there() {
    watched(|| (0..if cfg!(miri) { 6 } else { effort(3000) as u64 }).for_each(in_two_threads));
}

#[test]
fn polled_by_a_stage() {
    watched(|| (0..if cfg!(miri) { 4 } else { effort(2000) as u64 }).for_each(in_a_stage));
}
