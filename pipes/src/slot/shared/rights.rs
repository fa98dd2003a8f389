//! A limited number of rights. The holder of a right sees what earlier holders have done.

use crate::sync::{AtomicUsize, Ordering};

/// The number of rights that are given.
#[derive(Debug)]
pub struct Rights(pub(super) AtomicUsize);

impl Rights {
    /// Creates a count of 0: no right is given yet.
    #[cfg(any(test, pipes_loom))]
    pub fn none_given() -> Self {
        Rights(AtomicUsize::new(0))
    }

    /// Gives a right, unless `most` rights are given. Returns `true` if it gave one.
    pub fn give(&self, most: usize) -> bool {
        // ORDERING: Acquire pairs with `take_back`: the thread that gets a right sees what its earlier
        // holders have done. A refusal needs no ordering.
        let one_more = |given: usize| (given < most).then_some(given + 1);
        self.0.fetch_update(Ordering::Acquire, Ordering::Relaxed, one_more).is_ok()
    }

    /// Takes back a right that was given.
    pub fn take_back(&self) {
        // ORDERING: Release pairs with `give`: the next holder sees what this one has done.
        self.0.fetch_sub(1, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::Rights;

    #[test]
    fn no_more_are_given_than_there_are() {
        let rights = Rights::none_given();
        for _ in 0..3 {
            assert!((0..2).all(|_| rights.give(2)));
            assert!(!rights.give(2));
            (0..2).for_each(|_| rights.take_back());
        }
    }
}
