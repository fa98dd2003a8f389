//! The skeleton for data in memory, `map`: its items are the slices.

use std::io;

use pipes::skeleton::map;

use super::slices::{self, map_behind};
use super::{Futures, Setting};

/// This file, to be counted.
pub const SOURCES: &[&str] = &[include_str!("skeleton.rs")];

/// What is made of the slices is put together when all have come.
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
