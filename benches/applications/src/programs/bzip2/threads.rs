//! A thread for the source and for each worker, with channels of `crossbeam-channel` between them.

use std::{io, thread};

use crossbeam_channel::bounded;

use super::output::Output;
use super::{Bzip2, Setting};
use crate::streams::reorder::{self, Reorder};

/// The source of this file and of the buffer where blocks wait, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("threads.rs"), reorder::SOURCE];

/// Runs the program, with the sink on this thread.
pub fn run(program: &Bzip2, at: &Setting) -> io::Result<Output> {
    let source = at.input.blocks()?;
    let mut output = program.output()?;
    thread::scope(|scope| {
        let (chan, blocks) = bounded(program.window());
        scope.spawn(move || (0..).zip(source).try_for_each(|block| chan.send(block)));
        let (chan, done) = bounded(program.window());
        for _ in 0..program.workers() {
            let (blocks, chan) = (blocks.clone(), chan.clone());
            scope.spawn(move || {
                blocks.into_iter().try_for_each(|(number, block)| chan.send((number, at.worker.on(block))))
            });
        }
        // From here on only the workers hold these ends, so all of them end when the source or the sink ends.
        drop((chan, blocks));
        let mut order = Reorder::new();
        for (number, block) in done {
            order.put(number, block).try_for_each(|block| output.put(block?))?;
        }
        Ok(output)
    })
}
