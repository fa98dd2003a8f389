//! When the items that are on their way left the source.

use crate::sync::{Arc, Lock, nanoseconds};

/// The moments at which the items of one way left the source. The number of an item, modulo the places of the way, is its place here:
/// the one that had it before has gone.
#[derive(Clone)]
pub(super) struct Stamps(Option<Arc<Lock<Vec<u64>>>>);

impl Stamps {
    /// For a way with so many places, if they are wanted.
    pub(super) fn new(wanted: bool, places: usize) -> Self {
        Stamps(wanted.then(|| Arc::new(Lock::new(vec![0; places]))))
    }

    /// Notes when an item left the source.
    #[inline]
    pub(super) fn set(&self, item: usize, born: u64) {
        if let Some(moments) = &self.0 {
            let mut moments = moments.lock();
            let place = item % moments.len();
            moments[place] = born;
        }
    }

    /// When the item left the source.
    #[inline]
    pub(super) fn get(&self, item: usize) -> u64 {
        self.0.as_ref().map_or(0, |moments| {
            let moments = moments.lock();
            moments[item % moments.len()]
        })
    }

    /// The moment, where it matters.
    #[inline]
    pub(super) fn now(&self) -> u64 {
        if self.0.is_some() { nanoseconds() } else { 0 }
    }
}
