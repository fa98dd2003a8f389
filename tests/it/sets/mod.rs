//! Sets of receivers. What holds for members of every kind is in the table, in the group `members`.

mod cost;
mod membership;
mod offers;
mod random;
mod sessions;
mod verbs;
mod wakers;

use pipes::{Chan, Port, PortSet};

/// A set of `count` streams, whose keys are their numbers, and their chans.
fn streams<T>(count: usize) -> (Vec<Chan<T>>, PortSet<Port<T>>) {
    let mut set = PortSet::new();
    let chans = (0..count).map(|_| set.chan()).collect();
    (chans, set)
}
