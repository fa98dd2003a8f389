//! All lines in one thread: what every other contender is compared with.

use std::io;

use super::{Mandelbrot, Setting};

/// This file, to be counted.
pub const SOURCES: &[&str] = &[include_str!("sequential.rs")];

/// Line after line, through both stages.
pub fn run(program: &Mandelbrot, _: &Setting) -> io::Result<Vec<u8>> {
    let fractal = program.fractal();
    Ok(fractal.picture(fractal.lines().map(|line| fractal.second(fractal.first(line)))))
}
