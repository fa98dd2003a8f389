//! Jobs behind a lock, and lines, over the standard library's channels.

use std::io;
use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::thread;

use super::job::Job;
use super::linked;
use super::{KNucleotide, Setting, Shape};
use pipes_benches::executor::carried_on;
use pipes_k_nucleotide::counted::Counted;
use pipes_k_nucleotide::table::Table;

/// The source of this file and of the lines for all channels, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("std.rs"), linked::SOURCE];

/// Runs the program, with the reader on this thread.
pub fn run(program: &KNucleotide, at: &Setting) -> io::Result<Counted> {
    match program.shape {
        Shape::Fast => chunks(program, at),
        Shape::Lines => linked::lines(program, at, channel, channel),
    }
}

fn chunks(program: &KNucleotide, at: &Setting) -> io::Result<Counted> {
    let read = at.input.chunks()?;
    let (chan, port) = channel::<Job>();
    // A `Receiver` cannot be shared, so the workers take turns behind a lock.
    let port = Mutex::new(port);
    let next = || port.lock().ok()?.recv().ok();
    thread::scope(|scope| {
        let count = || {
            let mut tables = Table::all();
            while let Some(job) = next() {
                job.count(&mut tables);
            }
            tables
        };
        let workers: Vec<_> = (0..program.workers).map(|_| scope.spawn(count)).collect();
        // Moved here, so that it is dropped even if an error ends this closure; then the workers end.
        let chan = chan;
        for chunk in read {
            Job::all(chunk?).try_for_each(|job| chan.send(job)).map_err(io::Error::other)?;
        }
        drop(chan);
        Ok(Counted::together(workers.into_iter().map(|worker| carried_on(worker.join()))))
    })
}
