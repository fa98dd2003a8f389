//! A contender that loses a chunk, to show that this is noticed.

use std::io;

use super::chunks::{Chunks, lines};
use super::generated::Log;
use super::table::Table;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("faulty.rs")];

/// Sums up all but the first chunk.
pub fn run(log: &Log, _workers: usize) -> io::Result<Table> {
    let mut table = Table::default();
    for chunk in Chunks::of(log.open()?).skip(1) {
        lines(&chunk?).for_each(|line| table.add(line));
    }
    Ok(table)
}
