//! Threads that are used again and again. Starting a thread takes longer than most races, above all under a
//! sanitizer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};

type Job = Box<dyn FnOnce() + Send>;

/// The threads without a job.
static IDLE: Mutex<Vec<Sender<Job>>> = Mutex::new(Vec::new());

/// A job that runs in another thread.
#[derive(Debug)]
pub enum Lent<R> {
    /// In a thread that is used again.
    Again(Receiver<thread::Result<R>>),
    /// In a thread of its own.
    Once(JoinHandle<R>),
}

impl<R> Lent<R> {
    /// Waits for the result. Returns `Err` if the job has panicked.
    pub fn join(self) -> thread::Result<R> {
        match self {
            Lent::Again(result) => result.recv().expect("each job has a result"),
            Lent::Once(thread) => thread.join(),
        }
    }
}

/// Runs the job in another thread, which may have run others before: only for tests to which it does not
/// matter whether a thread begins or ends.
pub fn lend<R: Send + 'static>(job: impl FnOnce() -> R + Send + 'static) -> Lent<R> {
    // Miri does not accept threads that are left when the tests are over.
    if cfg!(miri) {
        return Lent::Once(thread::spawn(job));
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
    Lent::Again(results)
}

fn start() -> Sender<Job> {
    let (jobs, todo) = channel::<Job>();
    thread::spawn(move || todo.into_iter().for_each(|job| job()));
    jobs
}
