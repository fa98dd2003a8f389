//! The skeleton `map_in_place` for data in memory, called for each pass.

use std::io;

use pipes_skeleton::map_in_place;

use super::{Kernel, Part, Ran, Setting};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("skeleton.rs")];

/// Runs all passes. Each part has a place for its result beside it.
pub fn run<K: Kernel>(kernel: &K, at: &Setting<K::Data>) -> io::Result<Ran> {
    let mut data = at.data();
    let workers = kernel.scale().workers();
    let parts = K::parts(&mut data, workers);
    let mut parts: Vec<_> = parts.into_iter().map(|part| (part, 0.0)).collect();
    let mut total = 0.0;
    for _ in 0..kernel.scale().passes() {
        map_in_place(&mut parts, workers, |(part, sum)| *sum = part.work()).map_err(io::Error::other)?;
        total += parts.iter().map(|(_, sum)| sum).sum::<f64>();
    }
    Ok(Ran::of(total))
}
