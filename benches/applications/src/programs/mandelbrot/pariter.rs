//! An iterator whose items `pariter` works on in parallel, stage by stage.

use std::io;

use pariter::IteratorExt;

use super::{Mandelbrot, Setting};

/// This file, to be counted.
pub const SOURCES: &[&str] = &[include_str!("pariter.rs")];

/// Source and sink are this thread.
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
