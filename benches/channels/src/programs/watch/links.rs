//! The sender and the receivers over any library's channels.

use std::future::Future;
use std::io;

use super::Watch;
use pipes_benches::executor::{Executor, Tasks};
use pipes_benches::harness::Tally;
use pipes_benches::links::Closed;
use tokio::sync::{mpsc, watch};

/// The source of this file, for `list --sloc`.
pub const SOURCE: &str = include_str!("links.rs");

/// A sending end.
pub trait Chan: Send + 'static {
    /// Puts a value in the place of the latest one.
    fn send(&mut self, value: u64) -> Result<(), Closed>;
}

/// A receiving end.
pub trait Port: Clone + Send + 'static {
    /// Waits until the value has changed, and returns it.
    fn changed(&mut self) -> impl Future<Output = Result<u64, Closed>> + Send;
}

/// Runs the sender and each receiver as tasks.
pub fn on_tasks<C: Chan, P: Port>(
    watch: &Watch,
    executor: &Executor,
    (mut chan, port): (C, P),
) -> io::Result<Vec<Tally>> {
    let (changes, receivers) = (watch.changes, watch.receivers);
    let (seen, mut has_seen) = mpsc::unbounded_channel();
    let ports = (0..receivers).map(|_| (port.clone(), seen.clone()));
    let receiving: Vec<_> = ports
        .map(|(mut port, seen)| async move {
            let mut tally = Tally::default();
            while let Ok(value) = port.changed().await {
                // The first value is 1, because the initial one is 0.
                tally.note_multiple(value - 1, 1);
                if seen.send(()).is_err() {
                    break;
                }
            }
            tally
        })
        .collect();
    drop((port, seen));
    let sender = async move {
        for value in 1..=changes {
            // If a send fails, the verification finds what is missing.
            if chan.send(value).is_err() {
                break;
            }
            for _ in 0..receivers {
                has_seen.recv().await.unwrap_or_default();
            }
        }
    };
    let (tallies, ()) = executor.both(async { Tasks::start(receiving).join().await }, sender);
    Ok(tallies)
}

impl Chan for pipes::WatchChan<u64> {
    fn send(&mut self, value: u64) -> Result<(), Closed> {
        pipes::WatchChan::send(self, value).map_err(Closed::from_any)
    }
}

impl Port for pipes::WatchPort<u64> {
    async fn changed(&mut self) -> Result<u64, Closed> {
        self.changed_async().await.map_err(Closed::from_any)?;
        Ok(*self.borrow_and_update())
    }
}

impl Chan for watch::Sender<u64> {
    fn send(&mut self, value: u64) -> Result<(), Closed> {
        watch::Sender::send(self, value).map_err(Closed::from_any)
    }
}

impl Port for watch::Receiver<u64> {
    async fn changed(&mut self) -> Result<u64, Closed> {
        watch::Receiver::changed(self).await.map_err(Closed::from_any)?;
        Ok(*self.borrow_and_update())
    }
}
