//! A counting semaphore. A holder of a permit sees what earlier holders have done.

use crate::sync::{AtomicUsize, Ordering};

/// The number of permits that are held.
#[derive(Debug)]
pub struct Semaphore(pub(super) AtomicUsize);

impl Semaphore {
    /// Makes a semaphore of which no permit is held.
    #[cfg(any(test, pipes_loom))]
    pub fn new() -> Self {
        Semaphore(AtomicUsize::new(0))
    }

    /// Acquires a permit, unless `most` are held.
    pub fn try_acquire(&self, most: usize) -> bool {
        // ORDERING: Acquire pairs with `release`: the thread that gets a permit sees what its earlier holders
        // have done. A refusal needs no ordering.
        let one_more = |held: usize| (held < most).then_some(held + 1);
        self.0.fetch_update(Ordering::Acquire, Ordering::Relaxed, one_more).is_ok()
    }

    /// Releases a permit that is held.
    pub fn release(&self) {
        // ORDERING: Release pairs with `try_acquire`: the next holder sees what this one has done.
        self.0.fetch_sub(1, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::Semaphore;

    #[test]
    fn no_more_permits_are_held_than_there_are() {
        let semaphore = Semaphore::new();
        for _ in 0..3 {
            assert!((0..2).all(|_| semaphore.try_acquire(2)));
            assert!(!semaphore.try_acquire(2));
            (0..2).for_each(|_| semaphore.release());
        }
    }
}
