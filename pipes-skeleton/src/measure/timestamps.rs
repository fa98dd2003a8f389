//! Timestamps: the times at which items left the source.

use crate::sync::{Arc, Lock, nanoseconds};
use std::collections::HashMap;

/// The times at which the items between two points left the source, by their tags. They are not kept if the
/// pipeline is not measured. Clones are handles to the same timestamps.
#[derive(Clone)]
pub(crate) struct Timestamps(Option<Arc<Lock<Times>>>);

/// The time of each item.
type Times = HashMap<usize, u64>;

impl Timestamps {
    /// Creates timestamps. If they are not enabled, they do nothing.
    pub(crate) fn new(enabled: bool) -> Self {
        Timestamps(enabled.then(|| Arc::new(Lock::new(HashMap::new()))))
    }

    /// Notes the time at which an item left the source. Call this before the item is sent.
    #[inline]
    pub(crate) fn set(&self, tag: usize, timestamp: u64) {
        if let Some(times) = &self.0 {
            insert(times, tag, timestamp);
        }
    }

    /// Removes and returns the time at which an item that has arrived left the source.
    #[inline]
    pub(crate) fn take(&self, tag: usize) -> u64 {
        self.0.as_ref().map_or(0, |times| remove(times, tag))
    }

    /// Returns the current time, or 0 if timestamps are not enabled.
    #[inline]
    pub(crate) fn now(&self) -> u64 {
        if self.0.is_some() { nanoseconds() } else { 0 }
    }
}

/// Keeps a timestamp. This is a separate function so that a pipeline that is not measured only pays for a
/// branch.
#[cold]
#[inline(never)]
fn insert(times: &Lock<Times>, tag: usize, timestamp: u64) {
    times.lock().insert(tag, timestamp);
}

/// Removes a timestamp. This is a separate function for the same reason as [`insert`].
#[cold]
#[inline(never)]
fn remove(times: &Lock<Times>, tag: usize) -> u64 {
    times.lock().remove(&tag).unwrap_or(0)
}
