//! A watchdog that measures progress: if no worker has begun a step for a long time, it prints what each
//! worker does, and aborts.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

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

    fn words(&self) -> (u64, [u64; WORKERS]) {
        (self.seed(), std::array::from_fn(|worker| self.words[worker].load(Relaxed)))
    }
}

fn patience() -> Duration {
    let told = std::env::var("PIPES_PROGRAM_PATIENCE").ok().and_then(|text| text.parse().ok());
    Duration::from_secs(told.unwrap_or(if cfg!(miri) { 60 } else { 20 }))
}

/// Runs the action under the watchdog.
pub fn watched<T>(notes: &Arc<Notes>, names: &'static [&'static str], action: impl FnOnce() -> T) -> T {
    let (done, when) = channel::<()>();
    let (notes, patience) = (notes.clone(), patience());
    let watchdog = thread::spawn(move || {
        let (mut last, mut since) = (notes.words(), Instant::now());
        while when.recv_timeout(Duration::from_millis(500)) == Err(RecvTimeoutError::Timeout) {
            let now = notes.words();
            if now != last {
                (last, since) = (now, Instant::now());
            } else if since.elapsed() > patience {
                eprintln!("the program of PIPES_PROGRAM_SEED={} hangs", now.0);
                for (worker, word) in now.1.iter().enumerate().filter(|(_, word)| **word != 0) {
                    eprintln!("worker {worker}, step {}: {}", word >> 8, names[(word & 255) as usize]);
                }
                std::process::abort();
            }
        }
    });
    let result = action();
    drop(done);
    watchdog.join().expect("the watchdog does not panic");
    result
}
