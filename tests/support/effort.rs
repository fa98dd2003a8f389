//! How often a test does what it does many times.

/// As often as this; under Miri, which is thousands of times slower and is run with many seeds instead, a ten-thousandth of it.
pub const fn effort(times: usize) -> usize {
    if !cfg!(miri) {
        return times;
    }
    let few = times.div_ceil(10_000);
    if few < 2 { 2 } else { few }
}
