//! What the sinks found.

use std::collections::HashMap;
use std::time::Instant;

use serde_json::{Map, Value, json};

use super::model::Outlier;
use crate::chance::Chance;
use crate::streams::Gauge;

/// A sink, which gets all outliers of its customers.
#[derive(Debug)]
pub struct Sink {
    begin: Instant,
    gauge: Gauge,
    positions: HashMap<u32, u32>,
    found: Found,
}

/// What one or several sinks found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    outliers: u64,
    hashes: u64,
    /// Outliers that came after a later one of the same customer.
    late: u64,
    /// In microseconds.
    latencies: Vec<u32>,
}

impl Sink {
    /// A sink for time stamps that count from then.
    pub fn new(begin: Instant, gauge: Gauge) -> Sink {
        Sink { begin, gauge, positions: HashMap::new(), found: Found::default() }
    }

    /// Records an outlier.
    pub fn take(&mut self, outlier: Outlier) {
        let Outlier { key, position, stamp, score } = outlier;
        let before = self.positions.insert(key, position);
        let place = u64::from(key) << 32 | u64::from(position);
        self.found.outliers += 1;
        self.found.hashes = self.found.hashes.wrapping_add(Chance::row(score.to_bits(), place).next());
        self.found.late += u64::from(before.is_some_and(|before| before >= position));
        if stamp > 0 {
            let latency = (self.begin.elapsed().as_micros() as u32).wrapping_sub(stamp);
            self.found.latencies.push(latency);
            self.gauge.took(latency.into());
        }
    }

    /// What it found.
    pub fn found(self) -> Found {
        self.found
    }
}

impl Found {
    /// What two sinks found together.
    pub fn and(mut self, other: Found) -> Found {
        self.outliers += other.outliers;
        self.hashes = self.hashes.wrapping_add(other.hashes);
        self.late += other.late;
        self.latencies.extend(other.latencies);
        self
    }

    /// Describes how this differs from what was due.
    pub fn verify(&self, due: &Found) -> Result<(), String> {
        if self.late > 0 {
            return Err(format!("{} transactions came after a later one of their customer", self.late));
        }
        if (self.outliers, self.hashes) == (due.outliers, due.hashes) {
            return Ok(());
        }
        Err(format!(
            "{} transactions with the hash {:016x} were found, instead of {} with the hash {:016x}",
            self.outliers, self.hashes, due.outliers, due.hashes
        ))
    }

    /// The number of what was passed on, and the latencies that half and 99 % of the stamped transactions do
    /// not exceed, in milliseconds.
    pub fn figures(&self) -> Map<String, Value> {
        let mut latencies = self.latencies.clone();
        latencies.sort_unstable();
        let rank = |percent: usize| {
            let place = (latencies.len() * percent / 100).min(latencies.len().max(1) - 1);
            latencies.get(place).map(|micros| f64::from(*micros) / 1e3)
        };
        let figures = [
            ("passed_on", json!(self.outliers)),
            ("latency_p50_ms", json!(rank(50))),
            ("latency_p99_ms", json!(rank(99))),
        ];
        figures.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_number_and_scores_count() {
        let outlier = |position, score| Outlier { key: 1, position, stamp: 0, score };
        let of = |outliers: &[Outlier]| {
            let mut sink = Sink::new(Instant::now(), Gauge::default());
            outliers.iter().for_each(|outlier| sink.take(*outlier));
            sink.found()
        };
        let due = of(&[outlier(4, 0.97), outlier(6, 0.98)]);
        assert_eq!(due.verify(&due), Ok(()));
        let told = of(&[outlier(6, 0.98), outlier(4, 0.97)]).verify(&due);
        assert_eq!(told, Err("1 transactions came after a later one of their customer".to_owned()));
        for other in [&[outlier(4, 0.97)][..], &[outlier(4, 0.97), outlier(6, 0.97)]] {
            assert!(of(other).verify(&due).is_err_and(|told| told.contains("instead of 2 with the hash")));
        }
        assert_eq!(due.clone().and(of(&[])).verify(&due), Ok(()));
    }
}
