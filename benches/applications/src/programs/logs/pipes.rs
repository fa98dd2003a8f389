//! Our own pipelines.

use std::io;

use pipes_skeleton::{LineChunk, fold, line_chunks, lines as lines_of};

use super::generated::Log;
use super::table::Table;
use super::{CHUNK, IN_FLIGHT};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("pipes.rs")];

/// Chunks of lines go to replicas, whose tables are merged at the end.
pub fn chunks(log: &Log, workers: usize) -> io::Result<Table> {
    let tables = line_chunks(log.open()?, CHUNK)
        .in_flight_bytes(IN_FLIGHT, |chunk| chunk.len())
        .parallel_gather(workers, |_| {
            fold(Table::default(), |mut table: Table, chunk: LineChunk| {
                chunk.lines().for_each(|line| table.add(line));
                table
            })
        });
    Ok(tables.reduce(Table::and).map_err(io::Error::other)?.unwrap_or_default())
}

/// Each line is an item.
pub fn lines(log: &Log, workers: usize) -> io::Result<Table> {
    let tables = lines_of(log.open()?).parallel_gather(workers, |_| {
        fold(Table::default(), |mut table: Table, line: String| {
            table.add(line.as_bytes());
            table
        })
    });
    Ok(tables.reduce(Table::and).map_err(io::Error::other)?.unwrap_or_default())
}
