//! Threads whose falling asleep can be observed.

use std::any::Any;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, Builder, JoinHandle};

/// A thread that is going to block.
#[derive(Debug)]
pub struct Sleeper<T> {
    name: String,
    thread: JoinHandle<T>,
}

impl<T: Send + 'static> Sleeper<T> {
    /// Runs the action in a new thread.
    pub fn spawn(action: impl FnOnce() -> T + Send + 'static) -> Self {
        static SPAWNED: AtomicUsize = AtomicUsize::new(0);
        let name = format!("sleeper {}", SPAWNED.fetch_add(1, Ordering::Relaxed));
        let thread = Builder::new().name(name.clone()).spawn(action).expect("a thread can be had");
        Sleeper { name, thread }
    }

    /// Waits until the thread sleeps in a channel or has ended. A thread that spins never sleeps.
    pub fn fall_asleep(&self) {
        while !self.thread.is_finished() && !self.is_asleep() {
            thread::yield_now();
        }
    }

    fn is_asleep(&self) -> bool {
        let sleepers = pipes::inspect::snapshot().sleepers;
        sleepers.iter().any(|it| it.name.as_deref() == Some(&self.name) && !it.is_woken)
    }

    /// Joins the thread.
    pub fn join(self) -> Result<T, Box<dyn Any + Send>> {
        self.thread.join()
    }
}
