//! The ring itself: which node holds which ends of which pipe, and which node begins.

use std::future::Future;
use std::io;

use super::Threadring;
use crate::executor::{Executor, Threads};

/// What a node needs to know.
#[derive(Clone, Copy, Debug)]
pub struct Seat {
    /// The number of nodes.
    pub nodes: u64,
    /// The token, for the node that begins.
    pub token: Option<u64>,
}

/// What a node saw of the token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turns {
    /// The number of times it took the token.
    pub taken: u64,
    /// Whether it was the last to take it.
    pub last: bool,
}

/// Every node's seat, its end to the next node, and its end from the previous one; node 1 comes first.
fn places<C, P>(ring: &Threadring, pipe: impl Fn() -> (C, P)) -> impl Iterator<Item = (Seat, C, P)> {
    let (chans, mut ports): (Vec<C>, Vec<P>) = (0..ring.nodes).map(|_| pipe()).unzip();
    ports.rotate_right(1);
    let Threadring { nodes, passes, .. } = *ring;
    let tokens = (0..nodes).map(move |before| (before == 0).then_some(passes));
    let seats = tokens.map(move |token| Seat { nodes, token });
    seats.zip(chans).zip(ports).map(|((seat, to_next), from_last)| (seat, to_next, from_last))
}

/// Runs each node on a thread of its own; this thread waits for them.
pub fn on_threads<C, P>(
    ring: &Threadring,
    pipe: impl Fn() -> (C, P),
    node: impl FnOnce(Seat, C, P) -> Turns + Copy + Send + 'static,
) -> io::Result<Vec<Turns>>
where
    C: Send + 'static,
    P: Send + 'static,
{
    let mut threads = Threads::with_capacity(ring.nodes as usize);
    for (seat, to_next, from_last) in places(ring, pipe) {
        threads.start(move || node(seat, to_next, from_last))?;
    }
    Ok(threads.join().collect())
}

/// Runs each node as a task.
pub fn on_tasks<C, P, F>(
    ring: &Threadring,
    executor: &Executor,
    pipe: impl Fn() -> (C, P),
    node: impl Fn(Seat, C, P) -> F,
) -> io::Result<Vec<Turns>>
where
    F: Future<Output = Turns> + Send + 'static,
{
    let nodes = places(ring, pipe).map(|(seat, to_next, from_last)| node(seat, to_next, from_last));
    Ok(executor.all(nodes.collect()))
}
