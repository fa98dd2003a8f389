//! The game's random letters: its number generator, and the letters that the numbers stand for.

/// The modulus of the generator. From any number, the generator visits all others before it returns to that
/// number.
pub const PERIOD: usize = 139_968;

/// The seed of the generator.
const START: u32 = 42;

/// Letters and their probabilities.
type Alphabet = &'static [(u8, f64)];

/// The letters of sequence TWO.
pub const AMBIGUITY: Alphabet = &[
    (b'a', 0.27),
    (b'c', 0.12),
    (b'g', 0.12),
    (b't', 0.27),
    (b'B', 0.02),
    (b'D', 0.02),
    (b'H', 0.02),
    (b'K', 0.02),
    (b'M', 0.02),
    (b'N', 0.02),
    (b'R', 0.02),
    (b'S', 0.02),
    (b'V', 0.02),
    (b'W', 0.02),
    (b'Y', 0.02),
];

/// The letters of sequence THREE.
pub const FREQUENCY: Alphabet = &[
    (b'a', 0.302_954_942_668_0),
    (b'c', 0.197_988_300_492_1),
    (b'g', 0.197_547_306_639_1),
    (b't', 0.301_509_450_200_8),
];

/// All letters of one period of the generator, with the first `skipped` ones moved to the end.
pub fn cycle(alphabet: Alphabet, skipped: u64) -> Vec<u8> {
    let mut number = START;
    let mut letters: Vec<u8> = (0..PERIOD)
        .map(|_| {
            number = (number * 3877 + 29_573) % PERIOD as u32;
            letter(alphabet, f64::from(number) / PERIOD as f64)
        })
        .collect();
    letters.rotate_left((skipped % PERIOD as u64) as usize);
    letters
}

/// The first letter for which the cumulative probability exceeds this.
fn letter(alphabet: Alphabet, chance: f64) -> u8 {
    let mut sum = 0.0;
    let found = alphabet.iter().find(|(_, probability)| {
        sum += probability;
        sum > chance
    });
    // Rounded sums may stay below a chance that is almost one.
    found.or(alphabet.last()).map_or(b'a', |(letter, _)| *letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_comes_back_after_its_period_and_not_before() {
        let step = |number: u32| (number * 3877 + 29_573) % PERIOD as u32;
        let mut number = step(START);
        let mut steps = 1;
        while number != START {
            (number, steps) = (step(number), steps + 1);
        }
        assert_eq!(steps, PERIOD);
    }

    #[test]
    fn what_is_skipped_comes_at_the_end() {
        let (all, rest) = (cycle(FREQUENCY, 0), cycle(FREQUENCY, 3 + PERIOD as u64));
        assert_eq!((&all[3..], &all[..3]), (&rest[..PERIOD - 3], &rest[PERIOD - 3..]));
    }
}
