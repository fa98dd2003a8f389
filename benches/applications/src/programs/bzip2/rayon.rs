//! Blocks in parallel on `rayon`, sorted at the end.

use std::io;

use rayon::prelude::*;

use super::output::Output;
use super::{Bzip2, Setting};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("rayon.rs")];

/// Runs the program; the sink runs on this thread, when all blocks are done.
pub fn run(program: &Bzip2, at: &Setting) -> io::Result<Output> {
    let source = at.input.blocks()?;
    let output = program.output()?;
    let mut done: Vec<(usize, Vec<u8>)> = at.pools.rayon.install(|| {
        let blocks = source.enumerate().par_bridge();
        blocks.map(|(number, block)| Ok((number, at.worker.on(block)?))).collect::<io::Result<_>>()
    })?;
    done.sort_unstable_by_key(|(number, _)| *number);
    output.fill(done.into_iter().map(|(_, block)| Ok(block)))
}
