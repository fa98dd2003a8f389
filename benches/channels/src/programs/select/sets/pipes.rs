//! Our `PortSet`, and a stream for each endpoint.

use pipes::{Chan, Port, PortSet};

use super::super::set::{BlockingSet, TaskSet};
use super::super::{Select, tasks, threads};

/// The source of this file and of the loops of a thread, for `list --sloc`.
pub const ON_THREADS: &[&str] = &[include_str!("pipes.rs"), threads::SOURCE];

/// The source of this file and of the loops of a task, for `list --sloc`.
pub const IN_FUTURES: &[&str] = &[include_str!("pipes.rs"), tasks::SOURCE];

/// The chans and the set.
pub fn set(select: &Select) -> (Vec<Chan<u64>>, PortSet<Port<u64>>) {
    let mut set = PortSet::new();
    let chan = |endpoint| {
        let (chan, port) = pipes::stream();
        set.insert_at(endpoint as usize, port);
        chan
    };
    ((0..select.all()).map(chan).collect(), set)
}

impl BlockingSet for PortSet<Port<u64>> {
    #[inline]
    fn recv(&mut self) -> Option<(usize, u64)> {
        let (endpoint, turn) = PortSet::recv(self).ok()?;
        Some((endpoint, turn.ok()?))
    }
}

impl TaskSet for PortSet<Port<u64>> {
    #[inline]
    async fn recv(&mut self) -> Option<(usize, u64)> {
        let (endpoint, turn) = self.recv_async().await.ok()?;
        Some((endpoint, turn.ok()?))
    }
}
