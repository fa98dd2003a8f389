//! The places where a program's parties run: threads, tasks on one or two workers, or one thread for all.

use std::future::Future;
use std::io;
use std::panic::resume_unwind;
use std::thread;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use futures::future::BoxFuture;
use serde::Serialize;
use tokio::runtime::{Builder, Runtime};
use tokio::task::{JoinError, JoinHandle};

/// Where the parties of a program run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum On {
    /// A thread for each party, with blocking endpoints.
    Threads,
    /// A task for each party, on one worker.
    Tasks,
    /// A task for each party, on two workers.
    Tasks2,
    /// All in one thread, taking turns.
    Same,
    /// In the way that suits each contender best: the program leaves the choice to it.
    Own,
}

impl On {
    /// Every place that `--on` may name.
    pub const ALL: &'static [On] = &[On::Threads, On::Tasks, On::Tasks2, On::Same];

    /// The word on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            On::Threads => "threads",
            On::Tasks => "tasks",
            On::Tasks2 => "tasks2",
            On::Same => "same",
            On::Own => "own",
        }
    }

    /// Returns `true` if the parties may run at the same time, on several processors.
    pub const fn is_threaded(self) -> bool {
        match self {
            On::Threads | On::Tasks2 | On::Own => true,
            On::Tasks | On::Same => false,
        }
    }

    /// A parser of `--on` that accepts only these.
    pub fn among(places: &[On]) -> impl TypedValueParser<Value = On> {
        PossibleValuesParser::new(places.iter().map(|place| place.name())).try_map(|word| {
            On::ALL.iter().copied().find(|place| place.name() == word).ok_or("there is no such place")
        })
    }
}

/// A place prepared outside the timed part.
#[derive(Debug)]
pub struct Executor {
    runtime: Runtime,
}

impl Executor {
    /// Starts the workers. Where no tasks run, the runtime is idle and has no threads of its own.
    pub fn new(on: On) -> io::Result<Executor> {
        let runtime = match on {
            On::Tasks2 => Builder::new_multi_thread().worker_threads(2).build()?,
            On::Threads | On::Tasks | On::Same | On::Own => Builder::new_current_thread().build()?,
        };
        Ok(Executor { runtime })
    }

    /// Starts one worker, whose tasks may sleep. Elsewhere the runtime has no timers to look after.
    pub fn with_timers() -> io::Result<Executor> {
        Ok(Executor { runtime: Builder::new_current_thread().enable_time().build()? })
    }

    /// Runs each of these as a task, and returns their outputs in the same order.
    pub fn all<F>(&self, futures: Vec<F>) -> Vec<F::Output>
    where
        F: Future<Output: Send> + Send + 'static,
    {
        self.main(Box::pin(async { Tasks::start(futures).join().await }))
    }

    /// Runs two tasks.
    pub fn both<A, B>(&self, one: A, other: B) -> (A::Output, B::Output)
    where
        A: Future<Output: Send + 'static> + Send + 'static,
        B: Future<Output: Send + 'static> + Send + 'static,
    {
        self.main(Box::pin(pair(Box::pin(one), Box::pin(other))))
    }

    /// Runs a task that starts the others.
    fn main<T: Send + 'static>(&self, main: BoxFuture<'static, T>) -> T {
        self.runtime.block_on(joined(main))
    }
}

/// Runs a future as a task of its own, and returns its output: with two workers, `block_on` would poll the
/// future itself, on a third thread.
pub async fn joined<T: Send + 'static>(future: BoxFuture<'static, T>) -> T {
    unwound(spawned(future).await)
}

/// Polls one future in this task, and the other in a new one.
async fn pair<A, B: Send + 'static>(one: BoxFuture<'static, A>, other: BoxFuture<'static, B>) -> (A, B) {
    let other = spawned(other);
    (one.await, unwound(other.await))
}

/// Starts a task. Not generic over the future: the code between a future and the runtime's workers is long,
/// and is compiled only once for each output type. Polling costs one more indirect call, for all contenders.
fn spawned<T: Send + 'static>(future: BoxFuture<'static, T>) -> JoinHandle<T> {
    tokio::spawn(future)
}

/// A task's output; if it panicked, the panic is propagated.
pub fn unwound<T>(output: Result<T, JoinError>) -> T {
    output.unwrap_or_else(|error| resume_unwind(error.into_panic()))
}

/// Tasks that have been started from within a task.
#[derive(Debug)]
pub struct Tasks<T>(Vec<JoinHandle<T>>);

impl<T: Send + 'static> Tasks<T> {
    /// Starts each of these.
    pub fn start<F>(futures: impl IntoIterator<Item = F>) -> Tasks<T>
    where
        F: Future<Output = T> + Send + 'static,
    {
        Tasks(futures.into_iter().map(|future| spawned(Box::pin(future))).collect())
    }

    /// Waits for all, and returns their outputs in the same order.
    pub async fn join(self) -> Vec<T> {
        let mut outputs = Vec::with_capacity(self.0.len());
        for task in self.0 {
            outputs.push(unwound(task.await));
        }
        outputs
    }
}

/// Threads that have been started.
#[derive(Debug)]
pub struct Threads<T>(Vec<thread::JoinHandle<T>>);

impl<T: Send + 'static> Threads<T> {
    /// No threads yet, with room for this many.
    pub fn with_capacity(count: usize) -> Threads<T> {
        Threads(Vec::with_capacity(count))
    }

    /// Starts one more, if the system permits.
    pub fn start(&mut self, body: impl FnOnce() -> T + Send + 'static) -> io::Result<()> {
        self.0.push(started(Box::new(body))?);
        Ok(())
    }

    /// Waits for all, and returns their outputs in the order of starting.
    pub fn join(self) -> impl Iterator<Item = T> {
        self.0.into_iter().map(|thread| carried_on(thread.join()))
    }
}

/// A thread's result; if it panicked, the panic is propagated.
pub fn carried_on<T>(outcome: thread::Result<T>) -> T {
    outcome.unwrap_or_else(|panic| resume_unwind(panic))
}

/// Runs one party in this thread and the other in a new one, which is started first.
pub fn two_threads<A, B: Send + 'static>(
    here: impl FnOnce() -> A,
    there: impl FnOnce() -> B + Send + 'static,
) -> io::Result<(A, B)> {
    let there = started(Box::new(there))?;
    let here = here();
    Ok((here, carried_on(there.join())))
}

/// Starts a thread. Not generic over the closure, so that it is compiled only once for each output type.
fn started<T: Send + 'static>(body: Box<dyn FnOnce() -> T + Send>) -> io::Result<thread::JoinHandle<T>> {
    thread::Builder::new().spawn(body)
}
