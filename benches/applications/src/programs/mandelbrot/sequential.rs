//! All lines in one thread: the reference for all other contenders.

use std::io;

use super::{Mandelbrot, Setting};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("sequential.rs")];

/// Takes one line after another through both stages.
pub fn run(program: &Mandelbrot, _: &Setting) -> io::Result<Vec<u8>> {
    let fractal = program.fractal();
    Ok(fractal.picture(fractal.lines().map(|line| fractal.second(fractal.first(line)))))
}
