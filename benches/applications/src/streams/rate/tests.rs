//! The formulas, and the schedule that follows from them.

use super::{Rate, Swing};
use std::time::Duration;

const SWING: Swing = Swing { period: Duration::from_secs(10), min: 100.0, max: 1100.0 };

#[track_caller]
fn assert_close(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{found} is not {expected}");
}

#[test]
fn formulas() {
    for (second, expected) in [(0.0, 600.0), (2.5, 1100.0), (5.0, 600.0), (7.5, 100.0), (12.5, 1100.0)] {
        assert_close(Rate::Wave(SWING).at(second), expected);
    }
    for (second, expected) in
        [(0.0, 100.0), (4.9, 100.0), (5.0, 1100.0), (9.9, 1100.0), (10.0, 100.0), (16.0, 1100.0)]
    {
        assert_close(Rate::Binary(SWING).at(second), expected);
    }
    for (second, expected) in [(0.0, 100.0), (5.0, 600.0), (10.0, 1100.0), (25.0, 1100.0)] {
        assert_close(Rate::Increasing(SWING).at(second), expected);
        assert_close(Rate::Decreasing(SWING).at(second), 1200.0 - expected);
    }
    for (second, expected) in
        [(0.0, 100.0), (9.0, 100.0), (9.5, 600.0), (9.75, 850.0), (10.0, 100.0), (19.5, 600.0)]
    {
        assert_close(Rate::Spike(SWING, 10.0).at(second), expected);
    }
}

/// The number of items that are due within a time is the integral of the rate.
#[test]
fn the_schedule_sums_up_to_the_rate() {
    let rates = [
        Rate::Constant(250.0),
        Rate::Wave(SWING),
        Rate::Binary(SWING),
        Rate::Increasing(SWING),
        Rate::Decreasing(SWING),
        Rate::Spike(SWING, 10.0),
        Rate::Spike(SWING, 100.0),
        Rate::Wave(Swing { min: 0.0, ..SWING }),
        Rate::Binary(Swing { min: 0.0, ..SWING }),
        Rate::Increasing(Swing { min: 0.0, ..SWING }),
        Rate::Constant(100_000.0),
        Rate::Wave(Swing { min: 50_000.0, max: 100_000.0, ..SWING }),
        Rate::Wave(Swing { period: Duration::from_millis(1), min: 1.0, max: 3.0 }),
        Rate::Binary(Swing { period: Duration::from_millis(1), min: 0.0, max: 3.0 }),
    ];
    for rate in rates {
        for end in [5.0, 10.0, 23.0] {
            let steps = 1_000_000;
            let step = end / f64::from(steps);
            let sum: f64 = (0..steps).map(|at| rate.at((f64::from(at) + 0.5) * step) * step).sum();
            let due = std::iter::successors(rate.next_after(0.0), |at| rate.next_after(*at));
            let items = due.take_while(|at| *at <= end).count() as f64;
            assert!(
                (items - sum).abs() <= 1.0 + sum * 0.002,
                "{rate:?}: {items} items, not {sum}, in {end} seconds"
            );
        }
    }
}

#[test]
fn nothing_is_due_at_rate_0() {
    let none = Swing { min: 0.0, max: 0.0, ..SWING };
    for rate in [
        Rate::Constant(0.0),
        Rate::Wave(none),
        Rate::Binary(none),
        Rate::Increasing(none),
        Rate::Spike(none, 5.0),
    ] {
        assert_eq!(rate.next_after(3.0), None);
    }
    assert_eq!(Rate::Decreasing(Swing { min: 0.0, ..SWING }).next_after(10.0), None, "after the end");
}

/// Extreme rates give an answer at once.
#[test]
fn extremes() {
    let slow = Swing { period: Duration::from_nanos(1), min: 0.0, max: 1e-9 };
    assert!(Rate::Wave(slow).next_after(0.0).is_some_and(|at| (1.9e9..2.1e9).contains(&at)));
    assert!(Rate::Increasing(slow).next_after(0.0).is_some_and(|at| at > 0.9e9));
    let fast = Swing { period: Duration::from_secs(1_000_000), min: 1e12, max: 1e15 };
    assert!(Rate::Wave(fast).next_after(5.0).is_some_and(|at| at >= 5.0));
}
