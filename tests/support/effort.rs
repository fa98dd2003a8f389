//! How often a test does what it does many times.

/// As often as this; a tenth of it where the tests are built with `PIPES_TENTH`, for a sanitizer with which all takes longer; under Miri, which is thousands of times slower and is run with many seeds instead, a ten-thousandth of it.
pub const fn effort(times: usize) -> usize {
    if option_env!("PIPES_TENTH").is_some() {
        return times.div_ceil(10);
    }
    if !cfg!(miri) {
        return times;
    }
    let few = times.div_ceil(10_000);
    if few < 2 { 2 } else { few }
}
