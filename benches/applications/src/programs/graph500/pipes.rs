//! A search by workers in this process that share nothing but the graph and send each other everything else.

use std::io;

use super::trees::Found;
use super::{Graph500, Setting};
use pipes_graph500::workers;

/// The source of the workers, for `list --sloc`.
pub const SOURCES: &[&str] = workers::SOURCES;

/// Runs the searches one after another, with long-lived workers.
pub fn run(program: &Graph500, at: &Setting) -> io::Result<Found> {
    by(program.workers(), at)
}

/// Runs the searches with one worker, which has no peers: the baseline for the gain from several.
pub fn alone(_: &Graph500, at: &Setting) -> io::Result<Found> {
    by(1, at)
}

fn by(workers: usize, at: &Setting) -> io::Result<Found> {
    at.problem.plain(|roots, trees| workers::searches(workers, &at.problem.graph, roots, trees))
}
