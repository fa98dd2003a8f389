//! Our workers in threads of one process: a stream of chunks for each size, with a worker of its own that the
//! others help.

use std::io;
use std::sync::Arc;
use std::task::Poll;

use pipes::{Chan, SharedPort, TryRecvError, stream};

use super::chunk::Chunk;
use super::counted::Counted;
use super::input::Input;
use super::sizes::{self, Taker};
use pipes_benches::links::Closed;

/// The source of this file and of the workers for all queues, for `list --sloc`.
pub const SOURCES: &[&str] = &[SOURCE, sizes::SOURCE];

/// The source of this file alone.
pub const SOURCE: &str = include_str!("streams.rs");

/// Counts with this many workers, and with the reader on this thread.
pub fn run(input: &Input, workers: usize) -> io::Result<Counted> {
    sizes::run(input, workers, queue)
}

/// The stream for one size; every worker gets a clone of its receiving end.
fn queue() -> (Chan<Arc<Chunk>>, SharedPort<Arc<Chunk>>) {
    let (chan, port) = stream();
    (chan, port.into_shared())
}

impl Taker for SharedPort<Arc<Chunk>> {
    fn try_take(&mut self) -> Poll<Option<Arc<Chunk>>> {
        match self.try_recv() {
            Ok(chunk) => Poll::Ready(Some(chunk)),
            Err(TryRecvError::Empty(_)) => Poll::Pending,
            Err(TryRecvError::Closed) => Poll::Ready(None),
        }
    }

    fn take(&mut self) -> Result<Arc<Chunk>, Closed> {
        self.recv().map_err(Closed::from_any)
    }
}
