//! A channel of `crossbeam` for each chan: wait until one is ready, empty it, and so on.
//!
//! This is the fastest way to use `Select`: the cost of waiting, which includes a check of every channel, is
//! paid once for all messages that have arrived.

use crossbeam_channel::{Receiver, Select, TryRecvError};

use super::BlockingMerge;

/// The source of this file, for `list --sloc`.
pub const SOURCE: &str = include_str!("ready_drain.rs");

/// The ports of the channels.
#[derive(Debug)]
pub struct ReadyDrain<T>(pub Vec<Receiver<T>>);

impl<T: Send + 'static> BlockingMerge<T> for ReadyDrain<T> {
    #[inline]
    fn take_all(self, mut take: impl FnMut(T)) {
        let mut select = Select::new();
        for port in &self.0 {
            select.recv(port);
        }
        let mut open = self.0.len();
        while open > 0 {
            let index = select.ready();
            loop {
                match self.0[index].try_recv() {
                    Ok(message) => take(message),
                    Err(TryRecvError::Empty) => break,
                    Err(TryRecvError::Disconnected) => {
                        select.remove(index);
                        open -= 1;
                        break;
                    }
                }
            }
        }
    }
}
