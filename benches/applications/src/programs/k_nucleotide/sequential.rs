//! All windows in one thread: one size after another, or one line after another.

use std::io;

use super::lane::Lane;
use super::{KNucleotide, Setting, Shape};
use pipes_k_nucleotide::counted::Counted;
use pipes_k_nucleotide::sequential;
use pipes_k_nucleotide::table::SIZES;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("sequential.rs"), sequential::SOURCE];

/// Runs the program.
pub fn run(program: &KNucleotide, at: &Setting) -> io::Result<Counted> {
    match program.shape {
        Shape::Fast => sequential::run(&at.input),
        Shape::Lines => lines(program, at),
    }
}

fn lines(program: &KNucleotide, at: &Setting) -> io::Result<Counted> {
    let mut lanes = SIZES.map(|size| Lane::new(size, program.counting));
    let mut lines = at.input.lines()?;
    while let Some(line) = lines.checked()? {
        lanes.iter_mut().for_each(|lane| lane.take(line));
    }
    Ok(Counted { text: lanes.iter().map(Lane::text).collect(), tables: Vec::new() })
}
