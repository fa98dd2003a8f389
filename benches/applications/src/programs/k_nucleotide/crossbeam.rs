//! Jobs and lines over the channels of `crossbeam-channel`.

use std::io;
use std::thread;

use crossbeam_channel::unbounded;

use super::job::Job;
use super::linked;
use super::{KNucleotide, Setting, Shape};
use pipes_benches::executor::carried_on;
use pipes_k_nucleotide::counted::Counted;
use pipes_k_nucleotide::table::Table;

/// The source of this file and of the lines for all channels, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("crossbeam.rs"), linked::SOURCE];

/// Runs the program, with the reader on this thread.
pub fn run(program: &KNucleotide, at: &Setting) -> io::Result<Counted> {
    match program.shape {
        Shape::Fast => chunks(program, at),
        Shape::Lines => linked::lines(program, at, unbounded, unbounded),
    }
}

fn chunks(program: &KNucleotide, at: &Setting) -> io::Result<Counted> {
    let read = at.input.chunks()?;
    let (chan, jobs) = unbounded::<Job>();
    thread::scope(|scope| {
        let count = || {
            let mut tables = Table::all();
            jobs.iter().for_each(|job| job.count(&mut tables));
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
