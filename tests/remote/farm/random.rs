//! Random farms, whose results are those of a local one, although pipelines end in any way.
//!
//! `PIPES_FARMS` sets the number of farms.

use crate::protocol::work;
use crate::{LONG, farm, start, words, works};
use pipes_remote::Via;
use pipes_remote::engine::Memory;
use pipes_remote::farm::PipelineExt;
use pipes_remote_tests::size;
use pipes_skeleton::{Cancel, from_iter};
use pipes_tests::{Rng, watched};
use std::thread;

/// A worker with one session that does some items, takes one more, and leaves with it.
fn leave_after(via: Via<Memory>, items: u64) {
    let mut session: work::Client<work::Idle<u64, String>> = match work::connect(&via) {
        Ok(session) => session,
        // The farm has come to its end before.
        Err(_) => return,
    };
    for _ in 0..items {
        let Ok(work::Idle::Item(item, busy)) = session.recv() else { return };
        let Ok(idle) = busy.done(words(item.into_inner())) else { return };
        session = idle;
    }
    let _ = session.recv();
}

#[test]
fn random_farms() {
    for seed in 0..size("PIPES_FARMS", 60) {
        watched(move || run(seed));
    }
}

fn run(seed: u64) {
    let mut random = Rng::with_seed(seed);
    let (via, farm) = farm();
    let leaving = random.u64(..6);
    // Each that leaves may take the same item.
    let farm = farm.tries(leaving as u32 + 1);
    let staying: Vec<_> = (0..1 + random.u64(..3)).map(|_| start(&via, 1 + random.usize(..4))).collect();
    let mut left = Vec::new();
    for _ in 0..leaving {
        let (there, items) = (via.clone(), random.u64(..40));
        left.push(thread::spawn(move || leave_after(there, items)));
    }
    for pipeline in 0..1 + random.u64(..5) {
        let (items, window) = (random.u64(..300), 1 + random.usize(..40));
        let (begin, taken) = (pipeline * 1000, random.u64(..items + 1));
        let numbers = begin..begin + items;
        let expected: Vec<_> = numbers.clone().map(words).collect();
        let prepare = |bad| {
            move |number: u64| {
                assert_ne!(number, bad, "it is bad");
                number
            }
        };
        let remote = from_iter(numbers.clone()).in_flight(window);
        match random.u64(..5) {
            // All of it, in order or not.
            0 => {
                let results = remote.remote(&farm, prepare(u64::MAX)).in_order().collect();
                assert_eq!(results.expect("some stay"), expected, "seed {seed}");
            }
            1 => {
                let mut results = remote.remote(&farm, prepare(u64::MAX)).collect().expect("some stay");
                results.sort_by_key(|result| expected.iter().position(|it| it == result));
                assert_eq!(results, expected, "seed {seed}");
            }
            // It fails.
            2 => {
                let failure = remote.remote(&farm, prepare(begin + taken)).in_order().collect();
                assert_eq!(failure.is_err(), taken < items, "seed {seed}");
            }
            // It is cancelled, or dropped beside another one, after some results.
            kind => {
                let cancel = Cancel::new();
                let remote = remote.remote(&farm, prepare(u64::MAX)).in_order().cancelled_by(&cancel);
                let mut results = remote.into_iter();
                for expected in &expected[..taken as usize] {
                    let result = results.next().expect("there are more").expect("some stay");
                    assert_eq!(result, *expected, "seed {seed}");
                }
                if kind == 3 {
                    cancel.cancel();
                } else {
                    let other = from_iter(numbers).remote(&farm, |number| number).in_order();
                    drop(results);
                    assert_eq!(other.collect().expect("some stay"), expected, "seed {seed}");
                }
            }
        }
    }
    works(&farm, 0..20);
    let report = farm.report();
    assert!(report.given_again() <= leaving, "seed {seed}: {report}");
    assert!(farm.finish(LONG), "seed {seed}");
    for worker in staying {
        worker.join().expect("it does not panic").expect("the farm said the end");
    }
    left.into_iter().for_each(|worker| worker.join().expect("it does not panic"));
}
