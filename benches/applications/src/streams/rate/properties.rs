//! Properties of each swing, also of those with extreme numbers: the search for the next item ends soon, the
//! item is not due before the one before it, and it is due when the integral of the rate has grown by 1.

use super::{Rate, Swing};
use std::f64::consts::{PI, TAU};
use std::time::Duration;

const SWINGS: u64 = if cfg!(miri) { 30 } else { 3000 };

/// Numbers that look random, and are the same each time (SplitMix64, after Steele, Lea and Flood, 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn part(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.next() as usize % all.len()]
    }

    fn rate(&mut self) -> f64 {
        let extremes = [0.0, f64::from_bits(1), 1e-310, f64::MIN_POSITIVE, 1e-9, 1.0, 1e9, 1e300, f64::MAX];
        if self.next().is_multiple_of(2) {
            self.one_of(&extremes)
        } else {
            10_f64.powf(self.part() * 12.0 - 4.0)
        }
    }

    fn period(&mut self) -> Duration {
        let (second, longest) = (Duration::from_secs(1), Duration::MAX);
        let extremes = [Duration::from_nanos(1), Duration::from_nanos(3), second, longest];
        let usual = Duration::from_secs_f64(10_f64.powf(self.part() * 10.0 - 6.0));
        if self.next().is_multiple_of(3) { self.one_of(&extremes) } else { usual }
    }

    fn swing(&mut self) -> Rate {
        let (one, other) = (self.rate(), self.rate());
        let swing = Swing { period: self.period(), min: one.min(other), max: one.max(other) };
        let percent = self.part() * 100.0;
        let percent = self.one_of(&[percent, percent, 0.0, f64::from_bits(1), 1e-300, 1e-17, 100.0]);
        let all = [Rate::Wave, Rate::Binary, Rate::Increasing, Rate::Decreasing];
        match self.next() % 5 {
            which @ 0..4 => all[which as usize](swing),
            _ => Rate::Spike(swing, percent),
        }
    }

    /// A moment at the beginning, within a few periods, or late.
    fn moment(&mut self, period: f64) -> f64 {
        let (soon, border) = (self.part() * 4.0 * period, (self.next() % 4) as f64 * period);
        self.one_of(&[0.0, soon, soon, border, 1e9, 1e18, 1e300, f64::MAX])
    }
}

/// The integral of a rate from the beginning, by another formula than that of the schedule.
fn sum(rate: &Rate, seconds: f64) -> f64 {
    let (swing, repeats) = match rate {
        Rate::Constant(rate) => return rate * seconds,
        Rate::Increasing(swing) | Rate::Decreasing(swing) => (swing, false),
        Rate::Wave(swing) | Rate::Binary(swing) | Rate::Spike(swing, _) => (swing, true),
    };
    let period = swing.period.as_secs_f64();
    let within = |phase: f64| {
        let more = match rate {
            Rate::Constant(_) => 0.0,
            Rate::Wave(_) => phase / 2.0 + period / TAU * (PI * phase / period).sin().powi(2),
            Rate::Binary(_) => (phase - period / 2.0).max(0.0),
            Rate::Increasing(_) => phase * (phase / period) / 2.0,
            Rate::Decreasing(_) => phase - phase * (phase / period) / 2.0,
            Rate::Spike(_, percent) => {
                let spike = period * percent / 100.0;
                let since = (phase - (period - spike)).max(0.0);
                if since > 0.0 { since * (since / spike) / 2.0 } else { 0.0 }
            }
        };
        swing.min * phase + (swing.max - swing.min) * more
    };
    if repeats {
        let phase = seconds % period;
        ((seconds - phase) / period).round() * within(period) + within(phase)
    } else {
        within(seconds.min(period)) + rate.at(f64::MAX) * (seconds - period).max(0.0)
    }
}

/// The swing of a rate that has one.
fn swing_of(rate: &Rate) -> Swing {
    match rate {
        Rate::Wave(swing) | Rate::Binary(swing) | Rate::Spike(swing, _) => *swing,
        Rate::Increasing(swing) | Rate::Decreasing(swing) => *swing,
        Rate::Constant(rate) => Swing { period: Duration::MAX, min: *rate, max: *rate },
    }
}

#[test]
fn one_item_after_the_other() {
    let mut random = Random(7);
    let (mut asked, mut sharp) = (0_u64, 0_u64);
    for _ in 0..SWINGS {
        let rate = random.swing();
        let swing = swing_of(&rate);
        let mut at = random.moment(swing.period.as_secs_f64());
        for _ in 0..10 {
            let Some(due) = rate.next_after(at) else {
                let falls = matches!(rate, Rate::Decreasing(_)) && swing.min == 0.0;
                let has_no_spike = matches!(rate, Rate::Spike(_, percent) if percent < 1e-290);
                assert!(
                    falls || swing.max == 0.0 || has_no_spike && swing.min == 0.0,
                    "{rate:?} never after {at}"
                );
                break;
            };
            assert!(due >= at && due.is_finite(), "{rate:?}: {due} after {at}");
            if due == f64::MAX {
                break;
            }
            let (before, then) = (sum(&rate, at), sum(&rate, due));
            // The precision of the moments and of the sums.
            let known = 1e-9 + 8.0 * f64::EPSILON * (swing.max * due + then);
            if known.is_finite() {
                let items = then - before;
                assert!((items - 1.0).abs() <= known, "{rate:?}: {due} after {at}, {items} items");
            }
            asked += 1;
            sharp += u64::from(known < 1e-3);
            at = due;
        }
    }
    assert!(sharp > asked / 4 && sharp > SWINGS, "{sharp} of {asked} could be held against the sum");
}

/// At late seconds, the steps of a short period are lost to rounding, and so are those of an item.
#[test]
fn rare_items_of_a_short_period() {
    let swing = Swing { period: Duration::from_nanos(1), min: 0.0, max: 1e-9 };
    for (rate, between) in [
        (Rate::Binary(swing), 2e9),
        (Rate::Wave(swing), 2e9),
        (Rate::Spike(swing, 50.0), 4e9),
        (Rate::Increasing(swing), 1e9),
    ] {
        let mut at = 0.0;
        for number in 1..=1000 {
            at = rate.next_after(at).expect("one is due");
            let expected = between * f64::from(number);
            assert!((at - expected).abs() <= 1e-6 * expected, "{rate:?}: number {number} at {at}");
        }
    }
}

/// If the rate is 0, the item is due when it no longer is; if the period ends before, in the next period.
#[test]
fn exact_moments() {
    let swing = Swing { period: Duration::from_secs(10), min: 0.0, max: 1.0 };
    let spike = Rate::Spike(swing, 20.0);
    let cases = [
        (Rate::Binary(swing), 0.0, 6.0),
        (Rate::Binary(swing), 8.5, 9.5),
        (Rate::Binary(swing), 9.5, 15.5),
        (Rate::Binary(Swing { max: 0.03, ..swing }), 0.0, 60.0 + 5.0 + 0.1 / 0.03),
        (Rate::Increasing(swing), 0.0, 20_f64.sqrt()),
        (Rate::Increasing(swing), 11.0, 12.0),
        (Rate::Decreasing(swing), 0.0, 10.0 - 80_f64.sqrt()),
        (Rate::Decreasing(Swing { min: 0.5, ..swing }), 10.5, 12.5),
        (spike, 0.0, 10.0),
        (Rate::Spike(Swing { max: 2.0, ..swing }, 20.0), 0.0, 8.0 + 2_f64.sqrt()),
        (Rate::Spike(Swing { max: 2.0, ..swing }, 20.0), 9.0, 8.0 + 3_f64.sqrt()),
        // One item per period.
        (Rate::Wave(Swing { max: 0.2, ..swing }), 0.0, 10.0),
        (Rate::Wave(Swing { min: 1.0, ..swing }), 3.0, 4.0),
    ];
    for (rate, from, expected) in cases {
        let due = rate.next_after(from).expect("one is due");
        assert!((due - expected).abs() <= 1e-9, "{rate:?}: {due} after {from}, not {expected}");
    }
}
