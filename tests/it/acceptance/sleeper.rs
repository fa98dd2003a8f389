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
        // The system keeps 15 bytes of a thread's name.
        let name = format!("sleeper {}", SPAWNED.fetch_add(1, Ordering::Relaxed));
        let thread = Builder::new().name(name.clone()).spawn(action).expect("a thread can be had");
        Sleeper { name, thread }
    }

    /// Waits until the thread sleeps or has ended. A thread that spins never sleeps.
    ///
    /// On systems other than Linux this returns at once, so no result may depend on it.
    pub fn fall_asleep(&self) {
        while cfg!(target_os = "linux") && !self.thread.is_finished() && !self.is_asleep() {
            thread::yield_now();
        }
    }

    /// Waits until the thread sleeps in a channel and was not woken, on every system.
    pub fn sleep_in_channel(&self) {
        let sleeps = || {
            let sleepers = pipes::inspect::snapshot().sleepers;
            sleepers.iter().any(|it| it.name.as_deref() == Some(&self.name) && !it.is_woken)
        };
        while !sleeps() {
            thread::yield_now();
        }
    }

    /// Returns `true` if the system reports that the thread sleeps.
    fn is_asleep(&self) -> bool {
        let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
        let mut stats = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("stat")).ok());
        // `17 (sleeper 3) S …`
        stats.any(|stat| {
            stat.split_once(&format!("({}) ", self.name)).is_some_and(|(_, state)| state.starts_with('S'))
        })
    }

    /// Joins the thread.
    pub fn join(self) -> Result<T, Box<dyn Any + Send>> {
        self.thread.join()
    }
}
