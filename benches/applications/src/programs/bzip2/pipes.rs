//! A farm, after which the order is restored.

use std::io;

use pipes::skeleton::from_iter;

use super::output::Output;
use super::{Bzip2, Setting};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("pipes.rs")];

/// Runs the program, with the sink on this thread.
pub fn run(program: &Bzip2, at: &Setting) -> io::Result<Output> {
    let (worker, blocks) = (at.worker.clone(), from_iter(at.input.blocks()?).window(program.window()));
    let done = blocks.parallel(program.workers(), move |block| worker.on(block)).in_order();
    program.output()?.fill(at.watch.over(done).into_iter().map(|block| block.map_err(io::Error::other)?))
}
