//! The count and checksum of values received in a known order.

use std::iter::Sum;

/// What one receiver has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    count: u64,
    sum: u64,
    strays: u64,
}

impl Tally {
    /// Records a value and the value that was expected.
    #[inline]
    pub fn note(&mut self, value: u64, expected: u64) {
        self.count += 1;
        self.sum = self.sum.wrapping_add(value);
        self.strays += u64::from(value != expected);
    }

    /// Records a value that should be the next multiple of `step`, starting from zero.
    #[inline]
    pub fn note_multiple(&mut self, value: u64, step: u64) {
        self.note(value, self.count.wrapping_mul(step));
    }

    /// The expected tally of `step * j` for j from 0 to `count`.
    pub fn of_multiples(step: u64, count: u64) -> Tally {
        let sum = u128::from(count) * u128::from(count.saturating_sub(1)) / 2;
        // The low 64 bits, as `note` keeps them.
        Tally { count, sum: (sum as u64).wrapping_mul(step), strays: 0 }
    }

    /// Describes how `receiver` differs from the expected tally.
    pub fn verify(&self, receiver: &str, expected: &Tally) -> Result<(), String> {
        if self == expected {
            return Ok(());
        }
        Err(format!(
            "{receiver} received {} values adding up to {}, {} of them not the value due, instead of {} adding up to {}",
            self.count, self.sum, self.strays, expected.count, expected.sum
        ))
    }
}

/// What several receivers have seen together.
impl Sum for Tally {
    fn sum<I: Iterator<Item = Tally>>(tallies: I) -> Tally {
        tallies.fold(Tally::default(), |all, one| Tally {
            count: all.count + one.count,
            sum: all.sum.wrapping_add(one.sum),
            strays: all.strays + one.strays,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;

    #[test]
    fn the_closed_form_agrees_with_counting() {
        let (mut seen, mut numbered) = (Tally::default(), Tally::default());
        for j in 0..1000 {
            seen.note(7 * j, 7 * j);
            numbered.note_multiple(7 * j, 7);
        }
        assert_eq!(seen, Tally::of_multiples(7, 1000));
        assert_eq!(seen, numbered);
        assert_eq!(Tally::default(), Tally::of_multiples(7, 0));
    }

    #[test]
    fn tallies_add_up() {
        let (mut low, mut high) = (Tally::default(), Tally::default());
        (0..3).for_each(|value| low.note(value, value));
        (3..5).for_each(|value| high.note(value, value));
        assert_eq!([low, high].into_iter().sum::<Tally>(), Tally::of_multiples(1, 5));
        high.note(1, 5);
        let told = [low, high].into_iter().sum::<Tally>().verify("both", &Tally::of_multiples(1, 6));
        assert!(told.is_err_and(|difference| difference.contains("adding up to 11, 1 of them")));
    }

    #[test]
    fn values_in_the_wrong_order_are_told() {
        let mut seen = Tally::default();
        seen.note(1, 0);
        seen.note(0, 1);
        let told = seen.verify("node 3", &Tally::of_multiples(1, 2));
        assert!(told.is_err_and(|difference| difference.starts_with("node 3 received 2 values")));
    }
}
