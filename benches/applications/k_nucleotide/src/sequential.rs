//! All windows in one thread.

use std::io;

use super::chunk::Chunk;
use super::counted::Counted;
use super::input::Input;
use super::table::Table;

/// The source of this file, for `list --sloc`.
pub const SOURCE: &str = include_str!("sequential.rs");

/// Reads everything, then counts one size after another.
pub fn run(input: &Input) -> io::Result<Counted> {
    let chunks: Vec<Chunk> = input.chunks()?.collect::<io::Result<_>>()?;
    let mut tables = Table::all();
    for table in &mut tables {
        chunks.iter().for_each(|chunk| table.count(chunk));
    }
    Ok(Counted::of(tables))
}
