//! The ring itself: which node holds which ends of which pipe, and which node begins.

use std::future::Future;
use std::io;

use super::Threadring;
use pipes_benches::circle::circle;
use pipes_benches::executor::{Executor, Threads};

/// What a node needs to know.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// The number of nodes.
    pub nodes: u64,
    /// The token, for the node that begins.
    pub token: Option<u64>,
}

impl Position {
    /// That of the node with this number, from 0.
    fn of(number: u64, ring: &Threadring) -> Position {
        Position { nodes: ring.nodes, token: (number == 0).then_some(ring.passes) }
    }
}

/// What a node saw of the token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turns {
    /// The number of times it took the token.
    pub taken: u64,
    /// Whether it was the last to take it.
    pub last: bool,
}

/// Runs each node on a thread of its own; this thread waits for them.
pub fn on_threads<C, P>(
    ring: &Threadring,
    pipe: impl Fn() -> (C, P),
    node: impl FnOnce(Position, C, P) -> Turns + Copy + Send + 'static,
) -> io::Result<Vec<Turns>>
where
    C: Send + 'static,
    P: Send + 'static,
{
    let mut threads = Threads::with_capacity(ring.nodes as usize);
    for (number, (to_next, from_last)) in (0..).zip(circle(ring.nodes, pipe)) {
        let position = Position::of(number, ring);
        threads.start(move || node(position, to_next, from_last))?;
    }
    Ok(threads.join().collect())
}

/// Runs each node as a task.
pub fn on_tasks<C, P, F>(
    ring: &Threadring,
    executor: &Executor,
    pipe: impl Fn() -> (C, P),
    node: impl Fn(Position, C, P) -> F,
) -> io::Result<Vec<Turns>>
where
    F: Future<Output = Turns> + Send + 'static,
{
    let mut nodes = Vec::with_capacity(ring.nodes as usize);
    for (number, (to_next, from_last)) in (0..).zip(circle(ring.nodes, pipe)) {
        nodes.push(node(Position::of(number, ring), to_next, from_last));
    }
    Ok(executor.all(nodes))
}
