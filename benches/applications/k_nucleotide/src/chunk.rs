//! Letters packed into words, 32 in each, and cut into chunks that can be counted independently.

use std::io;

use super::letters::{codes, stray, strays};
use super::lines::{Lines, PIECE};

/// The number of letters in a chunk of one process, to which up to a line may be added.
pub const CHUNK: usize = 1 << 19;

/// The most letters of a chunk to which up to a line, or a piece of a long one, was added.
pub const fn most(letters: usize) -> usize {
    letters + PIECE
}

/// The number of letters in a word.
pub const WORD: usize = 32;

/// A part of the sequence, with the preceding letters in which windows may begin.
#[derive(Debug, Default)]
pub struct Chunk {
    /// The letters, the first one in the highest bits; the last word may be partly filled.
    pub words: Vec<u64>,
    /// The number of letters.
    pub letters: usize,
    /// The preceding letters, the last one in the lowest bits.
    pub carry: u64,
    /// The number of preceding letters, which may be more than fit into the carry.
    pub before: usize,
}

/// The chunks of a sequence, as they are read.
#[derive(Debug)]
pub struct Chunks {
    /// The number of letters after which a chunk is full.
    size: usize,
    lines: Lines,
    packer: Packer,
}

impl Chunks {
    /// The chunks of these lines, with this many letters, to which up to a line may be added.
    pub fn new(size: usize, lines: Lines) -> Chunks {
        Chunks { size, lines, packer: Packer::default() }
    }

    /// Reads until a chunk is full, or the sequence has ended.
    fn fill(&mut self) -> io::Result<()> {
        while self.packer.chunk.letters < self.size
            && let Some(line) = self.lines.piece()?
        {
            if let Err(place) = self.packer.put(line) {
                return Err(self.lines.unknown(place));
            }
        }
        Ok(())
    }
}

impl Iterator for Chunks {
    type Item = io::Result<Chunk>;

    fn next(&mut self) -> Option<io::Result<Chunk>> {
        match self.fill() {
            Ok(()) => Some(self.packer.cut()).filter(|chunk| chunk.letters > 0).map(Ok),
            Err(error) => {
                // The letters packed before the error are discarded.
                self.packer = Packer::default();
                Some(Err(error))
            }
        }
    }
}

/// A chunk under construction.
#[derive(Debug, Default)]
struct Packer {
    chunk: Chunk,
    /// A word that is not full, and the number of letters in its lowest bits.
    word: u64,
    filled: usize,
}

impl Packer {
    /// Appends letters, or returns the first one that is not a letter.
    fn put(&mut self, letters: &[u8]) -> Result<(), usize> {
        let (eights, rest) = letters.as_chunks::<8>();
        let mut unknown = 0;
        for eight in eights {
            unknown |= self.put_eight(*eight, 8);
        }
        if !rest.is_empty() {
            let mut eight = [b'A'; 8];
            eight[..rest.len()].copy_from_slice(rest);
            unknown |= self.put_eight(eight, rest.len());
        }
        self.chunk.letters += letters.len();
        if unknown == 0 {
            return Ok(());
        }
        stray(letters).map_or(Ok(()), Err)
    }

    /// Appends the first `letters` of eight letters, and returns one or more bits for each that is not a
    /// letter.
    #[inline]
    fn put_eight(&mut self, eight: [u8; 8], letters: usize) -> u64 {
        let eight = u64::from_be_bytes(eight);
        let codes = codes(eight) >> (2 * (8 - letters));
        let room = WORD - self.filled;
        if letters < room {
            self.word = self.word << (2 * letters) | codes;
            self.filled += letters;
        } else {
            let rest = letters - room;
            self.chunk.words.push(self.word << (2 * room) | codes >> (2 * rest));
            self.word = codes & ((1 << (2 * rest)) - 1);
            self.filled = rest;
        }
        strays(eight)
    }

    /// Returns the chunk as it is, and begins another one.
    fn cut(&mut self) -> Chunk {
        let last = self.chunk.words.last().copied().unwrap_or(self.chunk.carry);
        let carry = last << (2 * self.filled) | self.word;
        if self.filled > 0 {
            self.chunk.words.push(self.word << (2 * (WORD - self.filled)));
        }
        (self.word, self.filled) = (0, 0);
        let before = self.chunk.before + self.chunk.letters;
        let words = Vec::with_capacity(self.chunk.words.len() + 1);
        std::mem::replace(&mut self.chunk, Chunk { words, letters: 0, carry, before })
    }
}

#[cfg(test)]
mod tests {
    use super::super::letters::{is_letter, letter};
    use super::*;

    #[test]
    fn every_byte_is_known_in_every_place() {
        for byte in 0..=u8::MAX {
            for place in 0..19 {
                let mut line = *b"acgtACGTtgcaTGCAaac";
                line[place] = byte;
                let put = Packer::default().put(&line);
                assert_eq!(put, if is_letter(byte) { Ok(()) } else { Err(place) }, "{byte}");
            }
        }
    }

    #[test]
    fn what_was_packed_can_be_read() {
        let text: Vec<u8> = (0..1000_usize).map(|n| b"acgtACGT"[n * n / 7 % 8]).collect();
        for length in 1..70 {
            let mut packer = Packer::default();
            let (mut back, mut last) = (String::new(), 0);
            for (number, line) in text.chunks(length).enumerate() {
                packer.put(line).expect("they are letters");
                if number % 7 < 3 {
                    let chunk = packer.cut();
                    assert_eq!((chunk.before, chunk.carry & 3), (back.len(), last));
                    for at in 0..chunk.letters {
                        last = chunk.words[at / WORD] >> (62 - 2 * (at % WORD)) & 3;
                        back.push(letter(last));
                    }
                }
            }
            assert!(back.len() > 400);
            assert!(text.to_ascii_uppercase().starts_with(back.as_bytes()), "{length}");
        }
    }
}
