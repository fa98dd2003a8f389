//! An iterator whose items `pariter` works on in parallel.

use std::io;

use pariter::IteratorExt;

use super::work::Sink;
use super::{Ofarm, Setting};
use crate::streams::WINDOW;

/// This file, to be counted.
pub const SOURCES: &[&str] = &[include_str!("pariter.rs")];

/// Source and sink are this thread.
pub fn run(farm: &Ofarm, at: &Setting) -> io::Result<Sink> {
    let (items, workers, work) = (farm.items(), farm.workers(), at.work);
    Ok(Sink::of((0..items).parallel_map_custom(
        |farm| farm.threads(workers).buffer_size(WINDOW),
        move |number| work.on(number),
    )))
}
