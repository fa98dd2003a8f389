//! All windows in one thread.

use std::io;

use super::chunk::Chunk;
use super::counted::Counted;
use super::lane::Lane;
use super::table::{SIZES, Table};
use super::{KNucleotide, Setting, Shape};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("sequential.rs")];

/// Counts one size after another, or one line after another.
pub fn run(program: &KNucleotide, at: &Setting) -> io::Result<Counted> {
    match program.shape {
        Shape::Fast => chunks(at),
        Shape::Lines => lines(program, at),
    }
}

fn chunks(at: &Setting) -> io::Result<Counted> {
    let chunks: Vec<Chunk> = at.input.chunks()?.collect::<io::Result<_>>()?;
    let mut tables = Table::all();
    for table in &mut tables {
        chunks.iter().for_each(|chunk| table.count(chunk));
    }
    Ok(Counted::of(tables))
}

fn lines(program: &KNucleotide, at: &Setting) -> io::Result<Counted> {
    let mut lanes = SIZES.map(|size| Lane::new(size, program.counting));
    let mut lines = at.input.lines()?;
    while let Some(line) = lines.checked()? {
        lanes.iter_mut().for_each(|lane| lane.take(line));
    }
    Ok(Counted { text: lanes.iter().map(Lane::text).collect(), tables: Vec::new() })
}
