//! Items in parallel on `rayon`, each through all four stages at once, and sorted at the end.

use rayon::prelude::*;

use super::stages::{Item, digest, first, fourth, second, third};
use super::{Pipe4, Setting};
use crate::streams::Digest;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("rayon.rs")];

/// Runs the program; the sink runs on a thread of the pool.
pub fn run<I: Item>(pipe4: &Pipe4, at: &Setting) -> Digest {
    let source = I::source(pipe4);
    at.pools.rayon.install(|| {
        let mut items: Vec<(usize, I)> = source
            .enumerate()
            .par_bridge()
            .map(|(number, item)| (number, item.through(first).through(second)))
            .map(|(number, item)| (number, item.through(third).through(fourth)))
            .collect();
        items.par_sort_unstable_by_key(|(number, _)| *number);
        digest(items.into_iter().map(|(_, item)| item))
    })
}
