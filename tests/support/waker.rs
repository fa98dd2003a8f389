//! Wakers that can be observed, and that do what a test tells them.

use crate::spawn;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;
use std::time::Duration;

type Action = Box<dyn FnOnce() + Send>;

/// Counts how often its wakers are called. An action can be set for the first call, or for the moment when
/// the last of its wakers is dropped.
pub struct WakeCounter {
    count: AtomicUsize,
    on_wake: Todo,
    _on_drop: Last,
}

/// An action that runs once.
#[derive(Default)]
struct Todo(Mutex<Option<Action>>);

impl Todo {
    fn of(action: impl FnOnce() + Send + 'static) -> Self {
        Todo(Mutex::new(Some(Box::new(action))))
    }

    fn run(&self) {
        // The lock is released first, because the action may call this again.
        let action = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(action) = action {
            action();
        }
    }
}

/// An action that runs when this is dropped.
struct Last(Todo);

impl Drop for Last {
    fn drop(&mut self) {
        self.0.run();
    }
}

impl WakeCounter {
    /// A counter, and its waker.
    pub fn new() -> (Arc<WakeCounter>, Waker) {
        Self::with(Todo::default(), Todo::default())
    }

    /// A counter that runs the action when its waker is first called.
    pub fn on_wake(action: impl FnOnce() + Send + 'static) -> (Arc<WakeCounter>, Waker) {
        Self::with(Todo::of(action), Todo::default())
    }

    /// A waker that runs the action when the last of its clones is dropped.
    pub fn on_drop(action: impl FnOnce() + Send + 'static) -> Waker {
        Self::with(Todo::default(), Todo::of(action)).1
    }

    /// A waker that runs the action in another thread when the last of its clones is dropped; see
    /// [`elsewhere`].
    pub fn on_drop_elsewhere(action: impl FnOnce() + Send + 'static) -> Waker {
        Self::on_drop(|| elsewhere(action))
    }

    fn with(on_wake: Todo, on_drop: Todo) -> (Arc<WakeCounter>, Waker) {
        let wakes = Arc::new(WakeCounter { count: AtomicUsize::new(0), on_wake, _on_drop: Last(on_drop) });
        (wakes.clone(), wakes.into())
    }

    /// How often its wakers were called.
    pub fn count(&self) -> usize {
        self.count.load(Ordering::SeqCst)
    }

    /// How many of its wakers exist.
    pub fn wakers(self: &Arc<Self>) -> usize {
        Arc::strong_count(self) - 1
    }

    /// Waits longer and longer until a registered waker is dropped. A wait without time is only a look, and
    /// on a busy machine a short wait may be no more.
    pub fn gives_way(self: &Arc<Self>, mut wait: impl FnMut(Duration)) {
        let mut time = Duration::from_micros(20);
        while self.wakers() > 1 {
            wait(time);
            time *= 2;
        }
    }
}

impl Wake for WakeCounter {
    fn wake(self: Arc<Self>) {
        self.count.fetch_add(1, Ordering::SeqCst);
        self.on_wake.run();
    }
}

impl fmt::Debug for WakeCounter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WakeCounter").field("count", &self.count()).finish_non_exhaustive()
    }
}

/// Runs the action in another thread. If that wakes this thread, this uses up the wake-up.
pub fn elsewhere(action: impl FnOnce() + Send + 'static) {
    spawn(action).join().expect("the other thread does not panic");
    thread::park_timeout(Duration::ZERO);
}

/// Polls a receiver's readiness once.
pub fn poll(receiver: &mut impl pipes::Readiness, waker: &Waker) -> Poll<()> {
    receiver.poll_ready(&mut Context::from_waker(waker))
}

/// Polls once whether a sender's receiver has left.
pub fn poll_closed(sender: &mut impl pipes::Closing, waker: &Waker) -> bool {
    sender.poll_closed(&mut Context::from_waker(waker)).is_ready()
}

/// Polls a future once.
pub fn poll_future<F: Future + Unpin>(future: &mut F, waker: &Waker) -> Poll<F::Output> {
    Pin::new(future).poll(&mut Context::from_waker(waker))
}

/// Polls a future once, and asserts that it waits. Returns it.
#[track_caller]
pub fn begun<F: Future + Unpin>(mut future: F, waker: &Waker) -> F {
    assert!(poll_future(&mut future, waker).is_pending());
    future
}
