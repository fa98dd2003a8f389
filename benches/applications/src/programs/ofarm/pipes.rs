//! A farm, after which the order is restored.

use std::io;

use pipes::skeleton::from_iter;

use super::work::Sink;
use super::{Ofarm, Setting};
use crate::streams::WINDOW;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("pipes.rs")];

/// Runs the program, with the sink on this thread.
pub fn run(farm: &Ofarm, at: &Setting) -> io::Result<Sink> {
    let (items, work) = (from_iter(0..farm.items()).window(WINDOW), at.work);
    let done = items.parallel(farm.workers(), move |number| work.on(number)).in_order();
    at.watch.over(done).fold(Sink::default(), Sink::with).map_err(io::Error::other)
}
