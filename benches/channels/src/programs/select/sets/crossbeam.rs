//! `Select` of `crossbeam-channel`, built once, and a channel for each endpoint.

use std::io;

use crossbeam_channel::{Receiver, Select as Operations, Sender, TryRecvError, unbounded};

use super::super::set::BlockingSet;
use super::super::{Select, threads};
use pipes_benches::harness::Tally;

/// The source of this file and of the loops, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("crossbeam.rs"), threads::SOURCE];

/// The ports, and a `Select` with the operation of receiving from each.
///
/// The expensive part is asking which port is ready, so the set empties the port that was ready before it
/// asks again. A check that finds the port empty costs a few nanoseconds out of a hundred.
#[derive(Debug)]
pub struct Ports<'a> {
    ports: &'a [Receiver<u64>],
    operations: Operations<'a>,
    /// The port that was ready.
    current: usize,
}

impl BlockingSet for Ports<'_> {
    #[inline]
    fn recv(&mut self) -> Option<(usize, u64)> {
        loop {
            match self.ports[self.current].try_recv() {
                Ok(value) => return Some((self.current, value)),
                // `ready` may report a port that is empty; then the loop asks again.
                Err(TryRecvError::Empty) => self.current = self.operations.ready(),
                Err(TryRecvError::Disconnected) => return None,
            }
        }
    }
}

/// Runs the program over the set, which borrows the ports.
pub fn with_set(
    select: &Select,
    run: impl FnOnce(&Select, (Vec<Sender<u64>>, Ports<'_>)) -> io::Result<Vec<Tally>>,
) -> io::Result<Vec<Tally>> {
    let (chans, ports): (Vec<_>, Vec<_>) = (0..select.all()).map(|_| unbounded()).unzip();
    let mut operations = Operations::new();
    for port in &ports {
        operations.recv(port);
    }
    run(select, (chans, Ports { ports: &ports, operations, current: 0 }))
}
