//! The two sides of a session over a plain channel.

use pipes_benches::links::{BlockingChan, BlockingPort, Closed, TaskPort};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("links.rs")];

/// The client's part. A send on these chans never waits, so tasks use it too.
pub fn say<C: BlockingChan<u64>>(mut chan: C, value: u64) -> Result<(), Closed> {
    chan.send(value)
}

/// The server's part on a thread.
pub fn hear<P: BlockingPort<u64>>(mut port: P) -> Result<u64, Closed> {
    port.recv()
}

/// The server's part in a task.
pub async fn hear_task<P: TaskPort<u64>>(mut port: P) -> Result<u64, Closed> {
    port.recv().await
}
