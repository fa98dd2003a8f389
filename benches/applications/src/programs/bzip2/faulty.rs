//! A contender that appends one byte too many, to test the verification itself.

use std::io;

use super::output::Output;
use super::{Bzip2, Setting, sequential};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("faulty.rs")];

/// Processes all blocks, and appends a byte.
pub fn run(program: &Bzip2, at: &Setting) -> io::Result<Output> {
    sequential::run(program, at)?.fill([Ok(vec![0])])
}
