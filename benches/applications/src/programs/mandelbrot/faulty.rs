//! A contender that changes one pixel, so that the verification itself can be tested.

use std::io;

use super::{Mandelbrot, Setting, sequential};

/// This file, to be counted.
pub const SOURCES: &[&str] = &[include_str!("faulty.rs")];

/// The picture, but for its last pixel.
pub fn run(program: &Mandelbrot, at: &Setting) -> io::Result<Vec<u8>> {
    let mut picture = sequential::run(program, at)?;
    picture.iter_mut().last().into_iter().for_each(|pixel| *pixel ^= 1);
    Ok(picture)
}
