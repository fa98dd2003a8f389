//! Pseudorandom numbers, the same in every run.

/// A stream of numbers, determined by its seed.
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    /// A stream with this seed.
    pub fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    /// Stream `which` of many independent streams.
    pub fn row(seed: u64, which: u64) -> Chance {
        Chance(mixed(mixed(seed).wrapping_add(which)))
    }

    /// The next number.
    // Not an iterator: there is always a next number.
    #[allow(clippy::should_implement_trait)]
    #[inline]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }

    /// The next number, scaled to lie below a limit of at most 2^32.
    #[inline]
    pub fn below(&mut self, limit: u64) -> u64 {
        ((self.next() >> 32) * limit) >> 32
    }

    /// The next number, scaled to the range from 0 to 1, without 1.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Shuffles these items.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

/// Mixes the bits of a number: every bit of the result depends on all bits of the number.
#[inline]
fn mixed(number: u64) -> u64 {
    let mixed = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::Chance;

    #[test]
    fn numbers_stay_below_their_limit_and_reach_all_of_it() {
        let mut chance = Chance::new(1);
        let mut seen = [0_u32; 10];
        (0..10_000).for_each(|_| seen[chance.below(10) as usize] += 1);
        assert!(seen.iter().all(|count| (800..1200).contains(count)), "{seen:?}");
        assert!((0..1000).map(|_| chance.unit()).all(|unit| (0.0..1.0).contains(&unit)));
    }

    #[test]
    fn a_shuffle_loses_nothing() {
        let mut items: Vec<u32> = (0..1000).collect();
        Chance::new(2).shuffle(&mut items);
        assert!(!items.is_sorted());
        items.sort_unstable();
        assert!(items.into_iter().eq(0..1000));
    }

    #[test]
    fn rows_differ_and_are_the_same_each_time() {
        let row = |which| -> Vec<u64> {
            let mut chance = Chance::row(7, which);
            (0..4).map(|_| chance.next()).collect()
        };
        assert_eq!(row(3), row(3));
        assert_ne!(row(3), row(4));
    }
}
