//! Watchdogs for tests that would hang if they failed.

use std::any::Any;
use std::io::{Write, stderr};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process::abort;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

// Miri's clock counts the steps of the program.
/// How long a test may take, or make no progress. `PIPES_PATIENCE` sets it for slow runs, such as those under
/// a sanitizer.
fn patience() -> Duration {
    let told = std::env::var("PIPES_PATIENCE").ok().and_then(|seconds| seconds.parse().ok());
    Duration::from_secs(told.unwrap_or(if cfg!(miri) { 3600 } else { 60 }))
}

/// Runs a test in a thread of its own, and panics with the test's name if it takes longer than `patience`.
pub fn watched<T: Send + 'static>(test: impl FnOnce() -> T + Send + 'static) -> T {
    watched_box(Box::new(test))
}

/// Compiled once for each result type, not for each test.
fn watched_box<T: Send + 'static>(test: Box<dyn FnOnce() -> T + Send>) -> T {
    let name = thread::current().name().unwrap_or("a test").to_owned();
    let (done, when) = channel();
    let run = move || {
        let outcome = test();
        // If the receiver is gone, the test has failed already.
        let _ = done.send(());
        outcome
    };
    let runner = Builder::new().name(name.clone()).spawn(run).expect("a thread can be had");
    match when.recv_timeout(patience()) {
        Err(RecvTimeoutError::Timeout) => panic!("{name} hangs\n{}", pipes::inspect::snapshot()),
        Ok(()) | Err(RecvTimeoutError::Disconnected) => {
            runner.join().unwrap_or_else(|panic| resume_unwind(panic))
        }
    }
}

/// Runs the action. If `progress` returns the same for longer than `patience`, prints what `describe`
/// returns, and aborts the process.
pub fn watch_progress<P: PartialEq, T>(
    progress: impl Fn() -> P + Send + 'static,
    describe: impl Fn() -> String + Send + 'static,
    action: impl FnOnce() -> T,
) -> T {
    let (done, when) = channel::<()>();
    let watchdog = thread::spawn(move || {
        let patience = patience();
        let (mut last, mut since) = (progress(), Instant::now());
        while when.recv_timeout(patience / 20) == Err(RecvTimeoutError::Timeout) {
            let now = progress();
            if now != last {
                (last, since) = (now, Instant::now());
            } else if since.elapsed() > patience {
                let said = format!("nothing has happened for {patience:?}\n{}\n", describe());
                // Not with `eprintln!`, because the test harness would keep that output until the test ends.
                let _ = stderr().write_all(said.as_bytes());
                abort();
            }
        }
    });
    let result = action();
    drop(done);
    watchdog.join().expect("the watchdog does not panic");
    result
}

/// Runs the function when it is dropped by a panic, to report what the test was doing.
#[derive(Debug)]
pub struct OnPanic<F: Fn()>(pub F);

impl<F: Fn()> Drop for OnPanic<F> {
    fn drop(&mut self) {
        if thread::panicking() {
            (self.0)();
        }
    }
}

/// Panics without a message on standard error.
pub fn panics() {
    std::panic::resume_unwind(Box::new("on purpose"));
}

/// The payload of the action's panic, if it panicked.
pub fn caught<T>(action: impl FnOnce() -> T) -> Option<Box<dyn Any + Send>> {
    catch_unwind(AssertUnwindSafe(action)).err()
}
