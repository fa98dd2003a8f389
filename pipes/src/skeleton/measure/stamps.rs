//! When the items that are on their way left the source.

use crate::sync::{Arc, Lock, nanoseconds};
use std::collections::HashMap;

/// The moments at which the items on one way left the source, by their numbers.
#[derive(Clone)]
pub(in crate::skeleton) struct Stamps(Option<Arc<Lock<HashMap<usize, u64>>>>);

impl Stamps {
    /// If they are wanted.
    pub(in crate::skeleton) fn new(are_wanted: bool) -> Self {
        Stamps(are_wanted.then(|| Arc::new(Lock::new(HashMap::new()))))
    }

    /// Notes when an item left the source, before it is on its way.
    #[inline]
    pub(in crate::skeleton) fn set(&self, item: usize, born: u64) {
        if let Some(moments) = &self.0 {
            moments.lock().insert(item, born);
        }
    }

    /// When the item, which has arrived, left the source.
    #[inline]
    pub(in crate::skeleton) fn take(&self, item: usize) -> u64 {
        self.0.as_ref().and_then(|moments| moments.lock().remove(&item)).unwrap_or(0)
    }

    /// The moment, where it matters.
    #[inline]
    pub(in crate::skeleton) fn now(&self) -> u64 {
        if self.0.is_some() { nanoseconds() } else { 0 }
    }
}
