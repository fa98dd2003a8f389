//! A task for each item, and a stream that yields their results in order, as in the program of the Rust-SSP
//! paper.

use std::io;

use futures::{StreamExt, stream};

use super::work::Sink;
use super::{Ofarm, Setting};
use crate::streams::WINDOW;
use pipes_benches::executor::unwound;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("tokio.rs")];

/// Runs the program with the same window as the other contenders.
pub fn run(farm: &Ofarm, at: &Setting) -> io::Result<Sink> {
    with_window(farm, at, WINDOW)
}

/// Runs the program with only as many items in flight as there are workers.
pub fn narrow(farm: &Ofarm, at: &Setting) -> io::Result<Sink> {
    with_window(farm, at, farm.workers())
}

/// Runs the program with this window; the sink is a task, too.
fn with_window(farm: &Ofarm, at: &Setting, window: usize) -> io::Result<Sink> {
    let (items, work) = (farm.items(), at.work);
    Ok(at.pools.task(async move {
        let mut done = stream::iter(0..items)
            .map(|number| tokio::spawn(async move { work.on(number) }))
            .buffered(window);
        let mut sink = Sink::default();
        while let Some(item) = done.next().await {
            sink.take(unwound(item));
        }
        sink
    }))
}
