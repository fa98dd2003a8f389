//! All items in one thread: the reference for all other contenders.

use std::io;

use super::work::Sink;
use super::{Ofarm, Setting};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("sequential.rs")];

/// Works on one item after another.
pub fn run(farm: &Ofarm, at: &Setting) -> io::Result<Sink> {
    Ok(Sink::of((0..farm.items()).map(|number| at.work.on(number))))
}
