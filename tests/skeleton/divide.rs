//! Divide and conquer.

use pipes_skeleton::{BuildError, Divided, FailureKind, divide_and_conquer};
use pipes_tests::{Rng, test_in, watched};
use std::collections::HashSet;
use std::sync::{Barrier, Mutex};
use std::thread;
use std::time::Duration;

const MANY: u64 = 100_000;

/// Problems with any number of parts, whose results are combined in order.
#[test_in(watched)]
fn in_the_order_of_the_parts() {
    for seed in 0..40 {
        for workers in [1, 2, 4] {
            // Each problem has a depth, and a seed that determines its parts.
            let divide = |(depth, seed): (u32, u64)| {
                let mut random = Rng::with_seed(seed + 1);
                match random.u64(..5) {
                    0 => Divided::Solved(format!("{seed} ")),
                    _ if depth == 0 => Divided::Into(Vec::new()),
                    parts => Divided::Into((0..parts).map(|_| (depth - 1, random.u64(..1 << 30))).collect()),
                }
            };
            fn alone(
                part: (u32, u64),
                divide: &impl Fn((u32, u64)) -> Divided<(u32, u64), String>,
            ) -> String {
                match divide(part) {
                    Divided::Solved(text) => text,
                    Divided::Into(parts) => conquer(parts.into_iter().map(|it| alone(it, divide)).collect()),
                }
            }
            fn conquer(parts: Vec<String>) -> String {
                format!("({})", parts.concat())
            }
            let found = divide_and_conquer((6, seed), workers, divide, conquer);
            assert_eq!(found.expect("nothing panics"), alone((6, seed), &divide));
        }
    }
}

/// As deep as there are items, with one part at a time or with two.
#[test_in(watched)]
fn no_stack_grows() {
    for workers in [1, 2, 4] {
        for parts in [1, 2] {
            let divide = |n| match n {
                0 => Divided::Solved(0),
                n => Divided::Into((0..parts).map(|part| if part == 0 { n - 1 } else { 0 }).collect()),
            };
            let conquer = |results: Vec<u64>| results.iter().sum::<u64>() + 1;
            let depth = divide_and_conquer(MANY, workers, divide, conquer);
            assert_eq!(depth.expect("nothing panics"), MANY);
        }
    }
}

/// The function panics at the deepest place.
#[test_in(watched)]
fn no_stack_grows_when_it_fails() {
    for workers in [1, 2, 4] {
        for parts in [1, 2] {
            let divide = |n: u64| {
                assert!(n > 0, "deep enough");
                Divided::Into((0..parts).map(|part| if part == 0 { n - 1 } else { n + MANY }).collect())
            };
            let divide = |n| if n > MANY { Divided::Solved(n) } else { divide(n) };
            let failure = divide_and_conquer(MANY, workers, divide, |results| results.len() as u64);
            assert_eq!(failure.expect_err("it panics").panic_message(), Some("deep enough"));
        }
    }
}

/// Four parts that wait for each other, at the beginning or after the other workers have gone to sleep.
#[test_in(watched)]
fn workers_work_at_the_same_time() {
    for slow in [0, 0, 1, 5, 20] {
        let all = Barrier::new(4);
        let divide = |step: u64| match step {
            0 => {
                all.wait();
                Divided::Solved(1)
            }
            1 => Divided::Into(vec![0; 4]),
            1000 => Divided::Solved(0),
            step => {
                thread::sleep(Duration::from_millis(slow));
                // The first part with two parts starts the threads, and leaves them nothing to do.
                Divided::Into(if step == 5 { vec![4, 1000] } else { vec![step - 1] })
            }
        };
        let met = divide_and_conquer(5, 4, divide, |results| results.into_iter().sum());
        assert_eq!(met.expect("nothing panics"), 4);
    }
}

#[test_in(watched)]
fn one_worker_is_the_calling_thread() {
    let seen = Mutex::new(HashSet::new());
    let see = || {
        seen.lock().unwrap().insert(thread::current().id());
    };
    let divide = |n: u64| {
        see();
        if n < 2 { Divided::Solved(n) } else { Divided::Into(vec![n - 1, n - 2]) }
    };
    let conquer = |results: Vec<u64>| {
        see();
        results.into_iter().sum()
    };
    assert_eq!(divide_and_conquer(10, 1, divide, conquer).expect("nothing panics"), 55);
    assert_eq!(divide_and_conquer(1, usize::MAX, divide, conquer).expect("nothing panics"), 1);
    // There are never two parts at a time.
    let chain = |n: u64| {
        see();
        if n == 0 { Divided::Solved(n) } else { Divided::Into(vec![n - 1]) }
    };
    assert_eq!(divide_and_conquer(9, 8, chain, conquer).expect("nothing panics"), 0);
    assert_eq!(seen.into_inner().unwrap(), HashSet::from([thread::current().id()]));
}

#[test]
fn nobody_works() {
    let failure = divide_and_conquer(1, 0, Divided::<_, i32>::Solved, |_| 0).expect_err("there is nobody");
    assert!(matches!(failure.kind(), FailureKind::Build(BuildError::NoReplicas)));
    assert_eq!(failure.stage(), "divide_and_conquer");
}
