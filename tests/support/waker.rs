//! Wakers that can be observed, and that do what a test tells them.

use crate::lend;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;
use std::time::Duration;

type Action = Box<dyn FnOnce() + Send>;

/// What a waker rings. An action can be set for the first ring, or for the moment when the last of its wakers
/// is dropped.
pub struct Bell {
    rings: AtomicUsize,
    on_ring: Todo,
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

/// An action that runs when the bell is dropped.
struct Last(Todo);

impl Drop for Last {
    fn drop(&mut self) {
        self.0.run();
    }
}

impl Bell {
    /// A bell, and the waker that rings it.
    pub fn new() -> (Arc<Bell>, Waker) {
        Self::with(Todo::default(), Todo::default())
    }

    /// A bell that runs the action when it is first rung.
    pub fn that(action: impl FnOnce() + Send + 'static) -> (Arc<Bell>, Waker) {
        Self::with(Todo::of(action), Todo::default())
    }

    /// A waker that runs the action when the last of its clones is dropped.
    pub fn at_last(action: impl FnOnce() + Send + 'static) -> Waker {
        Self::with(Todo::default(), Todo::of(action)).1
    }

    /// A waker that runs the action in another thread when the last of its clones is dropped; see
    /// [`meanwhile`].
    pub fn meanwhile(action: impl FnOnce() + Send + 'static) -> Waker {
        Self::at_last(|| meanwhile(action))
    }

    fn with(on_ring: Todo, on_drop: Todo) -> (Arc<Bell>, Waker) {
        let bell = Arc::new(Bell { rings: AtomicUsize::new(0), on_ring, _on_drop: Last(on_drop) });
        (bell.clone(), bell.into())
    }

    /// How often it was rung.
    pub fn rings(&self) -> usize {
        self.rings.load(Ordering::SeqCst)
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

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.rings.fetch_add(1, Ordering::SeqCst);
        self.on_ring.run();
    }
}

impl fmt::Debug for Bell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bell").field("rings", &self.rings()).finish_non_exhaustive()
    }
}

/// Runs the action in another thread. If that wakes this thread, this uses up the wake-up.
pub fn meanwhile(action: impl FnOnce() + Send + 'static) {
    lend(action).join().expect("the other thread does not panic");
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
