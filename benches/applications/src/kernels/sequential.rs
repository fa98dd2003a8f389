//! All of the data as one part, in one thread.

use std::io;

use super::{Kernel, Part, Ran, Setting};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("sequential.rs")];

/// Makes one pass after another.
pub fn run<K: Kernel>(kernel: &K, at: &Setting<K::Data>) -> io::Result<Ran> {
    let mut data = at.data();
    let mut parts = K::parts(&mut data, 1);
    let mut total = 0.0;
    for _ in 0..kernel.scale().passes() {
        total += parts.iter_mut().map(Part::work).sum::<f64>();
    }
    Ok(Ran::of(total))
}
