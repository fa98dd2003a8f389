//! The skeleton `map` for data in memory, whose items are the slices.

use std::io;

use pipes_skeleton::map;

use super::slices::{self, map_behind};
use super::{Futures, Setting};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("skeleton.rs")];

/// Makes all maps. The results of the slices are joined when all have arrived.
pub fn run(futures: &Futures, at: &Setting) -> io::Result<Vec<u32>> {
    let slices: Vec<_> = slices::of(&at.elements).collect();
    futures.each(|| {
        let parts = map(&slices, futures.workers(), |slice| {
            let mut mapped = Vec::with_capacity(slice.len());
            map_behind(slice, &mut mapped);
            mapped
        });
        Ok(parts.map_err(io::Error::other)?.concat())
    })
}
