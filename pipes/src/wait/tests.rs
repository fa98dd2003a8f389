//! For unit tests: a waker that counts, one that panics, and the description of an end.

use super::EndInfo;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Wake, Waker};

/// Describes the ends of tests.
pub(crate) const END: &EndInfo = &EndInfo::receiver::<()>("Port");

/// Counts how often its waker is called.
pub(crate) struct WakeCounter(AtomicUsize);

impl WakeCounter {
    /// Creates a counter, and its waker.
    pub(crate) fn new() -> (Arc<Self>, Waker) {
        let wakes = Arc::new(WakeCounter(AtomicUsize::new(0)));
        (wakes.clone(), wakes.into())
    }

    pub(crate) fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

impl Wake for WakeCounter {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

struct Panicking;

impl Wake for Panicking {
    fn wake(self: Arc<Self>) {
        panic!("on purpose");
    }
}

/// Creates a waker that panics when it is called.
pub(crate) fn panicking_waker() -> Waker {
    Arc::new(Panicking).into()
}
