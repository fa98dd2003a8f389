//! A task for each block, and a stream that gives their results in order, as the program of the Rust-SSP paper has it.

use std::io;

use futures::{StreamExt, stream};

use super::output::Output;
use super::{Bzip2, Setting};
use pipes_benches::executor::unwound;

/// This file, to be counted.
pub const SOURCES: &[&str] = &[include_str!("tokio.rs")];

/// With the window that everybody has.
pub fn run(program: &Bzip2, at: &Setting) -> io::Result<Output> {
    with_window(program, at, program.window())
}

/// With as many blocks under way as there are workers.
pub fn narrow(program: &Bzip2, at: &Setting) -> io::Result<Output> {
    with_window(program, at, program.workers())
}

/// The sink is a task too.
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
