//! The whole vector in one thread.

use std::io;

use super::slices::map_behind;
use super::{Futures, Setting};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("sequential.rs")];

/// Makes one map after another.
pub fn run(futures: &Futures, at: &Setting) -> io::Result<Vec<u32>> {
    futures.each(|| {
        let mut mapped = Vec::with_capacity(at.elements.len());
        map_behind(&at.elements, &mut mapped);
        Ok(mapped)
    })
}
