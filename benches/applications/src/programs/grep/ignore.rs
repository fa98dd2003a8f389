//! The walk of the crate `ignore`, that of ripgrep: each of its threads walks, and searches the files that it
//! meets.

use std::mem;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use ignore::{DirEntry, Error, ParallelVisitor, ParallelVisitorBuilder, WalkBuilder, WalkState};

use super::batch::Batch;
use super::flow::{Folders, Printed};
use super::options::{Grep, has_no_flow};
use super::search::{Query, Worker};
use crate::streams::{Prepared, Suite};
use pipes_benches::harness::Contender;

/// The contender.
pub const CONTENDER: Contender<Suite<Grep>> = Contender::new("ignore", &[include_str!("ignore.rs")])
    .in_its_own_way(|_, prepared: &Prepared<Grep>| {
        prepared.run_own("ignore", |folders| Ok(run(folders, prepared.replicas())))
    })
    .unless(has_no_flow);

/// Runs the program.
fn run(folders: &Folders, threads: usize) -> Printed {
    let mut paths = folders.roots.paths.iter();
    let mut walk = WalkBuilder::new(paths.next().map_or(PathBuf::from("."), PathBuf::clone));
    for path in paths {
        walk.add(path);
    }
    walk.standard_filters(false).threads(threads);
    let printed = Mutex::new(Printed::default());
    walk.build_parallel().visit(&mut Threads { folders, printed: &printed });
    printed.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Makes a visitor for each thread.
struct Threads<'a> {
    folders: &'a Folders,
    printed: &'a Mutex<Printed>,
}

/// Searches the files that a thread meets.
struct Visitor<'a> {
    query: Query,
    worker: Worker,
    batch: Batch,
    printed: &'a Mutex<Printed>,
}

impl<'a> ParallelVisitorBuilder<'a> for Threads<'a> {
    fn build(&mut self) -> Box<dyn ParallelVisitor + 'a> {
        let (query, printed) = (self.folders.query.clone(), self.printed);
        Box::new(Visitor { query, worker: Worker::new(), batch: Batch::default(), printed })
    }
}

impl ParallelVisitor for Visitor<'_> {
    fn visit(&mut self, entry: Result<DirEntry, Error>) -> WalkState {
        match entry {
            Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => {
                self.worker.search(&self.query, entry.path(), &mut self.batch);
            }
            Ok(_) => {}
            Err(_) => self.batch.failed = true,
        }
        if self.batch.failed || !self.batch.output.is_empty() {
            let batch = mem::take(&mut self.batch);
            self.printed.lock().unwrap_or_else(PoisonError::into_inner).take(&batch);
        }
        WalkState::Continue
    }
}
