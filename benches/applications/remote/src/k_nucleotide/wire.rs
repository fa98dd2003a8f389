//! What travels between the first process and the workers: chunks there, and tables of counts back.
//!
//! A table is a number for each window, in the order of the windows' codes: how many codes were skipped since
//! the last one, and in the lowest bit whether a count follows, less two. A count of one needs none. Numbers
//! have seven bits in a byte, the lowest first, and the highest bit of a byte says that more follow.

use bytes::Bytes;
use pipes_k_nucleotide::chunk::{Chunk, WORD, most};
use pipes_k_nucleotide::table::{SIZES, Table};
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::fmt;

/// The most letters that a chunk may be asked to have.
pub const MOST: usize = 1 << 22;

/// Room in a message for what is beside the letters or the windows, and for the tables of short windows.
const ROOM: usize = 64 << 10;

/// The most bytes of a message with a chunk, however many letters it was asked to have.
pub const LIMIT: usize = most(MOST).div_ceil(4) + ROOM;

/// The most bytes of a message with the tables of a chunk that was asked to have this many letters. Each
/// letter is at most the end of one window of each size: numbers of windows of 18 have six bytes, those of 12
/// have four, and a count that has several bytes is that of many letters.
pub const fn limit(letters: usize) -> usize {
    12 * most(letters) + ROOM
}

/// What came is nothing that the other side sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damaged(&'static str);

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Error for Damaged {}

/// A chunk on its way to a worker.
#[derive(Debug, Serialize, Deserialize)]
pub struct Parcel {
    letters: u32,
    carry: u64,
    /// The number of preceding letters, if they are fewer than the carry has room for.
    before: u8,
    /// The words, the lowest byte of each first.
    words: Bytes,
}

impl From<Chunk> for Parcel {
    fn from(chunk: Chunk) -> Parcel {
        let words: Vec<u8> = chunk.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        Parcel {
            letters: chunk.letters as u32,
            carry: chunk.carry,
            before: chunk.before.min(WORD) as u8,
            words: words.into(),
        }
    }
}

impl TryFrom<Parcel> for Chunk {
    type Error = Damaged;

    fn try_from(parcel: Parcel) -> Result<Chunk, Damaged> {
        let Parcel { letters, carry, before, words } = parcel;
        let (words, rest) = words.as_chunks();
        let words: Vec<_> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
        let letters = letters as usize;
        if !rest.is_empty() || words.len() != letters.div_ceil(WORD) {
            return Err(Damaged("a chunk has more or fewer words than its letters need"));
        }
        Ok(Chunk { words, letters, carry, before: before.into() })
    }
}

/// The tables of a chunk on their way back, one for each size.
#[derive(Debug, Serialize, Deserialize)]
pub struct Tables(pub [Bytes; SIZES.len()]);

impl Tables {
    /// What these tables hold, one of each size. They are empty then.
    pub fn drained(tables: &mut [Table]) -> Tables {
        let mut all = [const { Bytes::new() }; SIZES.len()];
        all.iter_mut().zip(tables).for_each(|(bytes, table)| *bytes = packed(table));
        Tables(all)
    }
}

/// The windows of a table and their counts, which are removed.
fn packed(table: &mut Table) -> Bytes {
    let windows = table.drain();
    let (mut bytes, mut next) = (Vec::with_capacity(3 * windows.len()), 0);
    for (codes, count) in windows {
        put(&mut bytes, (codes - next) << 1 | u64::from(count > 1));
        if count > 1 {
            put(&mut bytes, u64::from(count - 2));
        }
        next = codes + 1;
    }
    bytes.into()
}

/// Adds the windows and counts in these bytes to a table of the same size. They are those of at most this
/// many letters. After an error, some of them are there.
pub fn add(table: &mut Table, bytes: &[u8], letters: usize) -> Result<(), Damaged> {
    let large = Damaged("a window or a count is too large");
    let (mut rest, mut next, mut left) = (bytes, 0_u64, letters as u64);
    while !rest.is_empty() {
        let number = take(&mut rest)?;
        let count = match number & 1 {
            0 => 1,
            _ => u32::try_from(take(&mut rest)?).ok().and_then(|count| count.checked_add(2)).ok_or(large)?,
        };
        left = left.checked_sub(count.into()).ok_or(Damaged("it has more windows than its chunk"))?;
        let codes = next.checked_add(number >> 1).filter(|codes| table.add(*codes, count)).ok_or(large)?;
        next = codes + 1;
    }
    Ok(())
}

fn put(bytes: &mut Vec<u8>, number: u64) {
    let mut number = number;
    while number > 0x7f {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number off the front.
fn take(bytes: &mut &[u8]) -> Result<u64, Damaged> {
    let mut number = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let (byte, rest) = bytes.split_first().ok_or(Damaged("a number is cut off"))?;
        *bytes = rest;
        let bits = u64::from(byte & 0x7f);
        number |= bits << shift;
        if bits << shift >> shift == bits && byte & 0x80 == 0 {
            return Ok(number);
        }
    }
    Err(Damaged("a number is too long"))
}

#[cfg(test)]
mod tests;
