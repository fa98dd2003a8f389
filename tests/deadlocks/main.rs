//! Threads that wait for each other, found with the feature `inspect`.

mod certain;
mod channels;
mod knots;
mod living;
mod mistakes;
mod printed;
mod random;
mod recorded;
mod scoped;
mod sessions;
mod standing;
mod tasks;

use pipes::inspect::{Deadlock, Verdict, deadlocks};
use scoped::{start, two_in_scopes};
use std::thread;

pipes::proto! {
    /// A question, and its answer.
    asking {
        idle: send { ask(u32) -> asked, bye -> ! }
        asked: recv { answer(u32) -> idle }
    }
}

/// Returns the names of the threads of a deadlock, in order.
fn names(deadlock: &Deadlock) -> Vec<String> {
    let mut names: Vec<_> = deadlock.sleepers.iter().filter_map(|thread| thread.name.clone()).collect();
    names.sort();
    names
}

/// Waits for a deadlock of exactly these threads. A certain one in which one of them takes part has no other
/// members. A suspected one may: an end that was moved and not used yet is taken to be where it was.
fn deadlock_of(expected: &[&str], verdict: Verdict) -> Deadlock {
    loop {
        for found in deadlocks() {
            let names = names(&found);
            if names.iter().any(|name| expected.contains(&&**name)) {
                let mut expected = expected.to_vec();
                expected.sort_unstable();
                if names == expected {
                    assert_eq!(found.verdict, verdict, "{found}");
                    return found;
                }
                assert_eq!(found.verdict, Verdict::Suspected, "{found}");
            }
        }
        thread::yield_now();
    }
}
