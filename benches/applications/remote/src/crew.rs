//! Processes that are the workers of a farm.

use crate::sides::Process;
use pipes_remote::farm::{FarmReport, Workers};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How many sessions a worker has more than replicas.
const SPARE: u64 = 2;

/// The most time until all workers know of the end.
const END: Duration = Duration::from_secs(10);
/// How often it is looked whether all have joined.
const LOOK: Duration = Duration::from_millis(1);

/// A farm, and the processes that work for it, some of which may be started elsewhere. Those that were
/// started here are killed when this is dropped.
pub struct Crew<T: Send + 'static, U: Send + 'static> {
    workers: Workers<T, U>,
    processes: Vec<Process>,
    /// The sessions of a worker.
    each: u64,
    /// Those that all workers have begun when they have joined.
    sessions: u64,
    /// The most time until they have.
    patience: Duration,
}

impl<T, U> Crew<T, U>
where
    T: Serialize + DeserializeOwned + Send + 'static,
    U: Serialize + DeserializeOwned + Send + 'static,
{
    /// A farm for this many workers, with this many replicas each, of which none has joined.
    pub fn new(workers: Workers<T, U>, many: u64, replicas: u64, patience: Duration) -> Self {
        let each = replicas + SPARE;
        Crew { workers, processes: Vec::new(), each, sessions: many * each, patience }
    }

    /// Starts as many processes with these arguments.
    pub fn start(&mut self, arguments: &[String]) -> io::Result<()> {
        let many = self.sessions / self.each;
        self.processes = (0..many).map(|_| Process::start(arguments)).collect::<io::Result<_>>()?;
        Ok(())
    }

    /// The farm.
    pub fn workers(&self) -> &Workers<T, U> {
        &self.workers
    }

    /// What the workers have done so far.
    pub fn report(&self) -> FarmReport {
        self.workers.report()
    }

    /// The sessions that are there when all have joined.
    pub fn sessions(&self) -> u64 {
        self.sessions
    }

    /// Returns `true` if all have joined, with all of their sessions.
    pub fn has_joined(&self) -> bool {
        let sessions: u64 = self.report().workers().iter().map(|worker| worker.sessions).sum();
        sessions >= self.sessions
    }

    /// Waits until all have joined.
    pub fn wait(&mut self) -> io::Result<()> {
        let begun = Instant::now();
        while !self.has_joined() {
            if begun.elapsed() > self.patience {
                return Err(io::Error::other("the workers have not joined"));
            }
            if self.processes.iter_mut().any(|process| !matches!(process.0.try_wait(), Ok(None))) {
                return Err(io::Error::other("a worker has ended before it joined"));
            }
            sleep(LOOK);
        }
        Ok(())
    }

    /// Kills a process, and starts another one with these arguments.
    pub fn replace(&mut self, which: usize, arguments: &[String]) -> io::Result<()> {
        self.processes[which].0.kill()?;
        self.processes[which] = Process::start(arguments)?;
        self.sessions += self.each;
        Ok(())
    }

    /// Tells all workers that there is nothing more to do, and waits until the processes have ended by
    /// themselves. Those that came late are waited for until they have joined: one that finds no farm would
    /// fail.
    pub fn end(mut self) -> io::Result<()> {
        self.wait()?;
        if !self.workers.finish(END) {
            return Err(io::Error::other("the workers do not know of the end"));
        }
        self.processes.into_iter().try_for_each(Process::end)
    }
}
