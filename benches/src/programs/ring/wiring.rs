//! The ring itself: which node holds which ends of which pipe, for any kind of pipe.

use std::future::Future;
use std::io;

use super::Ring;
use crate::circle::circle;
use crate::executor::{Executor, Threads};
use crate::harness::Tally;

/// What a node needs to know.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// Its own number.
    pub node: u64,
    /// The number of the node that it receives from.
    pub left: u64,
    /// The number of messages that it sends and receives.
    pub messages: u64,
}

impl Position {
    fn of(node: u64, ring: &Ring) -> Position {
        Position { node, left: (node + ring.nodes - 1) % ring.nodes, messages: ring.messages }
    }
}

/// Runs each node on a thread of its own, except node 0, which runs on this one.
pub fn on_threads<C, P>(
    ring: &Ring,
    pipe: impl Fn() -> (C, P),
    node: impl FnOnce(Position, C, P) -> Tally + Copy + Send + 'static,
) -> io::Result<Vec<Tally>>
where
    C: Send + 'static,
    P: Send + 'static,
{
    let mut ends = (0..).zip(circle(ring.nodes, pipe));
    let first = ends.next();
    let mut threads = Threads::with_capacity(ring.nodes as usize);
    for (number, (to_right, from_left)) in ends {
        let position = Position::of(number, ring);
        threads.start(move || node(position, to_right, from_left))?;
    }
    let here =
        first.map(|(number, (to_right, from_left))| node(Position::of(number, ring), to_right, from_left));
    Ok(here.into_iter().chain(threads.join()).collect())
}

/// Runs each node as a task.
pub fn on_tasks<C, P, F>(
    ring: &Ring,
    executor: &Executor,
    pipe: impl Fn() -> (C, P),
    node: impl Fn(Position, C, P) -> F,
) -> io::Result<Vec<Tally>>
where
    F: Future<Output = Tally> + Send + 'static,
{
    let mut nodes = Vec::with_capacity(ring.nodes as usize);
    for (number, (to_right, from_left)) in (0..).zip(circle(ring.nodes, pipe)) {
        nodes.push(node(Position::of(number, ring), to_right, from_left));
    }
    Ok(executor.all(nodes))
}
