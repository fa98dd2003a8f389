//! What the loops ask of a set.

use std::future::Future;

/// A set that blocks the thread.
pub trait BlockingSet {
    /// The next message, and the number of its endpoint; `None` if an endpoint has closed, which must not
    /// happen.
    fn recv(&mut self) -> Option<(usize, u64)>;
}

/// A set that suspends the task.
pub trait TaskSet {
    /// The next message, and the number of its endpoint; `None` if an endpoint has closed, which must not
    /// happen.
    fn recv(&mut self) -> impl Future<Output = Option<(usize, u64)>>;
}
