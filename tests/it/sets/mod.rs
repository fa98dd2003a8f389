//! Sets of receivers.

mod closing;
mod cost;
mod hostile;
mod kinds;
mod membership;
mod random;
mod removal;
mod streams_and_tasks;
mod successors;
mod threads;
mod turns;
mod verbs;
mod wakers;

use pipes::{Chan, Port, PortSet};

/// A set of `count` streams, whose keys are their numbers, and their chans.
fn streams<T>(count: usize) -> (Vec<Chan<T>>, PortSet<Port<T>>) {
    let mut set = PortSet::new();
    let chans = (0..count).map(|_| set.chan()).collect();
    (chans, set)
}
