//! Data to compress, the same in every run.

use clap::ValueEnum;
use serde::Serialize;

use super::codec::BLOCK;
use crate::chance::Chance;

/// What the data are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Sentences of an invented language, which compress to about an eighth.
    Text,
    /// Random bytes, which do not compress.
    Noise,
    /// Four blocks of text, four of noise, and so on.
    Mixed,
}

/// The number of phrases of the language.
const PHRASES: usize = 1536;

/// `count` blocks of data.
pub fn blocks(kind: Kind, count: u64) -> Vec<u8> {
    let mut chance = Chance::new(kind as u64);
    let phrases: Vec<_> = (0..PHRASES).map(|_| phrase(&mut chance)).collect();
    let mut data = Vec::with_capacity(count as usize * BLOCK);
    for block in 0..count {
        let end = data.len() + BLOCK;
        if kind == Kind::Text || kind == Kind::Mixed && block / 4 % 2 == 0 {
            text(&phrases, &mut chance, &mut data, end);
        } else {
            while data.len() < end {
                data.extend(chance.next().to_le_bytes());
            }
        }
        data.truncate(end);
    }
    data
}

/// Two words of three to ten letters, which always appear together.
fn phrase(chance: &mut Chance) -> Vec<u8> {
    let mut phrase = Vec::new();
    for _ in 0..2 {
        let length = 3 + chance.below(8);
        phrase.extend((0..length).map(|_| b'a' + chance.below(26) as u8));
        phrase.push(b' ');
    }
    phrase
}

/// Adds sentences until the data have this length, or slightly more.
fn text(phrases: &[Vec<u8>], chance: &mut Chance, data: &mut Vec<u8>, end: usize) {
    while data.len() < end {
        for _ in 0..3 + chance.below(8) {
            // As in any language, few phrases are frequent: of five random phrases, the first in the list is
            // used.
            let phrase = (0..5).map(|_| chance.below(PHRASES as u64)).min().unwrap_or(0);
            data.extend(&phrases[phrase as usize]);
        }
        data.extend(b".\n");
    }
}

#[cfg(test)]
mod tests {
    use super::super::codec::compress;
    use super::*;

    #[test]
    fn text_becomes_smaller_and_noise_does_not() {
        let factors = |kind, count| -> Vec<f64> {
            let data = blocks(kind, count);
            assert_eq!(data.len(), count as usize * BLOCK);
            let length = |block| compress(block).expect("it can be compressed").len();
            data.chunks(BLOCK).map(|block| BLOCK as f64 / length(block) as f64).collect()
        };
        let text = factors(Kind::Text, 1)[0];
        assert!((7.0..9.0).contains(&text), "{text}");
        assert!((0.9..1.0).contains(&factors(Kind::Noise, 1)[0]));
        let mixed = factors(Kind::Mixed, 5);
        assert!(mixed[3] > 7.0 && mixed[4] < 1.0, "{mixed:?}");
    }
}
