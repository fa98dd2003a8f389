//! Watching a program for standing still.

use super::deadlock::{Deadlock, Verdict};
use super::snapshot::{Snapshot, snapshot};
use crate::endpoint::Readiness;
use crate::stream::{Chan, stream};
use crate::sync::spawn;
use crate::wait::{ThreadOrTask, end_sleep};
use std::io::{Write, stderr};
use std::time::{Duration, Instant};

/// Watches the program: when none of the threads and tasks that sleep in this library has moved for
/// `patience`, prints the [deadlocks](super::deadlocks()), or if there are none, what they
/// [wait for](super::standing()), to stderr. It prints a state in which nothing moves once.
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
    let (mut last, mut since, mut has_said) = (Vec::new(), None::<Instant>, false);
    look_every((patience / 4).max(Duration::from_millis(1)), move |seen| {
        let now = seen.sleeps();
        if now != last {
            (last, since, has_said) = (now, Some(Instant::now()), false);
        } else if !has_said && !last.is_empty() && since.is_some_and(|since| since.elapsed() >= patience) {
            has_said = true;
            // Not with `eprintln!`, which panics if stderr is closed.
            let _closed = stderr().write_all(report(seen, patience).as_bytes());
        }
    })
}

/// Lets a test whose threads wait for each other fail with the reason: as long as the result lives, the
/// methods in which the threads of a [certain](Verdict::Certain) deadlock sleep panic with its report.
///
/// This is for tests. It concerns all threads of the process, also those of other tests that run beside this
/// one. Other deadlocks are left alone: the verdict must be certain, so threads should declare by
/// [`scope`](super::scope()) what they own. A thread that is panicking already goes on sleeping. In the
/// destructor of a thread-local, a panic aborts the process.
///
/// A thread of its own looks for deadlocks, about every 50 milliseconds.
///
/// ```
/// # #[cfg(feature = "proto")] {
/// use pipes::Closing;
///
/// pipes::proto! { greeting { hello: send { hello -> ! } } }
///
/// let _test = pipes::inspect::test();
/// let (mut client, server) = greeting::pipe();
/// let waits = std::thread::spawn(move || server.recv().map(drop));
/// // The mistake: it waits for the server to leave before it greets.
/// let failed = std::thread::spawn(move || client.wait_closed()).join();
/// assert!(failed.is_err() && waits.join().is_err());
/// # }
/// ```
pub fn test() -> Watch {
    look_every(Duration::from_millis(50), |seen| {
        for deadlock in seen.deadlocks.iter().filter(|it| it.verdict == Verdict::Certain) {
            let report = deadlock.to_string();
            for sleeper in &deadlock.sleepers {
                if let ThreadOrTask::Thread(thread) = sleeper.id {
                    end_sleep(thread, sleeper.since, &report);
                }
            }
        }
    })
}

/// Calls the function with a snapshot again and again, in a thread of its own, until the result is dropped.
fn look_every(pause: Duration, mut look: impl FnMut(&Snapshot) + Send + 'static) -> Watch {
    let (chan, mut port) = stream::<()>();
    spawn("pipes-watch", move || {
        while !port.wait(Instant::now().checked_add(pause)) {
            look(&snapshot());
        }
    });
    Watch { _ends_when_dropped: chan }
}

/// Watches the program until it is dropped; see [`watch`] and [`test()`].
#[derive(Debug)]
#[must_use = "the watch ends when this is dropped"]
pub struct Watch {
    _ends_when_dropped: Chan<()>,
}

fn report(seen: &Snapshot, patience: Duration) -> String {
    let said = match (&*seen.deadlocks, seen.standing(patience)) {
        ([], Some(standing)) => standing.to_string(),
        ([], None) => seen.to_string(),
        (deadlocks, _) => deadlocks.iter().map(Deadlock::to_string).collect(),
    };
    format!("nothing has moved for {patience:?}\n{said}")
}

impl Snapshot {
    /// Returns which threads and tasks sleep, and since when. Those that watch do not count.
    fn sleeps(&self) -> Vec<(ThreadOrTask, Instant)> {
        let others = self.sleepers.iter().filter(|sleeper| sleeper.location.file() != file!());
        others.map(|sleeper| (sleeper.id, sleeper.since)).collect()
    }
}
