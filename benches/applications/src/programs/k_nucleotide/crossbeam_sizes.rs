//! The queues of our contender, one for each size, over channels of `crossbeam-channel`.

use std::io;
use std::sync::Arc;
use std::task::Poll;

use crossbeam_channel::{Receiver, Sender, TryRecvError, unbounded};

use super::{KNucleotide, Setting};
use pipes_benches::links::Closed;
use pipes_k_nucleotide::chunk::Chunk;
use pipes_k_nucleotide::counted::Counted;
use pipes_k_nucleotide::sizes::{self, Taker};

/// The source of this file and of the workers for all queues, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("crossbeam_sizes.rs"), sizes::SOURCE];

/// Runs the fast shape.
pub fn run(program: &KNucleotide, at: &Setting) -> io::Result<Counted> {
    sizes::run(&at.input, program.workers as usize, queue)
}

/// Creates the queue for one size.
fn queue() -> (Sender<Arc<Chunk>>, Queue) {
    let (chan, port) = unbounded();
    (chan, Queue(port))
}

/// The end that all workers take from.
#[derive(Clone)]
struct Queue(Receiver<Arc<Chunk>>);

impl Taker for Queue {
    fn try_take(&mut self) -> Poll<Option<Arc<Chunk>>> {
        match self.0.try_recv() {
            Ok(chunk) => Poll::Ready(Some(chunk)),
            Err(TryRecvError::Empty) => Poll::Pending,
            Err(TryRecvError::Disconnected) => Poll::Ready(None),
        }
    }

    fn take(&mut self) -> Result<Arc<Chunk>, Closed> {
        self.0.recv().map_err(Closed::from_any)
    }
}
