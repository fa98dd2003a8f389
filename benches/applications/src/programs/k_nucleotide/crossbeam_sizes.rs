//! The queues of our contender, one for each size, over channels of `crossbeam-channel`.

use std::io;
use std::sync::Arc;
use std::task::Poll;

use crossbeam_channel::{Receiver, TryRecvError, unbounded};

use super::chunk::Chunk;
use super::counted::Counted;
use super::sizes::{self, Taker};
use super::{KNucleotide, Setting};
use pipes_benches::links::Closed;

/// The source of this file and of the workers for all queues, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("crossbeam_sizes.rs"), sizes::SOURCE];

/// Runs the fast shape.
pub fn run(program: &KNucleotide, at: &Setting) -> io::Result<Counted> {
    sizes::run(program, at, unbounded::<Arc<Chunk>>)
}

impl Taker for Receiver<Arc<Chunk>> {
    fn try_take(&mut self) -> Poll<Option<Arc<Chunk>>> {
        match self.try_recv() {
            Ok(chunk) => Poll::Ready(Some(chunk)),
            Err(TryRecvError::Empty) => Poll::Pending,
            Err(TryRecvError::Disconnected) => Poll::Ready(None),
        }
    }

    fn take(&mut self) -> Result<Arc<Chunk>, Closed> {
        self.recv().map_err(Closed::from_any)
    }
}
