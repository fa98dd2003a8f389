//! The ring itself: which node holds which ends of which pipe, for any kind of pipe.

use std::future::Future;
use std::io;

use super::Ring;
use crate::executor::{Executor, Threads};
use crate::harness::Tally;

/// What a node needs to know.
#[derive(Clone, Copy, Debug)]
pub struct Seat {
    /// Its own number.
    pub node: u64,
    /// The number of the node that it receives from.
    pub left: u64,
    /// The number of messages that it sends and receives.
    pub messages: u64,
}

/// Every node's seat, its end to the right, and its end from the left; node 0 comes first.
fn places<C, P>(ring: &Ring, pipe: impl Fn() -> (C, P)) -> impl Iterator<Item = (Seat, C, P)> {
    let (chans, mut ports): (Vec<C>, Vec<P>) = (0..ring.nodes).map(|_| pipe()).unzip();
    // Pipe k leads from node k to node k + 1, and the last one to node 0.
    ports.rotate_right(1);
    (0..ring.nodes).zip(chans).zip(ports).map(|((node, to_right), from_left)| {
        let left = (node + ring.nodes - 1) % ring.nodes;
        (Seat { node, left, messages: ring.messages }, to_right, from_left)
    })
}

/// Runs each node on a thread of its own, except node 0, which runs on this one.
pub fn on_threads<C, P>(
    ring: &Ring,
    pipe: impl Fn() -> (C, P),
    node: impl FnOnce(Seat, C, P) -> Tally + Copy + Send + 'static,
) -> io::Result<Vec<Tally>>
where
    C: Send + 'static,
    P: Send + 'static,
{
    let mut places = places(ring, pipe);
    let first = places.next();
    let mut threads = Threads::with_capacity(ring.nodes as usize);
    for (seat, to_right, from_left) in places {
        threads.start(move || node(seat, to_right, from_left))?;
    }
    let here = first.map(|(seat, to_right, from_left)| node(seat, to_right, from_left));
    Ok(here.into_iter().chain(threads.join()).collect())
}

/// Runs each node as a task.
pub fn on_tasks<C, P, F>(
    ring: &Ring,
    executor: &Executor,
    pipe: impl Fn() -> (C, P),
    node: impl Fn(Seat, C, P) -> F,
) -> io::Result<Vec<Tally>>
where
    F: Future<Output = Tally> + Send + 'static,
{
    let nodes = places(ring, pipe).map(|(seat, to_right, from_left)| node(seat, to_right, from_left));
    Ok(executor.all(nodes.collect()))
}
