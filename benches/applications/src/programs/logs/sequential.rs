//! One loop.

use std::io;

use super::chunks::{Chunks, lines};
use super::generated::Log;
use super::table::Table;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("sequential.rs")];

/// Sums up one chunk after another.
pub fn run(log: &Log, _workers: usize) -> io::Result<Table> {
    let mut table = Table::default();
    for chunk in Chunks::of(log.open()?) {
        lines(&chunk?).for_each(|line| table.add(line));
    }
    Ok(table)
}
