//! The skeleton `reduce`, for one result of data in memory, called for each pass.

use std::io;

use pipes_skeleton::reduce;

use super::pair::Pair;
use super::{Dot, Kernel, Ran, Setting, Vectors};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("skeleton.rs")];

/// Parts per worker.
const PARTS: usize = 1;

/// Runs all passes; the items are parts of the vectors.
pub fn run(dot: &Dot, at: &Setting<Vectors>) -> io::Result<Ran> {
    let mut data = at.data();
    let workers = dot.scale.workers();
    let parts = Dot::parts(&mut data, PARTS * workers);
    let mut total = 0.0;
    for _ in 0..dot.scale.passes() {
        total += reduce(
            &parts,
            workers,
            || 0.0,
            |sum, part: &Pair<'_>| sum + part.sum(),
            |one, other| one + other,
        )
        .map_err(io::Error::other)?;
    }
    Ok(Ran::of(total))
}
