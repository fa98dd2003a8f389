//! Many chans and one receiver of all their messages: one queue that they share, or a queue for each chan and
//! a set of these queues.
//!
//! There is one file per kind of receiver. Each is part of a contender's version, so its lines are counted.

pub mod port_set;
pub mod queue;
pub mod ready_drain;
pub mod select_all;

use std::future::Future;

/// A receiver of what many chans send, on a thread.
pub trait BlockingMerge<T>: Send + 'static {
    /// Takes every message as it arrives, until all chans have closed.
    fn take_all(self, take: impl FnMut(T));
}

/// A receiver of what many chans send, in a task.
pub trait TaskMerge<T>: Send + 'static {
    /// Takes every message as it arrives, until all chans have closed.
    fn take_all(self, take: impl FnMut(T) + Send) -> impl Future<Output = ()> + Send;
}

/// Chans with a channel each, and a receiver from all of them.
pub fn apart<C, P, M>(count: u64, link: impl Fn() -> (C, P), merge: impl FnOnce(Vec<P>) -> M) -> (Vec<C>, M) {
    let (chans, ports): (Vec<C>, Vec<P>) = (0..count).map(|_| link()).unzip();
    (chans, merge(ports))
}
