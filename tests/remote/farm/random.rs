//! Random farms, whose results are those of a local one.
//!
//! `PIPES_FARMS` sets the number of farms.

use crate::protocol::work;
use crate::{LONG, farm, start, words};
use pipes_remote::Via;
use pipes_remote::engine::Memory;
use pipes_remote::farm::Remote;
use pipes_remote_tests::size;
use pipes_skeleton::from_iter;
use pipes_tests::{Random, watched};
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
    let mut random = Random::new(seed);
    let (via, farm) = farm();
    let leaving = random.below(6);
    // Each that leaves may take the same item.
    let farm = farm.tries(leaving as u32 + 1);
    let staying: Vec<_> =
        (0..1 + random.below(3)).map(|_| start(&via, 1 + random.below(4) as usize)).collect();
    let mut left = Vec::new();
    for _ in 0..leaving {
        let (there, items) = (via.clone(), random.below(40));
        left.push(thread::spawn(move || leave_after(there, items)));
    }
    let mut all = 0;
    for _ in 0..1 + random.below(3) {
        let (items, window) = (random.below(300), 1 + random.below(40) as usize);
        all += items;
        let expected = from_iter(0..items).parallel(2, words).in_order().collect().expect("none fails");
        let mut remote = from_iter(0..items).remote(&farm, |number| number);
        if random.below(2) == 0 {
            remote = remote.window(window);
        }
        if random.below(2) == 0 {
            assert_eq!(remote.in_order().collect().expect("some stay"), expected, "seed {seed}");
        } else {
            let mut results = remote.collect().expect("some stay");
            results.sort_by_key(|result| expected.iter().position(|it| it == result));
            assert_eq!(results, expected, "seed {seed}");
        }
    }
    let report = farm.report();
    assert_eq!(report.items(), all, "seed {seed}: {report}");
    assert!(report.given_again() <= leaving, "seed {seed}: {report}");
    assert!(farm.finish(LONG), "seed {seed}");
    for worker in staying {
        worker.join().expect("it does not panic").expect("the farm said the end");
    }
    left.into_iter().for_each(|worker| worker.join().expect("it does not panic"));
}
