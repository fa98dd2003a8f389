//! What the workers are doing, for the watchdog: a program makes progress if a worker begins a step.

use crate::ends::NOTES;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const WORKERS: usize = 8;

/// What each worker is doing, one word for each.
#[derive(Default)]
pub struct Notes {
    seed: AtomicU64,
    words: [AtomicU64; WORKERS],
}

impl Notes {
    pub const SEARCHING: u8 = 0;
    pub const DONE: u8 = 1;
    pub const CLEARING: u8 = 2;

    pub fn begin(&self, seed: u64) {
        self.seed.store(seed, Relaxed);
    }

    pub fn seed(&self) -> u64 {
        self.seed.load(Relaxed)
    }

    pub fn note(&self, worker: usize, step: u64, what: u8) {
        self.words[worker].store(step << 8 | u64::from(what), Relaxed);
    }

    pub fn words(&self) -> (u64, [u64; WORKERS]) {
        (self.seed(), std::array::from_fn(|worker| self.words[worker].load(Relaxed)))
    }

    /// Returns what each worker is doing, in words.
    pub fn describe(&self) -> String {
        let (seed, words) = self.words();
        let mut text = format!("the program of PIPES_PROGRAM_SEED={seed} hangs");
        for (worker, word) in words.iter().enumerate().filter(|(_, word)| **word != 0) {
            text += &format!("\nworker {worker}, step {}: {}", word >> 8, NOTES[(word & 255) as usize]);
        }
        text
    }
}
