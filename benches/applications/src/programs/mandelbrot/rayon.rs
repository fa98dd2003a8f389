//! Lines in parallel on `rayon`, each through both stages at once, and sorted at the end.

use std::io;

use rayon::prelude::*;

use super::fractal::Row;
use super::{Mandelbrot, Setting};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("rayon.rs")];

/// Runs the program; the sink runs on a thread of the pool, when all lines are done.
pub fn run(program: &Mandelbrot, at: &Setting) -> io::Result<Vec<u8>> {
    let fractal = program.fractal();
    Ok(at.pools.rayon.install(|| {
        let lines = fractal.lines().par_bridge();
        let mut rows: Vec<Row> =
            lines.map(|line| fractal.first(line)).map(|line| fractal.second(line)).collect();
        rows.par_sort_unstable_by_key(|row| row.number);
        fractal.picture(rows.into_iter())
    }))
}
