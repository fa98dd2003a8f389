//! Divide and conquer.

use pipes_skeleton::{BuildError, Cause, Divided, divide_and_conquer};
use pipes_tests::{Random, watched};
use std::collections::HashSet;
use std::sync::{Barrier, Mutex};
use std::thread;
use std::time::Duration;

const MANY: u64 = 100_000;

fn fibonacci(n: u64) -> u64 {
    if n < 2 { n } else { fibonacci(n - 1) + fibonacci(n - 2) }
}

#[test]
fn fibonacci_numbers() {
    watched(|| {
        for workers in 1..=8 {
            for n in 0..=16 {
                let divide = |n| if n < 2 { Divided::Solved(n) } else { Divided::Into(vec![n - 1, n - 2]) };
                let found = divide_and_conquer(n, workers, divide, |parts| parts.into_iter().sum());
                assert_eq!(found.expect("nothing panics"), fibonacci(n));
            }
        }
    });
}

fn random_numbers(count: usize) -> Vec<u64> {
    let mut random = Random::new(count as u64);
    (0..count).map(|_| random.below(1000)).collect()
}

/// Parts that borrow, and results that do not.
#[test]
fn mergesort() {
    fn divide(part: &[u64]) -> Divided<&[u64], Vec<u64>> {
        match part.split_at(part.len() / 2) {
            ([], small) => Divided::Solved(small.to_vec()),
            (left, right) => Divided::Into(vec![left, right]),
        }
    }
    fn merge(halves: Vec<Vec<u64>>) -> Vec<u64> {
        let mut halves = halves.into_iter().map(|half| half.into_iter().peekable());
        let (Some(mut left), Some(mut right)) = (halves.next(), halves.next()) else { panic!("two halves") };
        let mut all = Vec::new();
        while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
            all.extend(if a <= b { left.next() } else { right.next() });
        }
        all.into_iter().chain(left).chain(right).collect()
    }
    watched(|| {
        for count in [0, 1, 2, 3, 10, 100, 1000, 5000] {
            let numbers = random_numbers(count);
            let mut sorted = numbers.clone();
            sorted.sort();
            for workers in [1, 2, 3, 8] {
                let found = divide_and_conquer(&numbers[..], workers, divide, merge);
                assert_eq!(found.expect("nothing panics"), sorted);
            }
        }
    });
}

/// In place: parts that borrow mutably, and results of type `()`.
#[test]
fn quicksort() {
    fn divide(part: &mut [u64]) -> Divided<&mut [u64], ()> {
        let Some(last) = part.len().checked_sub(1) else { return Divided::Into(Vec::new()) };
        let mut middle = 0;
        for index in 0..last {
            if part[index] < part[last] {
                part.swap(index, middle);
                middle += 1;
            }
        }
        part.swap(middle, last);
        let (left, right) = part.split_at_mut(middle);
        Divided::Into(vec![left, &mut right[1..]])
    }
    watched(|| {
        for count in [0, 1, 2, 3, 10, 100, 1000, 5000] {
            for workers in [1, 2, 3, 8] {
                let mut numbers = random_numbers(count);
                let mut sorted = numbers.clone();
                sorted.sort();
                divide_and_conquer(&mut numbers[..], workers, divide, |_| ()).expect("nothing panics");
                assert_eq!(numbers, sorted);
            }
        }
    });
}

/// An integral by halving intervals where the function is not flat: as deep as necessary, and equal to the
/// last bit in every run.
#[test]
fn integrate() {
    watched(|| {
        let f = |x: f64| (1.0 / (x + 0.01)).sin();
        let divide = |(from, to): (f64, f64)| {
            let middle = (from + to) / 2.0;
            let (coarse, fine) = ((f(from) + f(to)) / 2.0, (f(from) + 2.0 * f(middle) + f(to)) / 4.0);
            if (coarse - fine).abs() < 1e-3 {
                Divided::Solved(fine * (to - from))
            } else {
                Divided::Into(vec![(from, middle), (middle, to)])
            }
        };
        let area = |workers| {
            divide_and_conquer((0.0, 1.0), workers, divide, |parts| parts.iter().sum::<f64>())
                .expect("nothing panics")
        };
        let alone = area(1);
        assert!((0.4..0.6).contains(&alone), "{alone}");
        (1..=8).for_each(|workers| assert_eq!(area(workers).to_bits(), alone.to_bits()));
    });
}

/// Problems with any number of parts, whose results are combined in order.
#[test]
fn in_the_order_of_the_parts() {
    watched(|| {
        for seed in 0..40 {
            for workers in [1, 2, 4] {
                // Each problem has a depth, and a seed that determines its parts.
                let divide = |(depth, seed): (u32, u64)| {
                    let mut random = Random::new(seed + 1);
                    match random.below(5) {
                        0 => Divided::Solved(format!("{seed} ")),
                        _ if depth == 0 => Divided::Into(Vec::new()),
                        parts => {
                            Divided::Into((0..parts).map(|_| (depth - 1, random.below(1 << 30))).collect())
                        }
                    }
                };
                fn alone(
                    part: (u32, u64),
                    divide: &impl Fn((u32, u64)) -> Divided<(u32, u64), String>,
                ) -> String {
                    match divide(part) {
                        Divided::Solved(text) => text,
                        Divided::Into(parts) => {
                            conquer(parts.into_iter().map(|it| alone(it, divide)).collect())
                        }
                    }
                }
                fn conquer(parts: Vec<String>) -> String {
                    format!("({})", parts.concat())
                }
                let found = divide_and_conquer((6, seed), workers, divide, conquer);
                assert_eq!(found.expect("nothing panics"), alone((6, seed), &divide));
            }
        }
    });
}

/// As deep as there are items, with one part at a time or with two.
#[test]
fn no_stack_grows() {
    watched(|| {
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
    });
}

/// The function panics at the deepest place.
#[test]
fn no_stack_grows_when_it_fails() {
    watched(|| {
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
    });
}

/// Four parts that wait for each other, at the beginning or after the other workers have gone to sleep.
#[test]
fn workers_work_at_the_same_time() {
    watched(|| {
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
    });
}

/// By turns, there is much to do and nothing.
#[test]
fn asleep_and_awake() {
    watched(|| {
        let divide = |n: u64| match n % 10 {
            0 if n == 0 => Divided::Solved(0),
            0 => Divided::Into(std::iter::once(n - 1).chain((0..8).map(|_| 5_000_001)).collect()),
            _ if n > 5_000_000 => {
                thread::sleep(Duration::from_micros(20));
                Divided::Solved(1)
            }
            _ => Divided::Into(vec![n - 1]),
        };
        let found = divide_and_conquer(3000, 4, divide, |results| results.into_iter().sum::<u64>());
        assert_eq!(found.expect("nothing panics"), 300 * 8);
    });
}

#[test]
fn one_worker_is_the_calling_thread() {
    watched(|| {
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
    });
}

#[test]
fn nobody_works() {
    let failure = divide_and_conquer(1, 0, Divided::<_, i32>::Solved, |_| 0).expect_err("there is nobody");
    assert!(matches!(failure.cause(), Cause::Build(BuildError::NoReplicas)));
    assert_eq!(failure.stage(), "divide_and_conquer");
}
