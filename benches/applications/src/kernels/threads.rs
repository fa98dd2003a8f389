//! Scoped threads of the standard library, started for each pass: the calling thread, and one for each other
//! part.

use std::io;
use std::thread::{Builder, scope};

use super::{Kernel, Part, Ran, Setting};
use pipes_benches::executor::carried_on;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("threads.rs")];

/// Runs all passes. Each thread borrows its part, and returns its result.
pub fn run<K: Kernel>(kernel: &K, at: &Setting<K::Data>) -> io::Result<Ran> {
    let mut data = at.data();
    let mut parts = K::parts(&mut data, kernel.scale().workers());
    let mut total = 0.0;
    for _ in 0..kernel.scale().passes() {
        total += pass(&mut parts)?;
    }
    Ok(Ran::of(total))
}

fn pass<P: Part>(parts: &mut [P]) -> io::Result<f64> {
    let Some((first, others)) = parts.split_first_mut() else { return Ok(0.0) };
    scope(|scope| {
        let mut threads = Vec::with_capacity(others.len());
        for part in others {
            threads.push(Builder::new().spawn_scoped(scope, || part.work())?);
        }
        let own = first.work();
        Ok(threads.into_iter().fold(own, |sum, thread| sum + carried_on(thread.join())))
    })
}
