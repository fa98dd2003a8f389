//! A task for each line and stage, and streams that yield the results in order, as in the program of the
//! Rust-SSP paper.

use std::io;

use futures::{StreamExt, stream};

use super::{Mandelbrot, Setting};
use pipes_benches::executor::unwound;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("tokio.rs")];

/// Runs the program with the same window as the other contenders.
pub fn run(program: &Mandelbrot, at: &Setting) -> io::Result<Vec<u8>> {
    with_window(program, at, program.window())
}

/// Runs the program with only as many lines in flight in a stage as it has workers.
pub fn narrow(program: &Mandelbrot, at: &Setting) -> io::Result<Vec<u8>> {
    with_window(program, at, program.workers())
}

/// Runs the program with this window; the sink is a task, too.
fn with_window(program: &Mandelbrot, at: &Setting, window: usize) -> io::Result<Vec<u8>> {
    let fractal = program.fractal();
    Ok(at.pools.task(async move {
        let mut rows = stream::iter(fractal.lines())
            .map(|line| tokio::spawn(async move { fractal.first(line) }))
            .buffered(window)
            .map(unwound)
            .map(|line| tokio::spawn(async move { fractal.second(line) }))
            .buffered(window)
            .map(unwound);
        let mut picture = Vec::with_capacity((fractal.size * fractal.size) as usize);
        while let Some(row) = rows.next().await {
            picture.extend(row.pixels);
        }
        picture
    }))
}
