//! The parts in parallel on the pool of `rayon`.

use std::io;

use rayon::prelude::*;

use super::{Kernel, Part, Ran, Setting};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("rayon.rs")];

/// Parts per worker: with several, other workers take the parts that a slow worker has not begun.
const PARTS: usize = 4;

/// Runs all passes in the pool.
pub fn run<K: Kernel>(kernel: &K, at: &Setting<K::Data>) -> io::Result<Ran> {
    let mut data = at.data();
    let mut parts = K::parts(&mut data, PARTS * kernel.scale().workers());
    let passes = kernel.scale().passes();
    Ok(at.rayon.install(|| {
        let mut total = 0.0;
        for _ in 0..passes {
            total += parts.par_iter_mut().map(Part::work).sum::<f64>();
        }
        Ran::of(total)
    }))
}
