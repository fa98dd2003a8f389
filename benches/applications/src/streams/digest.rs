//! A hash of numbers in the order in which they were received.

/// The number of numbers, and their hash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Digest {
    count: u64,
    hash: u64,
}

impl Digest {
    /// Records the next number. Numbers in a different order give a different hash.
    #[inline]
    pub fn note(&mut self, number: u64) {
        self.note_all([number]);
    }

    /// Records the next item, which consists of several numbers.
    #[inline]
    pub fn note_all(&mut self, numbers: impl IntoIterator<Item = u64>) {
        self.count += 1;
        numbers.into_iter().for_each(|number| self.mix(number));
    }

    #[inline]
    fn mix(&mut self, number: u64) {
        self.hash = (self.hash.rotate_left(5) ^ number).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    /// Describes how this differs from the expected one.
    pub fn verify(&self, due: &Digest) -> Result<(), String> {
        if self == due {
            return Ok(());
        }
        Err(format!(
            "{} items with the hash {:016x} came out, instead of {} with the hash {:016x}",
            self.count, self.hash, due.count, due.hash
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::Digest;

    fn of(numbers: &[u64]) -> Digest {
        let mut digest = Digest::default();
        numbers.iter().for_each(|number| digest.note(*number));
        digest
    }

    #[test]
    fn order_and_number_count() {
        assert_eq!(of(&[1, 2, 3]).verify(&of(&[1, 2, 3])), Ok(()));
        for other in [&[2, 1, 3][..], &[1, 2], &[1, 2, 3, 0], &[0, 1, 2, 3]] {
            let told = of(other).verify(&of(&[1, 2, 3]));
            assert!(told.is_err_and(|difference| difference.contains("instead of 3 with the hash")));
        }
    }
}
