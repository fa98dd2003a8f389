//! A contender that puts one byte too many behind the others, so that the verification itself can be tested.

use std::io;

use super::output::Output;
use super::{Bzip2, Setting, sequential};

/// This file, to be counted.
pub const SOURCES: &[&str] = &[include_str!("faulty.rs")];

/// All blocks, and a byte.
pub fn run(program: &Bzip2, at: &Setting) -> io::Result<Output> {
    sequential::run(program, at)?.fill([Ok(vec![0])])
}
