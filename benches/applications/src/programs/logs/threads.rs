//! Threads that share a channel of crossbeam.

use std::io;
use std::thread::scope;

use crossbeam_channel::bounded;

use super::chunks::{Chunks, lines};
use super::generated::Log;
use super::table::Table;
use super::{CHUNK, IN_FLIGHT};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("threads.rs")];

/// This thread reads, the others sum up.
pub fn run(log: &Log, workers: usize) -> io::Result<Table> {
    let file = log.open()?;
    let (sender, receiver) = bounded::<Vec<u8>>(IN_FLIGHT / CHUNK);
    scope(|scope| {
        let sum_up = || {
            let mut table = Table::default();
            receiver.iter().for_each(|chunk| lines(&chunk).for_each(|line| table.add(line)));
            table
        };
        let tables: Vec<_> = (0..workers).map(|_| scope.spawn(sum_up)).collect();
        for chunk in Chunks::of(file) {
            sender.send(chunk?).map_err(io::Error::other)?;
        }
        drop(sender);
        let tables = tables.into_iter().map(|table| table.join().expect("a worker does not panic"));
        Ok(tables.reduce(Table::and).unwrap_or_default())
    })
}
