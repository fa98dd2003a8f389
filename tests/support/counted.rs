//! Payloads whose destructors are counted.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts the payloads that it made, and those of them that were dropped.
#[derive(Clone, Debug, Default)]
pub struct Tally(Arc<[AtomicUsize; 2]>);

/// A payload that reports its destruction, and may panic in it.
pub struct Counted {
    /// Distinguishes this payload from others.
    pub number: u64,
    panics: bool,
    tally: Tally,
}

impl Tally {
    /// A tally of no payloads.
    pub fn new() -> Self {
        Self::default()
    }

    /// A payload.
    pub fn make(&self, number: u64) -> Counted {
        self.0[0].fetch_add(1, Ordering::Relaxed);
        Counted { number, panics: false, tally: self.clone() }
    }

    /// A payload whose destructor panics.
    pub fn make_bomb(&self, number: u64) -> Counted {
        let mut bomb = self.make(number);
        bomb.panics = true;
        bomb
    }

    /// How many were made.
    pub fn made(&self) -> usize {
        self.0[0].load(Ordering::SeqCst)
    }

    /// How many were dropped.
    pub fn gone(&self) -> usize {
        self.0[1].load(Ordering::SeqCst)
    }

    /// Asserts that every payload that was made was dropped once.
    #[track_caller]
    pub fn assert_all_gone(&self) {
        assert_eq!(self.gone(), self.made(), "destructors run, payloads made");
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.tally.0[1].fetch_add(1, Ordering::SeqCst);
        if self.panics {
            std::panic::panic_any(self.number);
        }
    }
}

impl fmt::Debug for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Counted({})", self.number)
    }
}
