//! The place of a stage in its pipeline, and the limits in front of it.

use crate::sync::{Arc, Lock};

/// The limits in front of a stage that processes one item after the other.
#[derive(Clone, Copy)]
pub(in crate::skeleton) struct Limits {
    pub(in crate::skeleton) room: usize,
    pub(in crate::skeleton) window: usize,
    pub(in crate::skeleton) in_order: bool,
}

/// A stage's place in the pipeline and its name, which may still change until the pipeline runs.
#[derive(Clone)]
pub(in crate::skeleton) struct Station(Arc<Lock<(usize, String)>>);

impl Station {
    pub(in crate::skeleton) fn new(place: usize, name: String) -> Self {
        Station(Arc::new(Lock::new((place, name))))
    }

    pub(in crate::skeleton) fn rename(&self, name: String) {
        self.0.lock().1 = name;
    }

    /// Moves it back, because other stages come before it.
    pub(in crate::skeleton) fn move_back(&self, stages: usize) {
        self.0.lock().0 += stages;
    }

    /// Its place and its name.
    pub(in crate::skeleton) fn place(&self) -> (usize, String) {
        self.0.lock().clone()
    }

    pub(in crate::skeleton) fn name(&self) -> String {
        self.0.lock().1.clone()
    }
}
