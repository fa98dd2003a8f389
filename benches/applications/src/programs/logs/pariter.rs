//! An iterator of pariter: each chunk becomes a table, and the tables are merged in order.

use std::io;

use pariter::IteratorExt;

use super::chunks::{Chunks, lines};
use super::generated::Log;
use super::table::Table;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("pariter.rs")];

/// Sums up each chunk in parallel.
pub fn run(log: &Log, workers: usize) -> io::Result<Table> {
    let tables = Chunks::of(log.open()?).parallel_map_custom(
        |with| with.threads(workers),
        |chunk| {
            let mut table = Table::default();
            lines(&chunk?).for_each(|line| table.add(line));
            Ok(table)
        },
    );
    tables
        .reduce(|one, other: io::Result<Table>| Ok(one?.and(other?)))
        .unwrap_or_else(|| Ok(Table::default()))
}
