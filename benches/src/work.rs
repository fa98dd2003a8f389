//! Work that takes a processor a known time.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Mixes the bits of a number repeatedly, at least once. Each step needs the result of the previous one, so
/// none can be optimized away.
#[inline]
pub fn mix(number: u64, steps: u64) -> u64 {
    (0..=steps)
        .fold(number, |mixed, _| (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9).wrapping_add(1))
}

/// Measures the number of steps per microsecond: the best of a few attempts, because the others were
/// disturbed.
pub fn steps_per_microsecond() -> f64 {
    const STEPS: u64 = 100_000;
    let attempt = |seed| {
        let start = Instant::now();
        black_box(mix(black_box(seed), STEPS));
        start.elapsed()
    };
    let best = (0..20).map(attempt).min().unwrap_or(Duration::MAX);
    STEPS as f64 / (best.as_secs_f64() * 1e6)
}
