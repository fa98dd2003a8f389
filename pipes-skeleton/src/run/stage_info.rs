//! What is known of a stage: its position in the pipeline, its name, and the limits before it.

use crate::measure::metrics::Note;
use crate::sync::{Arc, Lock};

/// The limits before a stage that processes one item at a time.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// The maximum number of items between this stage and the one before it, if that is an ordered point.
    pub(crate) hand_over: usize,
    /// The maximum number of items in the region that ends here, if one does.
    pub(crate) window: usize,
    pub(crate) in_order: bool,
}

/// A stage's position in the pipeline, its name, and its note. They may change until the pipeline runs.
/// Clones are handles to the same stage.
#[derive(Clone)]
pub(crate) struct StageInfo(Arc<Lock<Info>>);

struct Info {
    position: usize,
    name: String,
    note: Option<Note>,
}

impl StageInfo {
    pub(crate) fn new(position: usize, name: String) -> Self {
        StageInfo(Arc::new(Lock::new(Info { position, name, note: None })))
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
