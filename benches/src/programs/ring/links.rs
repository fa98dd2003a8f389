//! A node over two plain channels, for every library that has them.

use super::wiring::Position;
use crate::harness::Tally;
use crate::links::{BlockingChan, BlockingPort, TaskChan, TaskPort};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("links.rs")];

/// A node on a thread.
pub fn node<C, P>(position: Position, mut to_right: C, mut from_left: P) -> Tally
where
    C: BlockingChan<u64>,
    P: BlockingPort<u64>,
{
    let mut tally = Tally::default();
    for j in 0..position.messages {
        if to_right.send(position.node * j).is_err() {
            break;
        }
        let Ok(value) = from_left.recv() else { break };
        tally.note(value, position.left * j);
    }
    tally
}

/// A node in a task.
pub async fn task<C, P>(position: Position, mut to_right: C, mut from_left: P) -> Tally
where
    C: TaskChan<u64>,
    P: TaskPort<u64>,
{
    let mut tally = Tally::default();
    for j in 0..position.messages {
        if to_right.send(position.node * j).await.is_err() {
            break;
        }
        let Ok(value) = from_left.recv().await else { break };
        tally.note(value, position.left * j);
    }
    tally
}
