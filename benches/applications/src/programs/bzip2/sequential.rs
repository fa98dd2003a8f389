//! All blocks in one thread: what every other contender is compared with.

use std::io;

use super::output::Output;
use super::{Bzip2, Setting};

/// This file, to be counted.
pub const SOURCES: &[&str] = &[include_str!("sequential.rs")];

/// Block after block.
pub fn run(program: &Bzip2, at: &Setting) -> io::Result<Output> {
    program.output()?.fill(at.input.blocks()?.map(|block| at.worker.on(block)))
}
