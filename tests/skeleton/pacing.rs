//! Paces: items never come before they are due, however the rate changes.

use pipes_skeleton::{ImpossibleRate, Pace, from_iter};
use pipes_tests::{test_in, watched};
use std::time::{Duration, Instant};

#[test_in(watched)]
fn never_too_early() {
    let pace = Pace::new(20_000.0).expect("it can be kept");
    let begin = Instant::now();
    let times = from_iter(0..1000_u64).paced(&pace).sequential(move |n| {
        assert!(begin.elapsed() >= Duration::from_micros(50 * n), "item {n}");
    });
    assert_eq!(times.collect().expect("none fails").len(), 1000);
}

#[test]
fn impossible() {
    assert_eq!(Pace::new(f64::NAN).map(drop), Err(ImpossibleRate));
    let pace = Pace::new(1.0).expect("it can be kept");
    assert_eq!(pace.set(-1.0), Err(ImpossibleRate));
}
