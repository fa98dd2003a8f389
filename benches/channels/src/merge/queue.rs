//! One queue shared by all chans, which are clones of one another.

use std::iter::repeat_n;

use super::{BlockingMerge, TaskMerge};
use pipes_benches::links::{BlockingPort, TaskPort};

/// The source of this file, for `list --sloc`.
pub const SOURCE: &str = include_str!("queue.rs");

/// The port of the queue.
#[derive(Debug)]
pub struct Queue<P>(P);

/// `count` chans of one channel.
pub fn shared<C: Clone, P>(count: u64, (chan, port): (C, P)) -> (Vec<C>, Queue<P>) {
    (repeat_n(chan, count as usize).collect(), Queue(port))
}

impl<T, P: BlockingPort<T>> BlockingMerge<T> for Queue<P> {
    #[inline]
    fn take_all(mut self, mut take: impl FnMut(T)) {
        while let Ok(message) = self.0.recv() {
            take(message);
        }
    }
}

impl<T: Send, P: TaskPort<T>> TaskMerge<T> for Queue<P> {
    #[inline]
    async fn take_all(mut self, mut take: impl FnMut(T) + Send) {
        while let Ok(message) = self.0.recv().await {
            take(message);
        }
    }
}
