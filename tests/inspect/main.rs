//! What a snapshot says of the threads that sleep.

mod ends;
mod printed;
#[cfg(unix)]
mod served;
mod threads;

use pipes::inspect::{Sleeper, Snapshot, snapshot};
use std::panic::Location;
use std::sync::{Arc, OnceLock};
use std::thread::{self, Builder, JoinHandle};

pipes::proto! {
    till {
        login: send { login(String) -> answer }
        answer: recv { ok -> !, refused -> login }
    }
}

/// A message.
#[derive(Debug, Clone)]
struct Order;

/// Where a sleeper went to sleep.
#[derive(Clone, Default)]
struct Mark(Arc<OnceLock<&'static Location<'static>>>);

impl Mark {
    /// Notes the caller's line. The call that sleeps stands in the same line.
    #[track_caller]
    fn here(&self) {
        let _again = self.0.set(Location::caller());
    }

    fn line(&self) -> u32 {
        self.0.get().expect("the sleeper has noted its line").line()
    }
}

/// Starts a thread with this name that runs the function.
fn start(name: &str, run: impl FnOnce() + Send + 'static) -> JoinHandle<()> {
    Builder::new().name(name.to_owned()).spawn(run).expect("a thread can be had")
}

/// Returns the first snapshot for which the function returns something, and that.
fn wait_for<R>(find: impl Fn(&Snapshot) -> Option<R>) -> (Snapshot, R) {
    loop {
        let seen = snapshot();
        if let Some(found) = find(&seen) {
            return (seen, found);
        }
        thread::yield_now();
    }
}

/// Returns the thread with this name, as soon as it sleeps.
fn asleep(name: &str) -> Sleeper {
    wait_for(|seen| thread_of(seen, name).cloned()).1
}

/// Returns the thread with this name in a snapshot.
fn thread_of<'a>(seen: &'a Snapshot, name: &str) -> Option<&'a Sleeper> {
    seen.sleepers.iter().find(|thread| thread.name.as_deref() == Some(name))
}
