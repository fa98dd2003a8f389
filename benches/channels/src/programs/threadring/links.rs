//! A node over two plain channels, for every library that has them.

use super::wiring::{Position, Turns};
use pipes_benches::links::{BlockingChan, BlockingPort, TaskChan, TaskPort};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("links.rs")];

/// A node on a thread.
pub fn node<C, P>(position: Position, mut to_next: C, mut from_last: P) -> Turns
where
    C: BlockingChan<u64>,
    P: BlockingPort<u64>,
{
    let mut turns = Turns::default();
    if position.token.is_some_and(|token| to_next.send(token).is_err()) {
        return turns;
    }
    while let Ok(token) = from_last.recv() {
        turns.taken += 1;
        turns.last = token == 1;
        if turns.last || to_next.send(token - 1).is_err() || token <= position.nodes {
            break;
        }
    }
    turns
}

/// A node in a task.
pub async fn task<C, P>(position: Position, mut to_next: C, mut from_last: P) -> Turns
where
    C: TaskChan<u64>,
    P: TaskPort<u64>,
{
    let mut turns = Turns::default();
    if let Some(token) = position.token
        && to_next.send(token).await.is_err()
    {
        return turns;
    }
    while let Ok(token) = from_last.recv().await {
        turns.taken += 1;
        turns.last = token == 1;
        if turns.last || to_next.send(token - 1).await.is_err() || token <= position.nodes {
            break;
        }
    }
    turns
}
