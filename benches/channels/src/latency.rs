//! How long each round trip or call takes, if the options request that.

use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use serde_json::{Map, Value};

use pipes_benches::harness::Column;

/// What a client has beside it while it makes its round trips or calls. `()` measures nothing: the client's
/// loop is compiled as if it were not there.
pub trait Stopwatch: Clone + Send + 'static {
    /// When a round trip began.
    type Begun: Send;

    /// Begins a round trip.
    fn begin(&self) -> Self::Begun;

    /// Ends the round trip that began then.
    fn end(&mut self, begun: Self::Begun);

    /// What was measured.
    fn latencies(self) -> Option<Latencies>;
}

impl Stopwatch for () {
    type Begun = ();

    #[inline]
    fn begin(&self) {}

    #[inline]
    fn end(&mut self, (): ()) {}

    fn latencies(self) -> Option<Latencies> {
        None
    }
}

/// The times of round trips or calls, each within one percent, in 30 KB.
#[derive(Clone, Debug)]
pub struct Latencies(Histogram<u64>);

/// A longer time counts as this one.
const LONGEST: Duration = Duration::from_secs(60);
const DIGITS: u8 = 2;

/// The figures of the latencies.
pub const COLUMNS: &[Column] = &[
    Column { figure: "p50_ns", head: "p50", has_ratio: false },
    Column { figure: "p99_ns", head: "p99", has_ratio: true },
    Column { figure: "p999_ns", head: "p99.9", has_ratio: false },
];

/// The parts of the values for which the columns stand.
const QUANTILES: [f64; 3] = [0.5, 0.99, 0.999];

impl Latencies {
    /// No times yet.
    pub fn new() -> Latencies {
        let longest = LONGEST.as_nanos() as u64;
        Latencies(Histogram::new_with_bounds(1, longest, DIGITS).expect("the bounds are in order"))
    }

    /// The times of several clients together.
    pub fn together(clients: impl IntoIterator<Item = Latencies>) -> Option<Latencies> {
        clients.into_iter().reduce(|mut all, client| {
            all.0.add(client.0).expect("all have the same bounds");
            all
        })
    }

    /// The number of times.
    pub fn count(&self) -> u64 {
        self.0.len()
    }

    /// The figures of the columns, in nanoseconds.
    pub fn figures(&self) -> Map<String, Value> {
        let figure = |(column, quantile): (&Column, f64)| {
            (column.figure.to_owned(), self.0.value_at_quantile(quantile).into())
        };
        COLUMNS.iter().zip(QUANTILES).map(figure).collect()
    }
}

impl Stopwatch for Latencies {
    type Begun = Instant;

    #[inline]
    fn begin(&self) -> Instant {
        Instant::now()
    }

    #[inline]
    fn end(&mut self, begun: Instant) {
        self.0.saturating_record(begun.elapsed().as_nanos() as u64);
    }

    fn latencies(self) -> Option<Latencies> {
        Some(self)
    }
}

/// Describes how the number of times differs from that of the round trips or calls, if they were measured.
pub fn verify(latencies: Option<&Latencies>, due: u64) -> Result<(), String> {
    match latencies.map(Latencies::count) {
        Some(count) if count != due => Err(format!("{count} latencies were measured instead of {due}")),
        _ => Ok(()),
    }
}

/// A contender that gets a stopwatch as its last argument: one that measures if the options have `latency`,
/// and otherwise `()`. The argument is a closure that calls the contender without it.
macro_rules! with_stopwatch {
    (|$options:ident, $at:tt| { $($call:tt)+ }) => {
        $crate::latency::with_stopwatch!(|$options, $at| $($call)+)
    };
    (|$options:ident, $at:tt| $($way:ident)::+ ($($argument:expr),+ $(,)?)) => {
        |$options: &Self, $at| {
            if $options.latency {
                $($way)::+($($argument),+, $crate::latency::Latencies::new())
            } else {
                $($way)::+($($argument),+, ())
            }
        }
    };
}
pub(crate) use with_stopwatch;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_within_a_percent() {
        let clients = [1, 2].map(|client| {
            let mut latencies = Latencies::new();
            (client..=1000).step_by(2).for_each(|time| latencies.0.saturating_record(time * 1000));
            latencies
        });
        let all = Latencies::together(clients).expect("there are clients");
        assert_eq!(all.count(), 1000);
        let figures = all.figures();
        for (column, due) in COLUMNS.iter().zip([500_000_u64, 990_000, 999_000]) {
            let value = figures[column.figure].as_u64().expect("a number");
            assert!((due..=due + due / 100).contains(&value), "{}: {value}", column.figure);
        }
    }

    #[test]
    fn a_stopwatch_counts_what_it_is_asked_to() {
        fn timed<W: Stopwatch>(mut stopwatch: W) -> Option<u64> {
            for _ in 0..5 {
                let begun = stopwatch.begin();
                stopwatch.end(begun);
            }
            stopwatch.latencies().map(|latencies| latencies.count())
        }
        assert_eq!((timed(()), timed(Latencies::new())), (None, Some(5)));
        assert!(Latencies::together([]).is_none());
    }

    #[test]
    fn missing_latencies_are_told() {
        assert_eq!(verify(None, 3), Ok(()));
        assert_eq!(verify(Some(&Latencies::new()), 0), Ok(()));
        assert!(verify(Some(&Latencies::new()), 3).is_err_and(|told| told.starts_with("0 latencies")));
    }
}
