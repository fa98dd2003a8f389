//! Payloads whose destructors are counted.

use std::cell::Cell;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

thread_local! {
    /// Payloads of this thread's test are dropped a while later, by what sends them to another program.
    static TRAVEL: Cell<bool> = const { Cell::new(false) };
}

/// Counts the payloads that it made, and those of them that were dropped.
#[derive(Clone, Debug, Default)]
pub struct DropCounter(Arc<[AtomicUsize; 2]>);

type Action = Box<dyn FnOnce() + Send>;

/// A payload that reports its destruction, and may do something in it.
pub struct Counted {
    /// Distinguishes this payload from others.
    pub number: u64,
    // The lock makes it `Sync`; the box keeps it small.
    at_last: Option<Box<Mutex<Action>>>,
    drops: DropCounter,
}

impl DropCounter {
    /// A counter of no payloads.
    pub fn new() -> Self {
        Self::default()
    }

    /// A payload.
    pub fn make(&self, number: u64) -> Counted {
        self.0[0].fetch_add(1, Ordering::Relaxed);
        Counted { number, at_last: None, drops: self.clone() }
    }

    /// A payload whose destructor panics.
    pub fn make_panicking(&self, number: u64) -> Counted {
        self.make_with(number, move || std::panic::panic_any(number))
    }

    /// A payload whose destructor runs the action.
    pub fn make_with(&self, number: u64, action: impl FnOnce() + Send + 'static) -> Counted {
        let mut payload = self.make(number);
        payload.at_last = Some(Box::new(Mutex::new(Box::new(action))));
        payload
    }

    /// How many were made.
    pub fn made(&self) -> usize {
        self.0[0].load(Ordering::SeqCst)
    }

    /// How many were dropped.
    pub fn dropped(&self) -> usize {
        self.0[1].load(Ordering::SeqCst)
    }

    /// From now on, payloads of this thread's test may be on their way to another program, and are gone after
    /// a while.
    pub fn payloads_travel() {
        TRAVEL.set(true);
    }

    /// Asserts that every payload that was made was dropped once.
    #[track_caller]
    pub fn assert_all_dropped(&self) {
        if TRAVEL.get() {
            while self.dropped() < self.made() {
                std::thread::yield_now();
            }
        }
        assert_eq!(self.dropped(), self.made(), "destructors run, payloads made");
    }
}

/// The clone counts as made, and has no action.
impl Clone for Counted {
    fn clone(&self) -> Self {
        self.drops.make(self.number)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.drops.0[1].fetch_add(1, Ordering::SeqCst);
        if let Some(action) = self.at_last.take() {
            action.into_inner().unwrap_or_else(PoisonError::into_inner)();
        }
    }
}

impl fmt::Debug for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Counted({})", self.number)
    }
}
