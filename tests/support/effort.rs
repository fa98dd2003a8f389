//! How often a test repeats its race.

/// The number of repetitions: `times`, or a tenth of it if the tests are built with `PIPES_TENTH`, for
/// sanitizers that make everything slow. Under Miri, which is thousands of times slower and is run with many
/// seeds instead, a ten-thousandth.
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
