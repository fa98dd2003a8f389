//! An iterator whose items `pariter` processes in parallel.

use std::io;

use pariter::IteratorExt;

use super::work::Sink;
use super::{Ofarm, Setting};
use crate::streams::WINDOW;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("pariter.rs")];

/// Runs the program, with the source and the sink on this thread.
pub fn run(farm: &Ofarm, at: &Setting) -> io::Result<Sink> {
    let (items, workers, work) = (farm.items(), farm.workers(), at.work);
    Ok(Sink::of((0..items).parallel_map_custom(
        |farm| farm.threads(workers).buffer_size(WINDOW),
        move |number| work.on(number),
    )))
}
