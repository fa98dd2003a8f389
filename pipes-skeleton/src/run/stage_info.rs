//! What is known of a stage: its position in the pipeline, its name, and the limits before it.

use crate::measure::metrics::Note;
use crate::sync::{Arc, Lock};

/// How a stage runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Runs {
    /// As a source, with a thread of its own, or in the threads that post items.
    Source {
        /// It has a thread.
        has_thread: bool,
    },
    /// In this number of threads.
    Threads(usize),
    /// In one thread, with this number of futures at a time.
    Futures(usize),
    /// In the threads of the stage before it.
    Joined,
}

/// A stage's position in the pipeline, its name, and its note. They may change until the pipeline runs.
/// Clones are handles to the same stage.
#[derive(Clone)]
pub(crate) struct StageInfo(Arc<Lock<Info>>);

struct Info {
    position: usize,
    name: String,
    note: Option<Note>,
    runs: Runs,
    /// The number of threads, in all replicas of farms that contain the stage.
    threads: usize,
    /// A region ends before the stage; `true` if its end restores the order.
    region: Option<bool>,
}

impl StageInfo {
    pub(crate) fn new(position: usize, name: String) -> Self {
        let info = Info { position, name, note: None, runs: Runs::Joined, threads: 0, region: None };
        StageInfo(Arc::new(Lock::new(info)))
    }

    /// Notes how the stage runs in one more replica of a farm, or in none.
    pub(crate) fn add_copy(&self, runs: Runs) {
        let mut info = self.0.lock();
        info.runs = runs;
        info.threads += match runs {
            Runs::Source { has_thread } => usize::from(has_thread),
            Runs::Threads(threads) => threads,
            Runs::Futures(_) => 1,
            Runs::Joined => 0,
        };
    }

    /// Notes that a region ends before the stage, and whether its end restores the order.
    pub(crate) fn ends_region(&self, in_order: bool) {
        self.0.lock().region = Some(in_order);
    }

    /// Returns how the stage runs, in how many threads, and whether the region that ends before it restores
    /// the order: `None` if no region ends there.
    pub(crate) fn plan(&self) -> (Runs, usize, Option<bool>) {
        let info = self.0.lock();
        (info.runs, info.threads, info.region)
    }

    pub(crate) fn rename(&self, name: String) {
        self.0.lock().name = name;
    }

    pub(crate) fn annotate(&self, note: Note) {
        let before = self.0.lock().note.replace(note);
        // Dropping it may run user code, so the lock is not held.
        drop(before);
    }

    /// Moves the stage back by this number of positions, because other stages come before it.
    pub(crate) fn shift(&self, stages: usize) {
        self.0.lock().position += stages;
    }

    /// Returns the stage's position and its name.
    pub(crate) fn position(&self) -> (usize, String) {
        let info = self.0.lock();
        (info.position, info.name.clone())
    }

    pub(crate) fn name(&self) -> String {
        self.0.lock().name.clone()
    }

    pub(crate) fn note(&self) -> Option<Note> {
        self.0.lock().note.clone()
    }
}
