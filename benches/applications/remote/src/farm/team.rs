//! Our workers, some of which are killed.

use super::Farm;
use crate::crew::Crew;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io;
use std::time::{Duration, Instant};

/// How long a worker lives at least, with `--kill`.
const LIFE: Duration = Duration::from_secs(1);

/// The workers. `T` is what is sent at once, and what comes back.
pub struct Team<'a, T: Send + 'static> {
    farm: &'a Farm,
    pub crew: Crew<T, T>,
    arguments: Vec<String>,
    killed: u64,
    /// When one was killed.
    last: Instant,
    /// The thirds of the items after which one was killed.
    thirds: u64,
    /// Why another one could not be started.
    broken: Option<io::Error>,
}

impl<'a, T: Serialize + DeserializeOwned + Send + 'static> Team<'a, T> {
    /// Starts the processes, and waits until they have joined.
    pub fn start(farm: &'a Farm, crew: Crew<T, T>, arguments: Vec<String>) -> io::Result<Self> {
        let mut crew = crew;
        crew.start(&arguments)?;
        crew.wait()?;
        Ok(Team { farm, crew, arguments, killed: 0, last: Instant::now(), thirds: 0, broken: None })
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
        if !is_due || !self.crew.has_joined() {
            return;
        }
        (self.thirds, self.last) = (thirds, Instant::now());
        self.broken = self.replace().err();
    }

    /// Those that are killed take turns.
    fn replace(&mut self) -> io::Result<()> {
        let which = (self.killed % self.farm.workers) as usize;
        self.killed += 1;
        self.crew.replace(which, &self.arguments)
    }

    /// Waits until all have ended. Returns how many were killed.
    pub fn end(mut self) -> io::Result<u64> {
        self.broken.take().map_or(Ok(()), Err)?;
        self.crew.end()?;
        Ok(self.killed)
    }
}
