//! One queue of `crossbeam-channel` for all endpoints, whose messages name their endpoint.

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::super::set::BlockingSet;
use super::super::{Select, threads};
use pipes_benches::links::{BlockingChan, Closed};

/// The source of this file and of the loops, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("tagged.rs"), threads::SOURCE];

/// A chan that tags each message with its endpoint.
#[derive(Debug)]
pub struct Tagging {
    endpoint: usize,
    queue: Sender<(usize, u64)>,
}

impl BlockingChan<u64> for Tagging {
    #[inline]
    fn send(&mut self, value: u64) -> Result<(), Closed> {
        self.queue.send((self.endpoint, value)).map_err(Closed::from_any)
    }
}

/// The chans and their queue.
pub fn set(select: &Select) -> (Vec<Tagging>, Receiver<(usize, u64)>) {
    let (queue, port) = unbounded();
    let chan = |endpoint| Tagging { endpoint: endpoint as usize, queue: queue.clone() };
    ((0..select.all()).map(chan).collect(), port)
}

impl BlockingSet for Receiver<(usize, u64)> {
    #[inline]
    fn recv(&mut self) -> Option<(usize, u64)> {
        Receiver::recv(self).ok()
    }
}
