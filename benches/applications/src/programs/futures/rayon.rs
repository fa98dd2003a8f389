//! The vector in parallel on the pool of `rayon`.

use std::io;

use rayon::prelude::*;

use super::slices::{LEAST, mix};
use super::{Futures, Setting};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("rayon.rs")];

/// Makes all maps in the pool, each written in place.
pub fn run(futures: &Futures, at: &Setting) -> io::Result<Vec<u32>> {
    at.rayon.install(|| {
        futures.each(|| {
            let elements = at.elements.par_iter().with_min_len(LEAST);
            Ok(elements.map(|element| mix(*element)).collect())
        })
    })
}
