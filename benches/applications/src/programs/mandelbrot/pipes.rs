//! A pipeline of two farms.

use std::io;

use pipes::skeleton::from_iter;

use super::{Mandelbrot, Setting};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("pipes.rs")];

/// Runs the program, with the sink on this thread.
pub fn run(program: &Mandelbrot, at: &Setting) -> io::Result<Vec<u8>> {
    let (fractal, workers) = (program.fractal(), program.workers());
    let rows = from_iter(fractal.lines())
        .window(program.window())
        .parallel(workers, move |line| fractal.first(line))
        .parallel(workers, move |line| fractal.second(line))
        .in_order();
    Ok(fractal.picture(at.watch.over(rows).collect().map_err(io::Error::other)?.into_iter()))
}
