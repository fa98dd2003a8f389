//! Items in parallel on `rayon`, sorted at the end.

use std::io;

use rayon::prelude::*;

use super::work::{Done, Sink};
use super::{Ofarm, Setting};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("rayon.rs")];

/// Runs the program; the sink runs on a thread of the pool, when all items are done.
pub fn run(farm: &Ofarm, at: &Setting) -> io::Result<Sink> {
    Ok(at.pools.rayon.install(|| {
        let mut done: Vec<Done> = (0..farm.items()).par_bridge().map(|number| at.work.on(number)).collect();
        done.par_sort_unstable_by_key(Done::number);
        Sink::of(done.into_iter())
    }))
}
