//! Destructors panic where stages keep values in a table: the other values must be dropped all the same.

use pipes_skeleton::{flat_map, from_iter};
use pipes_tests::{Counted, Tally, watched};
use std::future::{pending, ready};
use std::ops::ControlFlow::{Break, Continue};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

/// How many values are in a table. One of them panics.
const MANY: u64 = if cfg!(miri) { 12 } else { 60 };

/// The values that panic, one in each run.
const BOMBS: [u64; 3] = [0, MANY / 2, MANY - 1];

fn each(test: impl Fn(&Tally, u64) + Send + 'static) {
    watched(move || {
        for bomb in BOMBS {
            let tally = Tally::new();
            test(&tally, bomb);
            tally.assert_all_gone();
        }
    });
}

fn make(tally: &Tally, number: u64, bomb: u64) -> Counted {
    if number == bomb { tally.make_bomb(number) } else { tally.make(number) }
}

/// Each item has become two: one has left the loop and waits for the other one, which goes round.
#[test]
fn what_waits_for_the_rest_of_its_round() {
    each(|tally, bomb| {
        let (tally, seen) = (tally.clone(), AtomicU64::new(0));
        let failed = from_iter(0..MANY)
            .window(MANY as usize)
            .sequential(|number| (number, true))
            .feedback(|again| {
                let stage = move |(number, is_first): (u64, bool)| {
                    if is_first {
                        seen.fetch_add(1, SeqCst);
                        return vec![Break(make(&tally, number, bomb)), Continue((number, false))];
                    }
                    assert!(seen.load(SeqCst) < MANY, "all are there");
                    vec![Continue((number, false))]
                };
                let mut stage = Some(stage);
                again.parallel_with(1, |_| flat_map(stage.take().expect("there is one replica")))
            })
            .collect();
        let failure = failed.map(drop).expect_err("it panics");
        assert_eq!((failure.stage(), failure.panic_message()), ("stage 2", Some("all are there")));
    });
}

/// Of each group of two items one future is done, and the other one is not.
#[test]
fn results_that_wait_for_the_rest_of_their_group() {
    each(|tally, bomb| {
        let (tally, done) = (tally.clone(), Arc::new(AtomicU64::new(0)));
        let failed = from_iter(0..MANY)
            .window(MANY as usize)
            .parallel_with(2, |_| flat_map(|number| [(number, true), (number, false)]))
            .concurrent(2 * MANY as usize, move |(number, is_ready)| {
                let item = is_ready.then(|| make(&tally, number, bomb));
                if is_ready {
                    done.fetch_add(1, SeqCst);
                }
                let is_last = !is_ready && done.load(SeqCst) == MANY;
                async move {
                    match item {
                        Some(item) => ready(item).await,
                        None if is_last => panic!("the last one"),
                        None => pending().await,
                    }
                }
            })
            .collect();
        assert_eq!(failed.map(drop).expect_err("it panics").panic_message(), Some("the last one"));
    });
}
