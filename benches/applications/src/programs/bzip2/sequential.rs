//! All blocks in one thread: the reference for all other contenders.

use std::io;

use super::output::Output;
use super::{Bzip2, Setting};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("sequential.rs")];

/// Processes one block after another.
pub fn run(program: &Bzip2, at: &Setting) -> io::Result<Output> {
    program.output()?.fill(at.input.blocks()?.map(|block| at.worker.on(block)))
}
