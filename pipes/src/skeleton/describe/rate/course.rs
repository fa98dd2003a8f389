//! A rate summed up: how much it comes to within a piece of a period, and how long it takes to come to so
//! much. Both have a closed form, except for the time in a wave, which is searched for in a limited number of
//! steps.

use std::f64::consts::{PI, TAU};

/// The number of steps in which a search halves any range of numbers to nothing: it halves their
/// representation, which has this many bits.
const BITS: usize = 64;
/// A search ends when the sum is right to so much of it, or to so much of the time, in which it is not known
/// better.
const OF_SUM: f64 = 1e-13;
const OF_TIME: f64 = 4e-15;

/// A piece of a period. Rates are fractions of the highest rate, and a sum is the time that the highest rate
/// takes for as much: so they neither overflow nor vanish, whatever the rate is.
#[derive(Clone, Copy)]
pub(super) enum Piece {
    /// From one rate to another, in a straight line.
    Line { length: f64, from: f64, to: f64 },
    /// A wave that does not fall below a rate, from a phase of its period to the end of it.
    Wave { period: f64, phase: f64, low: f64 },
}

impl Piece {
    pub(super) const NONE: Piece = Piece::Line { length: 0.0, from: 0.0, to: 0.0 };

    /// How long it takes.
    pub(super) fn length(&self) -> f64 {
        match self {
            Piece::Line { length, .. } => *length,
            Piece::Wave { period, phase, .. } => period - phase,
        }
    }

    /// What the rate sums up to.
    pub(super) fn sum(&self) -> f64 {
        match self {
            Piece::Line { length, from, to } => length * (from / 2.0 + to / 2.0),
            Piece::Wave { .. } => self.sum_until(self.length()).max(0.0),
        }
    }

    /// When it has come to this, which is no more than all.
    pub(super) fn time(&self, sum: f64) -> f64 {
        if sum <= 0.0 {
            return 0.0;
        }
        match self {
            Piece::Line { length, from, to } => {
                // The rate then is the root of from² + bend². The squares of small rates would vanish.
                let bend = (2.0 * (to - from).abs()).sqrt() * (sum.sqrt() / length.sqrt());
                let then = if to >= from {
                    from.hypot(bend)
                } else {
                    (from - bend).max(0.0).sqrt() * (from + bend).sqrt()
                };
                // The mean of both rates, by which it has taken so long.
                (sum / (from / 2.0 + then / 2.0)).min(*length)
            }
            Piece::Wave { .. } => self.search(sum),
        }
    }

    /// What the rate of a wave sums up to until then.
    fn sum_until(&self, time: f64) -> f64 {
        let Piece::Wave { period, phase, low } = *self else { return self.sum() };
        let (middle, amplitude) = (0.5 + low / 2.0, 0.5 - low / 2.0);
        // A product instead of the difference of two cosines, which loses short times.
        let wave = (TAU * ((phase + time / 2.0) / period)).sin() * (PI * (time / period)).sin();
        middle * time + amplitude * (period / PI) * wave
    }

    /// The rate of a wave then.
    fn rate(&self, time: f64) -> f64 {
        let Piece::Wave { period, phase, low } = *self else { return 0.0 };
        (0.5 + low / 2.0) + (0.5 - low / 2.0) * (TAU * ((phase + time) / period)).sin()
    }

    /// Newton's method, and at least each third step halves the range.
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

/// When pieces, one after the other, have come to this; or what is left of it behind them, and how long they
/// take.
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
