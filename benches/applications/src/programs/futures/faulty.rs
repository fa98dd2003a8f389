//! A contender that joins the halves in the wrong order, to test the verification itself.

use std::io;

use super::slices::map_behind;
use super::{Futures, Setting};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("faulty.rs")];

/// Maps the second half first, and appends the first half.
pub fn run(futures: &Futures, at: &Setting) -> io::Result<Vec<u32>> {
    let (first, second) = at.elements.split_at(at.elements.len() / 2);
    futures.each(|| {
        let mut mapped = Vec::new();
        [second, first].into_iter().for_each(|half| map_behind(half, &mut mapped));
        Ok(mapped)
    })
}
