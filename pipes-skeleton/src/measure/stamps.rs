//! Stamps: the times at which items left the source.

use crate::sync::{Arc, Lock, nanoseconds};
use std::collections::HashMap;

/// The times at which the items on one way left the source, by their numbers.
#[derive(Clone)]
pub(crate) struct Stamps(Option<Arc<Lock<Moments>>>);

/// A time for each item.
type Moments = HashMap<usize, u64>;

impl Stamps {
    /// Creates stamps, which do nothing unless they are wanted.
    pub(crate) fn new(are_wanted: bool) -> Self {
        Stamps(are_wanted.then(|| Arc::new(Lock::new(HashMap::new()))))
    }

    /// Notes the time at which an item left the source, before the item is handed over.
    #[inline]
    pub(crate) fn set(&self, item: usize, born: u64) {
        if let Some(moments) = &self.0 {
            keep(moments, item, born);
        }
    }

    /// Returns the time at which an item, which has arrived, left the source.
    #[inline]
    pub(crate) fn take(&self, item: usize) -> u64 {
        self.0.as_ref().map_or(0, |moments| forget(moments, item))
    }

    /// Returns the current time, if stamps are wanted.
    #[inline]
    pub(crate) fn now(&self) -> u64 {
        if self.0.is_some() { nanoseconds() } else { 0 }
    }
}

/// Keeps a stamp. A function of its own, so that a pipeline that is not measured pays for a look alone.
#[cold]
#[inline(never)]
fn keep(moments: &Lock<Moments>, item: usize, born: u64) {
    moments.lock().insert(item, born);
}

/// Takes a stamp out. A function of its own, as [`keep`] is.
#[cold]
#[inline(never)]
fn forget(moments: &Lock<Moments>, item: usize) -> u64 {
    moments.lock().remove(&item).unwrap_or(0)
}
