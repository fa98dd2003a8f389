//! An iterator whose blocks `pariter` processes in parallel.

use std::io;

use pariter::IteratorExt;

use super::output::Output;
use super::{Bzip2, Setting};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("pariter.rs")];

/// Runs the program, with the source and the sink on this thread.
pub fn run(program: &Bzip2, at: &Setting) -> io::Result<Output> {
    let (workers, window, worker) = (program.workers(), program.window(), at.worker.clone());
    program.output()?.fill(
        at.input.blocks()?.parallel_map_custom(
            |farm| farm.threads(workers).buffer_size(window),
            move |block| worker.on(block),
        ),
    )
}
