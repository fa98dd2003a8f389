//! The counts of all windows of one size, in hash tables of the standard library.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::Write;
use std::hash::{BuildHasher, BuildHasherDefault, Hash};

use super::chunk::Chunk;
use super::hash::{Itself, Spread};
use super::letters::{code, letter};

/// The sizes of windows, in the order of the output.
pub const SIZES: [usize; 7] = [1, 2, 3, 4, 6, 12, 18];

/// The windows whose counts are printed, one for each of these sizes; of the other sizes all windows are
/// printed.
const ASKED: [&str; 5] = ["GGT", "GGTA", "GGTATT", "GGTATTTTAATT", "GGTATTTTAATTTATAGT"];

/// The number of occurrences of each window of one size.
#[derive(Debug)]
pub struct Table {
    size: usize,
    map: Map,
    /// The last letters of the lines that were counted, and their number, up to one less than a window has.
    carry: u64,
    before: usize,
}

/// Maps the codes of a window, side by side, to its count. Short windows leave few gaps among their codes.
#[derive(Debug)]
enum Map {
    Short(HashMap<u32, u32, BuildHasherDefault<Itself>>),
    Middle(HashMap<u32, u32, BuildHasherDefault<Spread>>),
    Long(HashMap<u64, u32, BuildHasherDefault<Spread>>),
}

/// Applies the same code to any of the maps.
macro_rules! with {
    ($map:expr, $name:ident => $value:expr) => {
        match $map {
            Map::Short($name) => $value,
            Map::Middle($name) => $value,
            Map::Long($name) => $value,
        }
    };
}

impl Table {
    /// An empty table for windows of this size.
    pub fn new(size: usize) -> Table {
        let map = match size {
            ..=6 => Map::Short(HashMap::default()),
            7..=16 => Map::Middle(HashMap::default()),
            _ => Map::Long(HashMap::default()),
        };
        Table { size, map, carry: 0, before: 0 }
    }

    /// An empty table for each size.
    pub fn all() -> Vec<Table> {
        SIZES.map(Table::new).into()
    }

    /// Counts the windows that end in this chunk.
    pub fn count(&mut self, chunk: &Chunk) {
        with!(&mut self.map, map => count_chunk(map, self.size, chunk));
    }

    /// Counts the windows that end in this line, which continues the previous lines.
    pub fn count_line(&mut self, line: &[u8]) {
        let (size, mask) = (self.size, mask(self.size));
        with!(&mut self.map, map => for letter in line {
            self.carry = (self.carry << 2 | code(*letter)) & mask;
            if self.before + 1 < size {
                self.before += 1;
            } else {
                count_one(map, self.carry);
            }
        });
    }

    /// Adds the counts of another table for the same size.
    pub fn merge(&mut self, other: Table) {
        match (&mut self.map, other.map) {
            (Map::Short(ours), Map::Short(theirs)) => merge(ours, theirs),
            (Map::Middle(ours), Map::Middle(theirs)) => merge(ours, theirs),
            (Map::Long(ours), Map::Long(theirs)) => merge(ours, theirs),
            _ => unreachable!("only tables of one window size are merged"),
        }
    }

    /// Adds the count of one window, by its codes. Returns `false` if they are none of a window of this size,
    /// or if the sum is too large for a table.
    pub fn add(&mut self, codes: u64, count: u32) -> bool {
        codes <= mask(self.size) && with!(&mut self.map, map => add(map, codes, count))
    }

    /// Removes all windows, and returns their codes and counts, in the order of the codes. The memory is kept
    /// for the next windows.
    pub fn drain(&mut self) -> Vec<(u64, u32)> {
        let mut windows: Vec<_> = with!(&mut self.map, map => {
            map.drain().map(|(key, count)| (key.codes(), count)).collect()
        });
        windows.sort_unstable_by_key(|(codes, _)| *codes);
        windows
    }

    /// The number of windows counted.
    pub fn total(&self) -> u64 {
        with!(&self.map, map => map.values().map(|count| u64::from(*count)).sum())
    }

    /// The size of the windows.
    pub fn size(&self) -> usize {
        self.size
    }

    /// This table's part of the output.
    pub fn text(&self) -> String {
        match ASKED.iter().find(|asked| asked.len() == self.size) {
            Some(asked) => format!("{}\t{asked}\n", self.count_of(asked)),
            None => self.percentages(),
        }
    }

    fn count_of(&self, window: &str) -> u32 {
        let key = window.bytes().fold(0, |key, letter| key << 2 | code(letter));
        with!(&self.map, map => map.get(&Code::of(key)).copied().unwrap_or_default())
    }

    /// All windows, the most frequent ones first, and equally frequent ones in alphabetical order.
    fn percentages(&self) -> String {
        let mut windows: Vec<(Reverse<u32>, String)> = with!(&self.map, map => {
            map.iter().map(|(key, count)| (Reverse(*count), window(key.codes(), self.size))).collect()
        });
        windows.sort();
        let total = self.total() as f64;
        let mut text = String::new();
        for (Reverse(count), window) in windows {
            // Writing to a `String` cannot fail.
            let _ = writeln!(text, "{window} {:.3}", 100.0 * f64::from(count) / total);
        }
        text + "\n"
    }
}

/// A key of a map, made of the codes of a window.
trait Code: Copy + Eq + Hash {
    fn of(codes: u64) -> Self;
    fn codes(self) -> u64;
}

impl Code for u32 {
    #[inline]
    fn of(codes: u64) -> u32 {
        codes as u32
    }

    fn codes(self) -> u64 {
        self.into()
    }
}

impl Code for u64 {
    #[inline]
    fn of(codes: u64) -> u64 {
        codes
    }

    fn codes(self) -> u64 {
        self
    }
}

/// The bits of the codes of a window.
fn mask(size: usize) -> u64 {
    (1 << (2 * size)) - 1
}

/// The letters of a window.
fn window(key: u64, size: usize) -> String {
    (0..size).rev().map(|place| letter(key >> (2 * place))).collect()
}

/// Counts the windows that end in a chunk. Not inlined, so each kind of map has one copy of this loop, which
/// all contenders use.
#[inline(never)]
fn count_chunk<K: Code, S: BuildHasher>(map: &mut HashMap<K, u32, S>, size: usize, chunk: &Chunk) {
    let (mask, mut key, mut before) = (mask(size), chunk.carry, chunk.before);
    let mut left = chunk.letters;
    for &word in &chunk.words {
        let mut word = word;
        if left < 32 || before + 1 < size {
            for _ in 0..left.min(32) {
                word = word.rotate_left(2);
                key = (key << 2 | word & 3) & mask;
                before += 1;
                if before >= size {
                    count_one(map, key);
                }
            }
        } else {
            for _ in 0..32 {
                word = word.rotate_left(2);
                key = (key << 2 | word & 3) & mask;
                count_one(map, key);
            }
        }
        left = left.saturating_sub(32);
    }
}

/// Adds one to the count of this key.
#[inline]
fn count_one<K: Code, S: BuildHasher>(map: &mut HashMap<K, u32, S>, key: u64) {
    let key = K::of(key);
    match map.get_mut(&key) {
        Some(count) => *count += 1,
        None => {
            map.insert(key, 1);
        }
    }
}

/// Adds this much to the count of a key. Returns `false` if the sum is too large.
fn add<K: Code, S: BuildHasher>(map: &mut HashMap<K, u32, S>, codes: u64, count: u32) -> bool {
    let place = map.entry(K::of(codes)).or_default();
    let sum = place.checked_add(count);
    *place = sum.unwrap_or(*place);
    sum.is_some()
}

/// Adds the smaller table to the larger one.
fn merge<K: Code, S: BuildHasher>(ours: &mut HashMap<K, u32, S>, mut theirs: HashMap<K, u32, S>) {
    if ours.len() < theirs.len() {
        std::mem::swap(ours, &mut theirs);
    }
    for (key, count) in theirs {
        *ours.entry(key).or_default() += count;
    }
}
