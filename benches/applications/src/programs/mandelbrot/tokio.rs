//! A task for each line and stage, and streams that give their results in order, as the program of the Rust-SSP paper has it.

use std::io;

use futures::{StreamExt, stream};

use super::{Mandelbrot, Setting};
use pipes_benches::executor::unwound;

/// This file, to be counted.
pub const SOURCES: &[&str] = &[include_str!("tokio.rs")];

/// With the window that everybody has.
pub fn run(program: &Mandelbrot, at: &Setting) -> io::Result<Vec<u8>> {
    with_window(program, at, program.window())
}

/// With as many lines under way in a stage as it has workers.
pub fn narrow(program: &Mandelbrot, at: &Setting) -> io::Result<Vec<u8>> {
    with_window(program, at, program.workers())
}

/// The sink is a task too.
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
