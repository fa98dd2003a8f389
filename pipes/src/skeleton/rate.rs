//! How many items a second.

use std::error::Error;
use std::f64::consts::TAU;
use std::fmt;
use std::time::Duration;

/// Into so many parts is a period divided to find when the next item is due.
const PARTS: f64 = 1000.0;

/// How many items a second, and how that changes with time: the patterns of SPBench (Garcia, Griebler, Schepke, Fernandes, 2023).
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Rate {
    /// Always so many.
    Constant(f64),
    /// Up and down, as a sine does, from the middle.
    Wave(Swing),
    /// The least, and after half a period the most, in turns.
    Binary(Swing),
    /// From the least to the most within a period, then the most.
    Increasing(Swing),
    /// From the most to the least within a period, then the least.
    Decreasing(Swing),
    /// The least, and in the last part of each period, of so many percent, up to the most.
    Spike(Swing, f64),
}

/// Between which rates, in items a second, and how long it takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Swing {
    /// A period.
    pub period: Duration,
    /// The least rate.
    pub min: f64,
    /// The most.
    pub max: f64,
}

/// A rate that cannot be kept: it is negative, not a number, the least above the most, the period is 0, or a spike is not within 0 to
/// 100 percent of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImpossibleRate;

impl fmt::Display for ImpossibleRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no rate can be like that")
    }
}

impl Error for ImpossibleRate {}

impl Rate {
    /// The rate so many seconds after the beginning.
    pub fn at(&self, seconds: f64) -> f64 {
        let ramp = |swing: &Swing| (seconds / swing.period.as_secs_f64()).min(1.0) * (swing.max - swing.min);
        match self {
            Rate::Constant(rate) => *rate,
            Rate::Wave(swing) => {
                let amplitude = (swing.max - swing.min) / 2.0;
                amplitude * (TAU * seconds / swing.period.as_secs_f64()).sin() + swing.min + amplitude
            }
            Rate::Binary(swing) => {
                let halves = (2.0 * seconds / swing.period.as_secs_f64()).floor();
                if halves % 2.0 == 0.0 { swing.min } else { swing.max }
            }
            Rate::Increasing(swing) => swing.min + ramp(swing),
            Rate::Decreasing(swing) => swing.max - ramp(swing),
            Rate::Spike(swing, percent) => {
                let period = swing.period.as_secs_f64();
                let (spike, into) = (period * percent / 100.0, seconds % period);
                let since = into - (period - spike);
                if since <= 0.0 { swing.min } else { swing.min + since * (swing.max - swing.min) / spike }
            }
        }
    }

    pub(super) fn is_possible(&self) -> bool {
        let (swing, percent) = match self {
            Rate::Constant(rate) => return *rate >= 0.0 && rate.is_finite(),
            Rate::Wave(swing) | Rate::Binary(swing) | Rate::Increasing(swing) | Rate::Decreasing(swing) => {
                (swing, 0.0)
            }
            Rate::Spike(swing, percent) => (swing, *percent),
        };
        let rates = swing.min >= 0.0 && swing.max >= swing.min && swing.max.is_finite();
        rates && !swing.period.is_zero() && (0.0..=100.0).contains(&percent)
    }

    /// When the next item is due after one at that second: when the rate, summed up, has come to one more. None: never.
    pub(super) fn next_after(&self, mut seconds: f64) -> Option<f64> {
        let constant = |from: f64, items: f64, rate: f64| (rate > 0.0).then(|| from + items / rate);
        let (period, items_a_period) = match self {
            Rate::Constant(rate) => return constant(seconds, 1.0, *rate),
            Rate::Increasing(swing) | Rate::Decreasing(swing) => (swing.period.as_secs_f64(), None),
            Rate::Wave(swing) | Rate::Binary(swing) => {
                let period = swing.period.as_secs_f64();
                (period, Some(period * (swing.min + swing.max) / 2.0))
            }
            Rate::Spike(swing, percent) => {
                let period = swing.period.as_secs_f64();
                (period, Some(period * (swing.min + (swing.max - swing.min) * percent / 200.0)))
            }
        };
        let mut left = 1.0;
        if let Some(items) = items_a_period {
            if items <= 0.0 {
                return None;
            }
            // Where items are rarer than periods, whole periods are passed over.
            let periods = (left / items - 1.0).floor().max(0.0);
            seconds += periods * period;
            left -= periods * items;
        }
        let step = period / PARTS;
        loop {
            if items_a_period.is_none() && seconds >= period {
                return constant(seconds, left, self.at(seconds));
            }
            // The rate in the middle between here and there, as far as that is known.
            let guess = left / self.at(seconds);
            let rate = self.at(seconds + guess.min(step) / 2.0);
            if left <= rate * step {
                return constant(seconds, left, rate);
            }
            left = (left - self.at(seconds + step / 2.0) * step).max(0.0);
            seconds += step;
        }
    }
}

#[cfg(test)]
mod tests;
