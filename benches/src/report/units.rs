//! Times, rates and counts formatted for people.

use pipes_charts::units::digits;

/// A time in the unit that leaves one to three digits before the point.
pub fn time(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s >= 1.0 => (s, "s"),
        s if s >= 1e-3 => (s * 1e3, "ms"),
        s if s >= 1e-6 => (s * 1e6, "µs"),
        s => (s * 1e9, "ns"),
    };
    format!("{} {unit}", digits(value))
}

/// A rate in thousands, millions or billions.
pub fn rate(per_second: f64) -> String {
    match per_second {
        r if r >= 1e9 => format!("{} G", digits(r / 1e9)),
        r if r >= 1e6 => format!("{} M", digits(r / 1e6)),
        r if r >= 1e3 => format!("{} k", digits(r / 1e3)),
        r => digits(r),
    }
}

/// A number of rounds.
pub fn rounds(number: u64) -> String {
    if number == 1 { "1 round".to_owned() } else { format!("{number} rounds") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_in_a_fitting_unit() {
        assert_eq!(time(1.2345), "1.23 s");
        assert_eq!(time(0.0123), "12.3 ms");
        assert_eq!(time(0.000_123), "123 µs");
        assert_eq!(time(0.000_000_276), "276 ns");
        assert_eq!(rate(4_390_000.0), "4.39 M");
        assert_eq!(rate(12.0), "12.0");
    }

    #[test]
    fn one_round_is_not_rounds() {
        assert_eq!([1, 2].map(rounds), ["1 round", "2 rounds"]);
    }
}
