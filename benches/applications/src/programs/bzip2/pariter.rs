//! An iterator whose blocks `pariter` works on in parallel.

use std::io;

use pariter::IteratorExt;

use super::output::Output;
use super::{Bzip2, Setting};

/// This file, to be counted.
pub const SOURCES: &[&str] = &[include_str!("pariter.rs")];

/// Source and sink are this thread.
pub fn run(program: &Bzip2, at: &Setting) -> io::Result<Output> {
    let (workers, window, worker) = (program.workers(), program.window(), at.worker.clone());
    program.output()?.fill(
        at.input.blocks()?.parallel_map_custom(
            |farm| farm.threads(workers).buffer_size(window),
            move |block| worker.on(block),
        ),
    )
}
