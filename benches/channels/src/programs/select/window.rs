//! How far a sender in another thread may run ahead of the receiver.

use std::sync::atomic::{AtomicU64, Ordering};

use crossbeam_utils::{Backoff, CachePadded};

/// The most messages in flight.
const AHEAD: u64 = 64;

/// The number of messages received. Its loads and stores are relaxed because they order nothing: the messages
/// do.
#[derive(Debug, Default)]
pub struct Window(CachePadded<AtomicU64>);

impl Window {
    /// Reports that `count` messages have been received.
    #[inline]
    pub fn received(&self, count: u64) {
        self.0.store(count, Ordering::Relaxed);
    }

    /// Reports that the receiver has ended, after which the sender need not wait any more.
    pub fn ended(&self) {
        self.received(u64::MAX);
    }

    /// Waits until one more message may be sent after `sent` messages. `seen` is the number of messages
    /// received, as far as the sender knows; it is updated.
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
