//! A task for each block, and a stream that yields their results in order, as in the program of the Rust-SSP
//! paper.

use std::io;

use futures::{StreamExt, stream};

use super::output::Output;
use super::{Bzip2, Setting};
use pipes_benches::executor::unwound;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("tokio.rs")];

/// Runs the program with the same window as the other contenders.
pub fn run(program: &Bzip2, at: &Setting) -> io::Result<Output> {
    with_window(program, at, program.window())
}

/// Runs the program with only as many blocks in flight as there are workers.
pub fn narrow(program: &Bzip2, at: &Setting) -> io::Result<Output> {
    with_window(program, at, program.workers())
}

/// Runs the program with this window; the sink is a task, too.
fn with_window(program: &Bzip2, at: &Setting, window: usize) -> io::Result<Output> {
    let (source, worker, mut output) = (at.input.blocks()?, at.worker.clone(), program.output()?);
    at.pools.task(async move {
        let mut done = stream::iter(source)
            .map(|block| {
                let worker = worker.clone();
                tokio::spawn(async move { worker.on(block) })
            })
            .buffered(window);
        while let Some(block) = done.next().await {
            output.put(unwound(block)?)?;
        }
        Ok(output)
    })
}
