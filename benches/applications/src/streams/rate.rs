//! Rates: the number of items per second, and how it changes.

mod course;

use self::course::{Piece, walk};
use std::f64::consts::TAU;
use std::time::Duration;

/// The number of items per second, and how it changes with time: the patterns of SPBench (Garcia, Griebler,
/// Schepke, Fernandes, 2023).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rate {
    /// A constant rate.
    Constant(f64),
    /// Up and down like a sine, starting in the middle.
    Wave(Swing),
    /// The minimum for half a period, then the maximum for half a period, in turn.
    Binary(Swing),
    /// Rises from the minimum to the maximum within a period, then stays there.
    Increasing(Swing),
    /// Falls from the maximum to the minimum within a period, then stays there.
    Decreasing(Swing),
    /// The minimum; in the last part of each period, which is this percentage of it, the rate rises to the
    /// maximum.
    Spike(Swing, f64),
}

/// The range of a rate, in items a second, and its period.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Swing {
    /// The length of a period.
    pub period: Duration,
    /// The lowest rate.
    pub min: f64,
    /// The highest rate.
    pub max: f64,
}

impl Rate {
    /// The rate at this number of seconds after the beginning.
    pub fn at(&self, seconds: f64) -> f64 {
        let ramp = |swing: &Swing| (seconds / swing.period.as_secs_f64()).min(1.0) * (swing.max - swing.min);
        // The fraction of the period that has passed.
        let part = |swing: &Swing| {
            let period = swing.period.as_secs_f64();
            seconds.rem_euclid(period) / period
        };
        match self {
            Rate::Constant(rate) => *rate,
            Rate::Wave(swing) => {
                let amplitude = (swing.max - swing.min) / 2.0;
                amplitude * (TAU * part(swing)).sin() + swing.min + amplitude
            }
            Rate::Binary(swing) => {
                if part(swing) < 0.5 {
                    swing.min
                } else {
                    swing.max
                }
            }
            Rate::Increasing(swing) => swing.min + ramp(swing),
            Rate::Decreasing(swing) => swing.max - ramp(swing),
            Rate::Spike(swing, percent) => {
                let period = swing.period.as_secs_f64();
                let (spike, into) = (spike(swing, *percent), seconds.rem_euclid(period));
                let since = into - (period - spike);
                if since <= 0.0 { swing.min } else { swing.min + since / spike * (swing.max - swing.min) }
            }
        }
    }

    /// The number of seconds after the beginning at which the next item is due, if the one before it was due
    /// at `seconds`: when the integral of the rate has grown by 1. It is never before `seconds`, and at most
    /// `f64::MAX`. `None` means never, because the rate is 0 from there on. Takes constant time.
    pub fn next_after(&self, seconds: f64) -> Option<f64> {
        let seconds = seconds.clamp(0.0, f64::MAX);
        self.wait_after(seconds).map(|wait| (seconds + wait).min(f64::MAX))
    }

    /// The time from that second until the integral of the rate has grown by 1. It may be infinite.
    fn wait_after(&self, seconds: f64) -> Option<f64> {
        let (swing, then) = match self {
            Rate::Constant(rate) => return wait_at(*rate, 1.0),
            Rate::Spike(swing, percent) if spike(swing, *percent) < f64::MIN_POSITIVE => {
                return wait_at(swing.min, 1.0);
            }
            Rate::Increasing(swing) => (swing, Some(swing.max)),
            Rate::Decreasing(swing) => (swing, Some(swing.min)),
            Rate::Wave(swing) | Rate::Binary(swing) | Rate::Spike(swing, _) => (swing, None),
        };
        if swing.max == 0.0 {
            return None;
        }
        let period = swing.period.as_secs_f64();
        // If the rate repeats itself, only the place within the period counts. Calculated with all the
        // seconds, short periods would be lost to rounding.
        let phase = if then.is_some() { seconds.min(period) } else { seconds % period };
        let (left, wait) = match walk(&self.pieces(swing, phase), swing.max.recip()) {
            Ok(wait) => return Some(wait),
            Err(rest) => rest,
        };
        if let Some(rate) = then {
            return wait_at(rate, left * swing.max).map(|more| wait + more);
        }
        if left == f64::INFINITY {
            return Some(left);
        }
        // If items are rarer than periods, whole periods are skipped.
        let pieces = self.pieces(swing, 0.0);
        let a_period: f64 = pieces.iter().map(Piece::sum).sum();
        let rest = left % a_period;
        let periods = ((left - rest) / a_period).round();
        let (Ok(more) | Err((_, more))) = walk(&pieces, rest);
        Some(wait + periods * period + more)
    }

    /// The pieces of a period from this phase to its end.
    fn pieces(&self, swing: &Swing, phase: f64) -> [Piece; 2] {
        let (period, low) = (swing.period.as_secs_f64(), swing.min / swing.max);
        let flat = |length: f64, rate| Piece::Line { length: length.max(0.0), from: rate, to: rate };
        let rising = |part: f64| low + (1.0 - low) * part.min(1.0);
        match self {
            Rate::Constant(_) => [Piece::NONE; 2],
            Rate::Wave(_) => [Piece::Wave { period, phase, low }, Piece::NONE],
            Rate::Binary(_) => {
                let half = period / 2.0;
                [flat(half - phase, low), flat(half.min(period - phase), 1.0)]
            }
            Rate::Increasing(_) => {
                [Piece::Line { length: period - phase, from: rising(phase / period), to: 1.0 }, Piece::NONE]
            }
            Rate::Decreasing(_) => {
                let length = period - phase;
                [Piece::Line { length, from: rising(length / period), to: low }, Piece::NONE]
            }
            Rate::Spike(_, percent) => {
                let spike = spike(swing, *percent);
                let since = (phase - (period - spike)).max(0.0);
                let length = (spike - since).max(0.0);
                [
                    flat(period - spike - phase, low),
                    Piece::Line { length, from: rising(since / spike), to: 1.0 },
                ]
            }
        }
    }
}

/// The length of a spike in seconds.
fn spike(swing: &Swing, percent: f64) -> f64 {
    swing.period.as_secs_f64() * percent / 100.0
}

/// The time that `items` items take at a constant rate.
fn wait_at(rate: f64, items: f64) -> Option<f64> {
    (rate > 0.0).then(|| items / rate)
}

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
