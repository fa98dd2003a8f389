//! A contender that puts the halves together in the wrong order, so that the verification itself can be tested.

use std::io;

use super::slices::map_behind;
use super::{Futures, Setting};

/// This file, to be counted.
pub const SOURCES: &[&str] = &[include_str!("faulty.rs")];

/// The second half first.
pub fn run(futures: &Futures, at: &Setting) -> io::Result<Vec<u32>> {
    let (first, second) = at.elements.split_at(at.elements.len() / 2);
    futures.each(|| {
        let mut mapped = Vec::new();
        [second, first].into_iter().for_each(|half| map_behind(half, &mut mapped));
        Ok(mapped)
    })
}
