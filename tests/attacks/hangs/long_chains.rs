//! Pipelines with 100 stages and with 300, as a sieve may have. They are built, dropped unused, refused, and
//! run, in a thread with the usual stack, which must not overflow. An overflow ends the process, so each test
//! runs in its own process.

use pipes_skeleton::{Pipeline, from_iter};
use pipes_tests::{apart, watched};
use std::ops::ControlFlow::Break;

const STAGES: usize = if cfg!(miri) { 10 } else { 100 };
const MOST: usize = 3 * STAGES;

/// Runs the test in its own process.
fn alone(test: fn()) {
    apart(|| watched(test));
}

fn chain(stages: usize) -> Pipeline<u64> {
    (0..stages).fold(from_iter(0..3_u64), |items, _| items.sequential(|number| number + 1))
}

#[test]
fn dropped_unused() {
    alone(|| drop(chain(MOST)));
}

#[test]
fn refused() {
    alone(|| {
        let _ = chain(MOST).window(0).collect().expect_err("there is no window");
    });
}

#[test]
fn of_sequential_stages() {
    alone(|| assert_eq!(chain(MOST).collect().expect("no stage fails"), [0, 1, 2].map(|n| n + MOST as u64)));
}

#[test]
fn of_farms() {
    alone(|| {
        let farms = (0..STAGES).fold(from_iter(0..3_u64), |items, _| items.parallel(1, |number| number + 1));
        assert_eq!(farms.in_order().collect().expect("no stage fails"), [0, 1, 2].map(|n| n + STAGES as u64));
    });
}

#[test]
fn of_rounds() {
    alone(|| {
        let rounds = (0..STAGES).fold(from_iter(0..3_u64), |items, _| {
            items.feedback(|again| again.sequential(Break::<u64, u64>))
        });
        assert_eq!(rounds.in_order().collect().expect("no stage fails"), [0, 1, 2]);
    });
}

/// A sieve of Eratosthenes, with a stage for each prime.
#[test]
fn a_sieve() {
    alone(|| {
        let primes = (2..8000_u64).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0));
        let primes: Vec<_> = primes.take(STAGES).collect();
        let last = primes[primes.len() - 1];
        let sieve = primes.into_iter().fold(from_iter(2..=last), |numbers, prime| {
            numbers.filter(move |number| *number == prime || number % prime != 0)
        });
        assert_eq!(sieve.collect().expect("no stage fails").len(), STAGES);
    });
}
