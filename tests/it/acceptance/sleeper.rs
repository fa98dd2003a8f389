//! Threads that can be seen falling asleep.

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
    /// Runs this in a new thread.
    pub fn spawn(action: impl FnOnce() -> T + Send + 'static) -> Self {
        static SPAWNED: AtomicUsize = AtomicUsize::new(0);
        // The system keeps fifteen letters of a thread's name.
        let name = format!("sleeper {}", SPAWNED.fetch_add(1, Ordering::Relaxed));
        let thread = Builder::new().name(name.clone()).spawn(action).expect("a thread can be had");
        Sleeper { name, thread }
    }

    /// Waits until the thread has gone to sleep, or has ended. A thread that spins never gets there.
    ///
    /// Where the system does not tell, it is not waited for; no result may depend on it.
    pub fn fall_asleep(&self) {
        while cfg!(target_os = "linux") && !self.thread.is_finished() && !self.is_asleep() {
            thread::yield_now();
        }
    }

    /// What the system says of the thread.
    fn is_asleep(&self) -> bool {
        let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
        let mut stats = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("stat")).ok());
        // `17 (sleeper 3) S …`
        stats.any(|stat| {
            stat.split_once(&format!("({}) ", self.name)).is_some_and(|(_, state)| state.starts_with('S'))
        })
    }

    /// Waits for the thread's end.
    pub fn join(self) -> Result<T, Box<dyn Any + Send>> {
        self.thread.join()
    }
}
