//! A watchdog that measures progress and not time.

use crate::item::progress;
use std::io::{Write, stderr};
use std::process::abort;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The current run.
static RUNNING: Mutex<String> = Mutex::new(String::new());

/// How long a run may make no progress. Sanitizers make everything slow.
fn patience() -> Duration {
    let told = std::env::var("PIPES_PIPELINE_PATIENCE").ok().and_then(|seconds| seconds.parse().ok());
    Duration::from_secs(told.unwrap_or(if cfg!(miri) { 600 } else { 20 }))
}

/// From now on a run without progress aborts the process and prints its description.
pub fn watch() {
    let patience = patience();
    thread::spawn(move || {
        let (mut last, mut since) = (progress(), Instant::now());
        loop {
            thread::park_timeout(patience / 20);
            let now = progress();
            if now != last {
                (last, since) = (now, Instant::now());
            } else if since.elapsed() > patience {
                let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
                let said = format!("nothing has happened for {} s\n{running}\n", patience.as_secs());
                // Not with `eprintln!`, because the test harness would keep that output until the test ends.
                let _ = stderr().write_all(said.as_bytes());
                abort();
            }
        }
    });
}

/// Sets the description of the current run.
pub fn tell(what: String) {
    *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) = what;
}
