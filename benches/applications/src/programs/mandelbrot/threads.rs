//! A thread for the source and for each worker of each stage, with channels of `crossbeam-channel` between
//! them.

use std::{io, thread};

use crossbeam_channel::bounded;

use super::{Mandelbrot, Setting};
use crate::streams::reorder::{self, Reorder};

/// The source of this file and of the buffer where lines wait, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("threads.rs"), reorder::SOURCE];

/// Runs the program, with the sink on this thread.
pub fn run(program: &Mandelbrot, _: &Setting) -> io::Result<Vec<u8>> {
    let fractal = program.fractal();
    Ok(thread::scope(|scope| {
        let (chan, lines) = bounded(program.window());
        scope.spawn(move || fractal.lines().try_for_each(|line| chan.send(line)));
        let (to_second, halves) = bounded(program.window());
        let (to_sink, rows) = bounded(program.window());
        for _ in 0..program.workers() {
            let (lines, chan) = (lines.clone(), to_second.clone());
            scope.spawn(move || lines.into_iter().try_for_each(|line| chan.send(fractal.first(line))));
            let (halves, chan) = (halves.clone(), to_sink.clone());
            scope.spawn(move || halves.into_iter().try_for_each(|line| chan.send(fractal.second(line))));
        }
        // From here on only the workers hold chans, so a stage ends after the one before it has ended.
        drop((to_second, to_sink));
        let mut order = Reorder::new();
        let mut picture = Vec::with_capacity((fractal.size * fractal.size) as usize);
        for row in rows {
            order.put(row.number, row).for_each(|row| picture.extend(row.pixels));
        }
        picture
    }))
}
