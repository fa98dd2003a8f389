//! Jobs in parallel on `rayon`, whose workers take turns at reading.

use std::io;

use rayon::prelude::*;

use super::job::Job;
use super::{KNucleotide, Setting};
use pipes_k_nucleotide::counted::{Counted, merged};
use pipes_k_nucleotide::table::Table;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("rayon.rs")];

/// Runs the jobs. Any free worker takes the next job, and reads the next chunk if there is none.
pub fn run(_: &KNucleotide, at: &Setting) -> io::Result<Counted> {
    let chunks = at.input.chunks()?;
    let jobs = chunks.flat_map(|chunk| match chunk {
        Ok(chunk) => Job::all(chunk).map(Ok).collect::<Vec<_>>(),
        Err(error) => vec![Err(error)],
    });
    let tables = at.pool.install(|| {
        jobs.par_bridge()
            .try_fold(Table::all, |mut tables, job| {
                job?.count(&mut tables);
                Ok(tables)
            })
            .try_reduce(Table::all, |ours, theirs| Ok(merged(ours, theirs)))
    });
    tables.map(Counted::of)
}
