//! Iterators of rayon, over chunks and over lines.

use std::io::{self, BufRead, BufReader};

use rayon::ThreadPoolBuilder;
use rayon::iter::{ParallelBridge, ParallelIterator};

use super::chunks::{Chunks, lines as lines_of};
use super::generated::Log;
use super::table::Table;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("rayon.rs")];

/// The tables of the workers, each summed up over several items, are merged.
fn run<T: Send>(
    workers: usize,
    items: impl Iterator<Item = io::Result<T>> + Send,
    add: impl Fn(&mut Table, &T) + Sync,
) -> io::Result<Table> {
    let pool = ThreadPoolBuilder::new().num_threads(workers).build().map_err(io::Error::other)?;
    pool.install(|| {
        items
            .par_bridge()
            .try_fold(Table::default, |mut table, item| {
                add(&mut table, &item?);
                Ok(table)
            })
            .try_reduce(Table::default, |one, other| Ok(one.and(other)))
    })
}

/// Over chunks.
pub fn chunks(log: &Log, workers: usize) -> io::Result<Table> {
    run(workers, Chunks::of(log.open()?), |table, chunk| {
        lines_of(chunk).for_each(|line| table.add(line));
    })
}

/// Over lines.
pub fn lines(log: &Log, workers: usize) -> io::Result<Table> {
    run(workers, BufReader::new(log.open()?).lines(), |table, line: &String| table.add(line.as_bytes()))
}
