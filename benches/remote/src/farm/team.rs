//! The processes of our workers, some of which are killed.

use super::Farm;
use crate::sides::Process;
use pipes_remote::farm::Workers;
use std::io;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The sessions of a worker with one replica.
const SESSIONS: u64 = 3;

/// The most time until all workers have joined.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often it is looked whether they have.
const LOOK: Duration = Duration::from_millis(1);

/// How long a worker lives at least, with `--kill`.
const LIFE: Duration = Duration::from_secs(1);

/// The processes.
pub struct Team<'a> {
    farm: &'a Farm,
    workers: &'a Workers<u64, u64>,
    arguments: Vec<String>,
    processes: Vec<Process>,
    killed: u64,
    /// When one was killed.
    last: Instant,
    /// The thirds of the items after which one was killed.
    thirds: u64,
    /// Why another one could not be started.
    broken: Option<io::Error>,
}

/// Processes that end by themselves.
pub struct Leaving {
    processes: Vec<Process>,
    killed: u64,
}

impl<'a> Team<'a> {
    /// Starts the processes, and waits until they have joined.
    pub fn start(farm: &'a Farm, workers: &'a Workers<u64, u64>, arguments: Vec<String>) -> io::Result<Self> {
        let start = |_| Process::start(&arguments);
        let processes = (0..farm.workers).map(start).collect::<io::Result<_>>()?;
        let last = Instant::now();
        let mut team = Team { farm, workers, arguments, processes, killed: 0, last, thirds: 0, broken: None };
        team.wait()?;
        team.last = Instant::now();
        Ok(team)
    }

    /// Whether all have joined, with all of their sessions.
    fn has_joined(&self) -> bool {
        let sessions: u64 = self.workers.report().workers().iter().map(|worker| worker.sessions).sum();
        sessions >= (self.farm.workers + self.killed) * SESSIONS
    }

    fn wait(&mut self) -> io::Result<()> {
        let begun = Instant::now();
        while !self.has_joined() {
            if begun.elapsed() > PATIENCE {
                return Err(io::Error::other("the workers have not joined"));
            }
            if self.processes.iter_mut().any(|process| !matches!(process.0.try_wait(), Ok(None))) {
                return Err(io::Error::other("a worker has ended before it joined"));
            }
            sleep(LOOK);
        }
        Ok(())
    }

    /// Kills a worker, and starts another one, if enough items are done. One that has not
    /// joined yet is waited for.
    pub fn disturb(&mut self, done: u64) {
        if !self.farm.kill || self.broken.is_some() {
            return;
        }
        // Not after the last one.
        let thirds = (3 * done / self.farm.items()).min(2);
        let is_due = thirds > self.thirds || self.last.elapsed() >= LIFE;
        if !is_due || !self.has_joined() {
            return;
        }
        (self.thirds, self.last) = (thirds, Instant::now());
        self.broken = self.replace().err();
    }

    /// Those that are killed take turns.
    fn replace(&mut self) -> io::Result<()> {
        let which = (self.killed % self.farm.workers) as usize;
        self.processes[which].0.kill()?;
        self.killed += 1;
        self.processes[which] = Process::start(&self.arguments)?;
        Ok(())
    }

    /// Waits until those that came late have joined: one that finds no farm would fail.
    pub fn leave(mut self) -> io::Result<Leaving> {
        self.broken.take().map_or(Ok(()), Err)?;
        self.wait()?;
        Ok(Leaving { processes: self.processes, killed: self.killed })
    }
}

impl Leaving {
    /// Waits until all have ended. Returns how many were killed.
    pub fn end(self) -> io::Result<u64> {
        self.processes.into_iter().try_for_each(Process::end)?;
        Ok(self.killed)
    }
}
