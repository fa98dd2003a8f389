//! Numbers in labels.

/// A number with about three significant digits.
pub fn digits(value: f64) -> String {
    match value {
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 10.0 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    }
}

/// A whole number with its thousands separated.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        let numbers = [0, 999, 1000, 1_000_000].map(grouped);
        assert_eq!(numbers, ["0", "999", "1,000", "1,000,000"]);
    }

    #[test]
    fn three_digits() {
        assert_eq!([1.2345, 12.345, 1234.5].map(digits), ["1.23", "12.3", "1234"]);
    }
}
