//! Watching a program for standing still.

use super::deadlock::Deadlock;
use super::snapshot::{Snapshot, snapshot};
use crate::endpoint::RecvTimeoutError;
use crate::stream::{Chan, stream};
use crate::sync::{ThreadId, spawn};
use std::io::{Write, stderr};
use std::time::{Duration, Instant};

/// Watches the program: when none of the threads that sleep in this library has moved for `patience`, prints
/// the [deadlocks](super::deadlocks()), or if there are none, what the threads wait for, to stderr. It prints
/// a state in which nothing moves once.
///
/// A thread of its own looks about four times in that time. It ends when the result is dropped. A program
/// that waits for its users, for the network or for a timer stands still as well: choose a patience that is
/// longer than that.
///
/// ```
/// use std::time::Duration;
///
/// let _watch = pipes::inspect::watch(Duration::from_secs(60));
/// ```
pub fn watch(patience: Duration) -> Watch {
    let (chan, mut port) = stream::<()>();
    let look = (patience / 4).max(Duration::from_millis(1));
    spawn("pipes-watch", move || {
        let (mut last, mut since, mut has_said) = (Vec::new(), Instant::now(), false);
        while matches!(port.recv_timeout(look), Err(RecvTimeoutError::Timeout(()))) {
            let seen = snapshot();
            let now = seen.sleeps();
            if now != last {
                (last, since, has_said) = (now, Instant::now(), false);
            } else if !has_said && !last.is_empty() && since.elapsed() >= patience {
                has_said = true;
                // Not with `eprintln!`, which panics if stderr is closed.
                let _closed = stderr().write_all(report(&seen, patience).as_bytes());
            }
        }
    });
    Watch { _ends_when_dropped: chan }
}

/// Watches the program until it is dropped; see [`watch`].
#[derive(Debug)]
#[must_use = "the watch ends when this is dropped"]
pub struct Watch {
    _ends_when_dropped: Chan<()>,
}

fn report(seen: &Snapshot, patience: Duration) -> String {
    let said = match &*seen.deadlocks {
        [] => seen.to_string(),
        deadlocks => deadlocks.iter().map(Deadlock::to_string).collect(),
    };
    format!("nothing has moved for {patience:?}\n{said}")
}

impl Snapshot {
    /// Returns which threads sleep, and since when. Those that watch do not count.
    fn sleeps(&self) -> Vec<(ThreadId, Instant)> {
        let others = self.sleepers.iter().filter(|thread| thread.location.file() != file!());
        others.map(|thread| (thread.id, thread.since)).collect()
    }
}
