//! The place of a stage in its pipeline, and the limits in front of it.

use crate::measure::metrics::Note;
use crate::sync::{Arc, Lock};

/// The limits in front of a stage that processes one item after the other.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) room: usize,
    pub(crate) window: usize,
    pub(crate) in_order: bool,
}

/// A stage's place in the pipeline, its name, and its note, which may still change until the pipeline runs.
#[derive(Clone)]
pub(crate) struct Station(Arc<Lock<Entry>>);

struct Entry {
    place: usize,
    name: String,
    note: Option<Note>,
}

impl Station {
    pub(crate) fn new(place: usize, name: String) -> Self {
        Station(Arc::new(Lock::new(Entry { place, name, note: None })))
    }

    pub(crate) fn rename(&self, name: String) {
        self.0.lock().name = name;
    }

    pub(crate) fn annotate(&self, note: Note) {
        let before = self.0.lock().note.replace(note);
        // The user's code may be dropped with it, so not under the lock.
        drop(before);
    }

    /// Moves it back, because other stages come before it.
    pub(crate) fn move_back(&self, stages: usize) {
        self.0.lock().place += stages;
    }

    /// Returns its place and its name.
    pub(crate) fn place(&self) -> (usize, String) {
        let entry = self.0.lock();
        (entry.place, entry.name.clone())
    }

    pub(crate) fn name(&self) -> String {
        self.0.lock().name.clone()
    }

    pub(crate) fn note(&self) -> Option<Note> {
        self.0.lock().note.clone()
    }
}
