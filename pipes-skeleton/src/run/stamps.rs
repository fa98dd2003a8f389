//! Stamps: what is known of the items that are on their way through a region.

use super::threads::Threads;
use crate::sync::{Arc, Lock, nanoseconds};
use std::collections::HashMap;

/// What is known of an item.
#[derive(Clone, Copy)]
pub(crate) struct Stamp {
    /// The time at which the item left the source, in nanoseconds, or 0 if the pipeline is not measured.
    pub(crate) time: u64,
    /// The number of permits that the item needs: 1, or its size.
    pub(crate) weight: usize,
}

impl Default for Stamp {
    fn default() -> Self {
        Stamp { time: 0, weight: 1 }
    }
}

/// The stamps of the items in a region, by their tags. They are kept only if the pipeline is measured, or its
/// items are weighed. Clones are handles to the same stamps.
#[derive(Clone)]
pub(crate) struct Stamps(Option<Arc<Lock<HashMap<usize, Stamp>>>>);

impl Stamps {
    /// Creates the stamps of a region.
    pub(crate) fn new(threads: &Threads) -> Self {
        Stamps(threads.keeps_stamps().then(|| Arc::new(Lock::new(HashMap::new()))))
    }

    /// Creates stamps that are not kept.
    pub(crate) fn off() -> Self {
        Stamps(None)
    }

    /// Returns `true` if the stamps are kept.
    #[inline]
    pub(crate) fn are_kept(&self) -> bool {
        self.0.is_some()
    }

    /// Notes the stamp of an item. Call this before the item is sent.
    #[inline]
    pub(crate) fn set(&self, tag: usize, stamp: Stamp) {
        if let Some(stamps) = &self.0 {
            insert(stamps, tag, stamp);
        }
    }

    /// Removes and returns the stamp of an item that has arrived.
    #[inline]
    pub(crate) fn take(&self, tag: usize) -> Stamp {
        self.0.as_ref().map_or_else(Stamp::default, |stamps| remove(stamps, tag))
    }

    /// Returns the current time, or 0 if stamps are not kept.
    #[inline]
    pub(crate) fn now(&self) -> u64 {
        if self.0.is_some() { nanoseconds() } else { 0 }
    }
}

/// Keeps a stamp. This is a separate function so that a pipeline without stamps only pays for a branch.
#[cold]
#[inline(never)]
fn insert(stamps: &Lock<HashMap<usize, Stamp>>, tag: usize, stamp: Stamp) {
    stamps.lock().insert(tag, stamp);
}

/// Removes a stamp. This is a separate function for the same reason as [`insert`].
#[cold]
#[inline(never)]
fn remove(stamps: &Lock<HashMap<usize, Stamp>>, tag: usize) -> Stamp {
    stamps.lock().remove(&tag).unwrap_or_default()
}
