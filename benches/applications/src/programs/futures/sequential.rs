//! The whole vector in one thread.

use std::io;

use super::slices::map_behind;
use super::{Futures, Setting};

/// This file, to be counted.
pub const SOURCES: &[&str] = &[include_str!("sequential.rs")];

/// Map after map.
pub fn run(futures: &Futures, at: &Setting) -> io::Result<Vec<u32>> {
    futures.each(|| {
        let mut mapped = Vec::with_capacity(at.elements.len());
        map_behind(&at.elements, &mut mapped);
        Ok(mapped)
    })
}
