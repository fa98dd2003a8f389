//! A contender that leaves the last part out, so that the verification itself can be tested.

use std::io;

use super::{Kernel, Part, Ran, Setting};

/// This file, to be counted.
pub const SOURCES: &[&str] = &[include_str!("faulty.rs")];

/// All parts but the last.
pub fn run<K: Kernel>(kernel: &K, at: &Setting<K::Data>) -> io::Result<Ran> {
    let mut data = at.data();
    let mut parts = K::parts(&mut data, 2);
    parts.pop();
    let mut total = 0.0;
    for _ in 0..kernel.scale().passes() {
        total += parts.iter_mut().map(Part::work).sum::<f64>();
    }
    Ok(Ran::of(total))
}
