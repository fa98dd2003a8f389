//! How far a sender in another thread may be ahead of the receiver.

use std::sync::atomic::{AtomicU64, Ordering};

use crossbeam_utils::{Backoff, CachePadded};

/// Messages under way at most.
const AHEAD: u64 = 64;

/// The number of messages that have been received. It orders nothing: the messages do.
#[derive(Debug, Default)]
pub struct Window(CachePadded<AtomicU64>);

impl Window {
    /// So many have been received now.
    #[inline]
    pub fn received(&self, count: u64) {
        self.0.store(count, Ordering::Relaxed);
    }

    /// The receiver has ended, and the sender need not wait any more.
    pub fn ended(&self) {
        self.received(u64::MAX);
    }

    /// Waits until a message more may be sent after `sent`; `seen` is what the sender knew of the number, and knows now.
    #[inline]
    pub fn wait_for_room(&self, sent: u64, seen: &mut u64) {
        if sent.saturating_sub(*seen) < AHEAD {
            return;
        }
        let backoff = Backoff::new();
        loop {
            *seen = self.0.load(Ordering::Relaxed);
            if sent.saturating_sub(*seen) <= AHEAD / 2 {
                return;
            }
            backoff.snooze();
        }
    }
}
