//! A contender of the program's own: one scoped thread for each half of the numbers.

use std::{io, thread};

use super::{Numbers, steps};
use crate::streams::Digest;

/// The word on the command line.
pub const NAME: &str = "scoped";

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("scoped.rs")];

/// Runs the program, and collects the results at the end.
pub fn run(numbers: &Numbers) -> io::Result<Digest> {
    let middle = numbers.last / 2;
    let of = |numbers: std::ops::RangeInclusive<u64>| numbers.map(steps).collect::<Vec<_>>();
    let halves = thread::scope(|scope| {
        let first = scope.spawn(move || of(1..=middle));
        let second = of(middle + 1..=numbers.last);
        first.join().map(|first| [first, second])
    });
    let halves = halves.map_err(|_| io::Error::other("a thread panicked"))?;
    let mut digest = Digest::default();
    halves.into_iter().flatten().for_each(|steps| digest.note(steps));
    Ok(digest)
}
