//! The integral of a rate over a piece of a period, and the time at which the integral reaches a given value.
//! Both have a closed form, except for the time in a wave, which a search with a limited number of steps
//! finds.

use std::f64::consts::{PI, TAU};

/// The number of halvings after which any range of numbers is empty: a search halves their representation,
/// which has this many bits.
const BITS: usize = 64;
/// A search ends when the sum is correct to this fraction of it, or to this fraction of the time, because it
/// is not known more precisely.
const OF_SUM: f64 = 1e-13;
const OF_TIME: f64 = 4e-15;

/// A piece of a period. Rates are fractions of the highest rate, and a sum is the time in which the highest
/// rate reaches it. So neither overflows or vanishes, whatever the rate is.
#[derive(Clone, Copy)]
pub(super) enum Piece {
    /// From one rate to another, in a straight line.
    Line { length: f64, from: f64, to: f64 },
    /// A wave that does not fall below a rate, from a phase of its period to the end of it.
    Wave { period: f64, phase: f64, low: f64 },
}

impl Piece {
    pub(super) const NONE: Piece = Piece::Line { length: 0.0, from: 0.0, to: 0.0 };

    /// The length of the piece in seconds.
    pub(super) fn length(&self) -> f64 {
        match self {
            Piece::Line { length, .. } => *length,
            Piece::Wave { period, phase, .. } => period - phase,
        }
    }

    /// The integral of the rate over the piece.
    pub(super) fn sum(&self) -> f64 {
        match self {
            Piece::Line { length, from, to } => length * (from / 2.0 + to / 2.0),
            Piece::Wave { .. } => self.sum_until(self.length()).max(0.0),
        }
    }

    /// The time at which the integral reaches `sum`, which is at most the integral of the piece.
    pub(super) fn time(&self, sum: f64) -> f64 {
        if sum <= 0.0 {
            return 0.0;
        }
        match self {
            Piece::Line { length, from, to } => {
                // The rate at that time is the root of from² ± bend². It is not computed from squares,
                // because those of small rates would vanish.
                let bend = (2.0 * (to - from).abs()).sqrt() * (sum.sqrt() / length.sqrt());
                let then = if to >= from {
                    from.hypot(bend)
                } else {
                    (from - bend).max(0.0).sqrt() * (from + bend).sqrt()
                };
                // The time follows from the mean of both rates.
                (sum / (from / 2.0 + then / 2.0)).min(*length)
            }
            Piece::Wave { .. } => self.search(sum),
        }
    }

    /// The integral of a wave's rate from the beginning of the piece to `time`.
    fn sum_until(&self, time: f64) -> f64 {
        let Piece::Wave { period, phase, low } = *self else { return self.sum() };
        let (middle, amplitude) = (0.5 + low / 2.0, 0.5 - low / 2.0);
        // This is a product instead of the difference of two cosines, in which short times would be lost.
        let wave = (TAU * ((phase + time / 2.0) / period)).sin() * (PI * (time / period)).sin();
        middle * time + amplitude * (period / PI) * wave
    }

    /// The rate of a wave at `time`.
    fn rate(&self, time: f64) -> f64 {
        let Piece::Wave { period, phase, low } = *self else { return 0.0 };
        (0.5 + low / 2.0) + (0.5 - low / 2.0) * (TAU * ((phase + time) / period)).sin()
    }

    /// Newton's method, in which at least each third step halves the range.
    fn search(&self, sum: f64) -> f64 {
        let (mut early, mut late) = (0.0_f64, self.length());
        let mut time = late.min(sum / self.rate(0.0).max(f64::MIN_POSITIVE));
        for step in 1..=3 * BITS {
            let over = self.sum_until(time) - sum;
            if over.abs() <= sum * OF_SUM + time * OF_TIME {
                break;
            }
            *(if over > 0.0 { &mut late } else { &mut early }) = time;
            let newton = time - over / self.rate(time);
            time = if !step.is_multiple_of(3) && early < newton && newton < late {
                newton
            } else {
                f64::from_bits(early.to_bits().midpoint(late.to_bits()))
            };
        }
        time
    }
}

/// Returns the time at which the integral over consecutive pieces reaches `sum`. If it does not, the error is
/// the rest of `sum`, and the length of all pieces.
pub(super) fn walk(pieces: &[Piece], mut sum: f64) -> Result<f64, (f64, f64)> {
    let mut wait = 0.0;
    for piece in pieces {
        let all = piece.sum();
        if sum <= all {
            return Ok(wait + piece.time(sum));
        }
        sum -= all;
        wait += piece.length();
    }
    Err((sum, wait))
}
