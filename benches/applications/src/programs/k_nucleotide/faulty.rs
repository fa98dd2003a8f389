//! A contender that leaves out the windows of three letters, to test the verification itself.

use std::io;

use super::{KNucleotide, Setting, sequential};
use pipes_k_nucleotide::counted::Counted;
use pipes_k_nucleotide::table::Table;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("faulty.rs")];

/// Counts all windows, but makes the result without one of the tables.
pub fn run(program: &KNucleotide, at: &Setting) -> io::Result<Counted> {
    let mut counted = sequential::run(program, at)?;
    let none = Table::new(3);
    let lines = counted.text.split_inclusive('\n');
    counted.text =
        lines.map(|line| if line.ends_with("\tGGT\n") { none.text() } else { line.to_owned() }).collect();
    counted.tables.iter_mut().filter(|table| table.size() == 3).for_each(|table| *table = Table::new(3));
    Ok(counted)
}
