//! A stream for each chan, and a set of their ports.

use pipes::{Chan, Port, PortSet};

use super::{BlockingMerge, TaskMerge};

/// The source of this file, for `list --sloc`.
pub const SOURCE: &str = include_str!("port_set.rs");

/// Chans with a stream each, and the set.
pub fn set<T>(count: u64) -> (Vec<Chan<T>>, PortSet<Port<T>>) {
    let mut set = PortSet::new();
    ((0..count).map(|_| set.chan()).collect(), set)
}

impl<T: Send + 'static> BlockingMerge<T> for PortSet<Port<T>> {
    #[inline]
    fn take_all(mut self, take: impl FnMut(T)) {
        self.messages().for_each(take);
    }
}

impl<T: Send + 'static> TaskMerge<T> for PortSet<Port<T>> {
    #[inline]
    async fn take_all(mut self, mut take: impl FnMut(T) + Send) {
        while let Ok((_, turn)) = self.recv_async().await {
            if let Ok(message) = turn {
                take(message);
            }
        }
    }
}
