//! A contender that changes one pixel, to test the verification itself.

use std::io;

use super::{Mandelbrot, Setting, sequential};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("faulty.rs")];

/// Computes the picture, and changes its last pixel.
pub fn run(program: &Mandelbrot, at: &Setting) -> io::Result<Vec<u8>> {
    let mut picture = sequential::run(program, at)?;
    picture.iter_mut().last().into_iter().for_each(|pixel| *pixel ^= 1);
    Ok(picture)
}
