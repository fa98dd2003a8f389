//! Threads that are used again and again. Starting a thread takes longer than most races, above all under a
//! sanitizer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

type Job = Box<dyn FnOnce() + Send>;

/// The threads without a job.
static IDLE: Mutex<Vec<Sender<Job>>> = Mutex::new(Vec::new());

/// A job of [`spawn`].
#[derive(Debug)]
pub enum JoinHandle<R> {
    /// In a thread that is used again.
    Again(Receiver<thread::Result<R>>),
    /// In a thread of its own.
    Once(thread::JoinHandle<R>),
}

impl<R> JoinHandle<R> {
    /// Waits for the result. Returns `Err` if the job has panicked.
    pub fn join(self) -> thread::Result<R> {
        match self {
            JoinHandle::Again(result) => result.recv().expect("each job has a result"),
            JoinHandle::Once(thread) => thread.join(),
        }
    }
}

/// Runs the job in another thread, which may have run others before: only for tests to which it does not
/// matter whether a thread begins or ends.
pub fn spawn<R: Send + 'static>(job: impl FnOnce() -> R + Send + 'static) -> JoinHandle<R> {
    // Miri does not accept threads that are left when the tests are over.
    if cfg!(miri) {
        return JoinHandle::Once(thread::spawn(job));
    }
    let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let thread = idle.unwrap_or_else(start);
    let (result, results) = channel();
    let next = thread.clone();
    let job: Job = Box::new(move || {
        let outcome = catch_unwind(AssertUnwindSafe(job));
        // Before the result is known, so that the next job finds this thread.
        IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(next);
        // The caller need not wait for the result.
        let _ = result.send(outcome);
    });
    thread.send(job).expect("an idle thread waits for a job");
    JoinHandle::Again(results)
}

fn start() -> Sender<Job> {
    let (jobs, todo) = channel::<Job>();
    thread::spawn(move || todo.into_iter().for_each(|job| job()));
    jobs
}
