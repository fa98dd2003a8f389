//! Other forms in which a task receives from one of our streams.

use futures::StreamExt;
use pipes::{Chan, Port, PortSet};

use super::links;
use pipes_benches::links::{Closed, TaskPort};

/// The source of this file, for `list --sloc`, and that of the tasks.
pub const SOURCES: &[&str] = &[include_str!("forms.rs"), links::SOURCE];

/// The port as a `Stream` of `futures`.
#[derive(Debug)]
pub struct Next<T>(Port<T>);

/// A stream whose port is a `Stream`.
pub fn next<T>() -> (Chan<T>, Next<T>) {
    let (chan, port) = pipes::stream();
    (chan, Next(port))
}

impl<T: Send + 'static> TaskPort<T> for Next<T> {
    #[inline]
    async fn recv(&mut self) -> Result<T, Closed> {
        self.0.next().await.ok_or(Closed)
    }
}

/// A set of ports.
#[derive(Debug)]
pub struct Set<T>(PortSet<Port<T>>);

/// A stream whose port is the only one of a set.
pub fn set<T>() -> (Chan<T>, Set<T>) {
    let mut set = PortSet::new();
    (set.chan(), Set(set))
}

impl<T: Send + 'static> TaskPort<T> for Set<T> {
    #[inline]
    async fn recv(&mut self) -> Result<T, Closed> {
        // The first turn without a message is the end of the only member.
        let (_, turn) = self.0.recv_async().await.map_err(Closed::from_any)?;
        turn.map_err(Closed::from_any)
    }
}
