//! The three sequences of the game's `fasta` program, byte for byte.

use std::io::{self, Write};

use super::letters::{AMBIGUITY, FREQUENCY, cycle};

/// The number of letters in a line.
const COLUMNS: u64 = 60;

/// The text that sequence ONE repeats.
const ALU: &[u8] = b"\
    GGCCGGGCGCGGTGGCTCACGCCTGTAATCCCAGCACTTTGG\
    GAGGCCGAGGCGGGCGGATCACCTGAGGTCAGGAGTTCGAGA\
    CCAGCCTGGCCAACATGGTGAAACCCCGTCTCTACTAAAAAT\
    ACAAAAATTAGCCGGGCGTGGTGGCGCGCGCCTGTAATCCCA\
    GCTACTCGGGAGGCTGAGGCAGGAGAATCGCTTGAACCCGGG\
    AGGCGGAGGTTGCAGTGAGCCGAGATCGCGCCACTGCACTCC\
    AGCCTGGGCGACAGAGCGAGACTCCGTCTCAAAAA";

/// Writes the three sequences one after another, with 2, 3 and 5 times `n` letters. The writer should be
/// buffered.
pub fn write(n: u64, out: &mut impl Write) -> io::Result<()> {
    sequence(">ONE Homo sapiens alu", ALU, 2 * n, out)?;
    sequence(">TWO IUB ambiguity codes", &cycle(AMBIGUITY, 0), 3 * n, out)?;
    // The generator continues from where it stopped after sequence TWO.
    sequence(">THREE Homo sapiens frequency", &cycle(FREQUENCY, 3 * n), 5 * n, out)
}

/// The number of bytes written.
pub fn length(n: u64) -> u64 {
    let headers = ">ONE Homo sapiens alu\n>TWO IUB ambiguity codes\n>THREE Homo sapiens frequency\n";
    let lines = |letters: u64| letters + letters.div_ceil(COLUMNS);
    headers.len() as u64 + lines(2 * n) + lines(3 * n) + lines(5 * n)
}

/// Writes a header, and then, in lines, the repeated text up to this number of letters.
fn sequence(header: &str, repeated: &[u8], letters: u64, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{header}")?;
    // With the first letters repeated at the end, each line is contiguous, wherever it begins.
    let mut source = repeated.to_vec();
    source.extend(repeated.iter().cycle().take(COLUMNS as usize));
    let (mut begin, mut left) = (0, letters);
    while left > 0 {
        let length = left.min(COLUMNS) as usize;
        out.write_all(&source[begin..begin + length])?;
        out.write_all(b"\n")?;
        begin = (begin + length) % repeated.len();
        left -= length as u64;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::due::md5;

    fn of(n: u64) -> Vec<u8> {
        let mut text = Vec::new();
        write(n, &mut text).expect("memory takes all");
        text
    }

    #[test]
    fn the_bytes_are_those_of_the_game() {
        assert_eq!(md5(&of(1_000)), "60cbd78a7793bcc8032ef153b4a37b56");
        assert_eq!(md5(&of(250_000)), "6618b1e75e036a9a81f29aa5affb04ab");
    }

    #[test]
    fn the_length_is_known_before() {
        for n in [1, 5, 6, 12, 13, 59, 60, 61, 1_000] {
            assert_eq!(of(n).len() as u64, length(n), "{n}");
        }
        assert_eq!(length(25_000_000), 254_166_745);
    }
}
