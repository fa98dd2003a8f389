//! A watchdog for tests that would hang if they failed.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{self, Builder};
use std::time::Duration;

// Miri's clock counts the steps of the program.
/// How long a test may take. `PIPES_PATIENCE` sets it for slow runs, such as those under a sanitizer.
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
        Err(RecvTimeoutError::Timeout) => panic!("{name} hangs"),
        Ok(()) | Err(RecvTimeoutError::Disconnected) => {
            runner.join().unwrap_or_else(|panic| resume_unwind(panic))
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
