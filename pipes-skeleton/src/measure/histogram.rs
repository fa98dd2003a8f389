//! Histograms: the distribution of a time, in constant memory.

use std::fmt;
use std::time::Duration;

/// The number of ranges for each power of two. A value is known to within a sixteenth.
const PARTS: u64 = 16;
const BITS: u32 = PARTS.trailing_zeros();

/// A distribution of times. The number, the sum and the maximum are exact, and each value is known to within
/// 1/16. The ranges of the histogram grow with the values, as in HdrHistogram by Gil Tene.
#[derive(Clone, Default)]
pub struct Histogram {
    /// The number of values in each range, up to the last range that is not empty.
    counts: Vec<u64>,
    count: u64,
    sum: u64,
    max: u64,
}

impl Histogram {
    /// Adds a time, in nanoseconds.
    pub(crate) fn record(&mut self, nanoseconds: u64) {
        let range = range_of(nanoseconds);
        if self.counts.len() <= range {
            self.counts.resize(range + 1, 0);
        }
        self.counts[range] += 1;
        self.count += 1;
        self.sum = self.sum.saturating_add(nanoseconds);
        self.max = self.max.max(nanoseconds);
    }

    /// Adds the values of another histogram.
    pub(crate) fn add(&mut self, other: &Histogram) {
        if self.counts.len() < other.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        self.counts.iter_mut().zip(&other.counts).for_each(|(count, more)| *count += more);
        self.count += other.count;
        self.sum = self.sum.saturating_add(other.sum);
        self.max = self.max.max(other.max);
    }

    /// Returns the number of values.
    ///
    /// ```
    /// use pipes_skeleton::{Metrics, from_iter};
    ///
    /// let metrics = Metrics::new();
    /// from_iter(0..100_u64)
    ///     .parallel(2, |n| n * n)
    ///     .named("square")
    ///     .measured(&metrics)
    ///     .for_each(drop)?;
    /// let report = metrics.report();
    /// assert_eq!(report.latency().count(), 100);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the longest time.
    ///
    /// ```
    /// use pipes_skeleton::{Metrics, from_iter};
    ///
    /// let metrics = Metrics::new();
    /// from_iter(0..100_u64)
    ///     .parallel(2, |n| n * n)
    ///     .named("square")
    ///     .measured(&metrics)
    ///     .for_each(drop)?;
    /// let report = metrics.report();
    /// assert!(report.latency().max() >= report.latency().mean());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn max(&self) -> Duration {
        Duration::from_nanos(self.max)
    }

    /// Returns the mean, or 0 if there are no values.
    ///
    /// ```
    /// use pipes_skeleton::{Metrics, from_iter};
    ///
    /// let metrics = Metrics::new();
    /// from_iter(0..100_u64)
    ///     .parallel(2, |n| n * n)
    ///     .named("square")
    ///     .measured(&metrics)
    ///     .for_each(drop)?;
    /// let report = metrics.report();
    /// assert!(report.latency().mean() <= report.elapsed());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mean(&self) -> Duration {
        Duration::from_nanos(self.sum.checked_div(self.count).unwrap_or(0))
    }

    /// Returns the time that this fraction of the values, from 0 to 1, does not exceed, or 0 if there are no
    /// values. `quantile(0.5)` is the median. One value in a hundred exceeds `quantile(0.99)`.
    ///
    /// ```
    /// use pipes_skeleton::{Metrics, from_iter};
    ///
    /// let metrics = Metrics::new();
    /// from_iter(0..100_u64)
    ///     .parallel(2, |n| n * n)
    ///     .named("square")
    ///     .measured(&metrics)
    ///     .for_each(drop)?;
    /// let report = metrics.report();
    /// assert!(report.latency().quantile(0.5) <= report.latency().quantile(0.99));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn quantile(&self, part: f64) -> Duration {
        let rank = (part.clamp(0.0, 1.0) * self.count as f64).ceil().max(1.0) as u64;
        let mut below = 0;
        let range = self.counts.iter().position(|count| {
            below += count;
            below >= rank
        });
        Duration::from_nanos(range.map_or(0, end_of).min(self.max))
    }
}

/// Returns the range of a value.
fn range_of(value: u64) -> usize {
    if value < PARTS {
        return value as usize;
    }
    let power = value.ilog2();
    let part = (value >> (power - BITS)) - PARTS;
    (u64::from(power - BITS + 1) * PARTS + part) as usize
}

/// Returns the greatest value of a range.
fn end_of(range: usize) -> u64 {
    let (power, part) = (range as u64 / PARTS, range as u64 % PARTS);
    if power == 0 {
        return part;
    }
    let width = 1 << (power - 1);
    (PARTS + part) * width + (width - 1)
}

impl fmt::Debug for Histogram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (median, late) = (self.quantile(0.5), self.quantile(0.99));
        f.debug_struct("Histogram")
            .field("count", &self.count)
            .field("median", &median)
            .field("p99", &late)
            .field("max", &self.max())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::{Histogram, end_of, range_of};
    use std::time::Duration;

    #[test]
    fn ranges_are_contiguous() {
        let mut values: Vec<u64> =
            (0..64).flat_map(|power| [1 << power, (1 << power) - 1, 3 << power >> 1]).collect();
        values.extend([u64::MAX, u64::MAX - 1]);
        for value in values {
            let range = range_of(value);
            assert!(end_of(range) >= value && end_of(range) - value <= value / 16, "{value}");
            assert!(range == 0 || end_of(range - 1) < value, "{value}");
        }
        assert!((1..900).all(|range| end_of(range) > end_of(range - 1) && range_of(end_of(range)) == range));
    }

    #[test]
    fn quantiles() {
        let mut times = Histogram::default();
        assert_eq!(
            (times.quantile(0.5), times.mean(), times.max()),
            (Duration::ZERO, Duration::ZERO, Duration::ZERO)
        );
        (1..=1000).for_each(|time| times.record(time * 1000));
        let median = times.quantile(0.5).as_nanos();
        assert!((500_000..=531_250).contains(&median), "{median}");
        assert_eq!(times.quantile(1.0), Duration::from_millis(1));
        assert_eq!(times.mean(), Duration::from_nanos(500_500));
        let mut both = times.clone();
        both.add(&times);
        assert_eq!((both.count(), both.max(), both.quantile(0.5)), (2000, times.max(), times.quantile(0.5)));
    }
}
