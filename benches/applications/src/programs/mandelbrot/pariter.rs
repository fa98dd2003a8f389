//! An iterator whose items `pariter` processes in parallel, stage by stage.

use std::io;

use pariter::IteratorExt;

use super::{Mandelbrot, Setting};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("pariter.rs")];

/// Runs the program, with the source and the sink on this thread.
pub fn run(program: &Mandelbrot, _: &Setting) -> io::Result<Vec<u8>> {
    let (fractal, workers, window) = (program.fractal(), program.workers(), program.window());
    let rows = fractal
        .lines()
        .parallel_map_custom(
            |stage| stage.threads(workers).buffer_size(window),
            move |line| fractal.first(line),
        )
        .parallel_map_custom(
            |stage| stage.threads(workers).buffer_size(window),
            move |line| fractal.second(line),
        );
    Ok(fractal.picture(rows))
}
