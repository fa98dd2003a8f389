//! The two words of a stream's permits, and every atomic step between them.
//!
//! A permit is in one of four places. It is *free*, and counted in the word of the senders; it is *held*, by
//! a sender or by a message that was sent and not received; it is *back*, and counted in the word of the
//! receiver; or it is being *moved* by the thread that holds the lock of the queue.
//!
//! | step | from | to | by | with the lock |
//! |---|---|---|---|---|
//! | **take** | free | held | a sender; refused if too few are free | no |
//! | **take all** | free | moved | a sender that is about to join the queue, for more than are free | yes |
//! | **give** | held | back | the receiver, or a sender that does not need it; says whether a sender waits | no |
//! | **collect** | back | moved | a sender that found none free, or a giver that found that one waits | yes |
//! | **set free** | moved | free | the same; only when the queue is empty | yes |
//! | (grant) | moved | held | the same, for the first sender in the queue, until it has as many as it wants | yes |
//! | **wait**: sets the mark | – | – | a sender that is about to join the queue; it does not join if a permit is back | yes |
//! | **clear**: takes the mark away | – | – | a thread that finds the queue empty: the giver that has served it, a sender that has left it or did not join it | yes |
//!
//! While a sender is in the queue, no permit is free: permits become free only when the queue is empty, and a
//! sender that joins it leaves none free. So a sender that comes later cannot overtake the queue.
//!
//! *Wait* and *give* change the same word. So either the giver finds that a sender waits, waits for the lock,
//! and finds that sender in the queue; or the sender finds the permit, and does not join.
//!
//! Senders and receiver write different words, so that they do not compete for one cache line with each
//! message. A sender touches the receiver's word only when no permit is free, and then collects all that are
//! back.

use crate::sync::{AtomicUsize, Ordering};

/// The largest number of permits. More messages do not fit into memory.
pub(super) const MOST: usize = usize::MAX >> 1;

/// The senders' word: the number of free permits.
pub(super) struct Free(AtomicUsize);

impl Free {
    pub(super) fn new(count: usize) -> Self {
        Free(AtomicUsize::new(count))
    }

    /// Takes this many permits. Returns `false` if fewer are free.
    #[inline(always)]
    pub(super) fn take(&self, wanted: usize) -> bool {
        // ORDERING: Relaxed: a guess, which the exchange below checks.
        let mut count = self.0.load(Ordering::Relaxed);
        while count >= wanted {
            // ORDERING: Acquire pairs with `set_free`, and through it with `give`: what the receiver did
            // before it received is seen by the sender to which the permit goes. After a refusal, the number
            // is again a guess.
            match self.0.compare_exchange_weak(count, count - wanted, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => return true,
                Err(now) => count = now,
            }
        }
        false
    }

    /// Takes all permits that are free, and returns how many. The caller holds the lock.
    pub(super) fn take_all(&self) -> usize {
        // ORDERING: Relaxed: permits are set free with the lock, which orders what was done before.
        self.0.swap(0, Ordering::Relaxed)
    }

    /// Returns `true` if a permit is free.
    pub(super) fn is_any(&self) -> bool {
        // ORDERING: Relaxed: it only decides whether a `take` is worth it.
        self.0.load(Ordering::Relaxed) > 0
    }

    /// Makes permits free. The caller holds the lock, and the queue is empty.
    pub(super) fn set_free(&self, count: usize) {
        // ORDERING: Release pairs with `take`: passes on what `collect` has acquired.
        self.0.fetch_add(count, Ordering::Release);
    }
}

/// Set if a sender is in the queue, or about to join it.
const WAITED_FOR: usize = 1;
/// The unit of the count: one permit that is back.
const ONE: usize = 2;

/// The receiver's word: the number of permits that are back, and whether a sender waits for one.
pub(super) struct Back(AtomicUsize);

impl Back {
    pub(super) fn new() -> Self {
        Back(AtomicUsize::new(0))
    }

    /// Gives permits back. Returns `true` if a sender waits.
    #[inline(always)]
    #[must_use]
    pub(super) fn give(&self, count: usize) -> bool {
        // ORDERING: Release pairs with `collect`: what the receiver did before it received is seen by the
        // sender to which the permit goes. It acquires nothing: a giver that finds the mark takes the lock,
        // and so sees the queue.
        self.0.fetch_add(count * ONE, Ordering::Release) & WAITED_FOR != 0
    }

    /// Returns `true` if a permit is back that no sender waits for.
    pub(super) fn is_any(&self) -> bool {
        // ORDERING: Relaxed: it only decides whether a `collect` is worth the lock.
        let word = self.0.load(Ordering::Relaxed);
        word >= ONE && word & WAITED_FOR == 0
    }

    /// Returns `true` if a sender waits.
    pub(super) fn is_waited_for(&self) -> bool {
        // ORDERING: Relaxed: what belongs to the mark is found under the lock.
        self.0.load(Ordering::Relaxed) & WAITED_FOR != 0
    }

    /// Returns `true` if no permit is back.
    pub(super) fn is_empty(&self) -> bool {
        // ORDERING: Relaxed: `give` happened before, or it counts as later.
        self.0.load(Ordering::Relaxed) < ONE
    }

    /// Takes all permits that are back. The caller holds the lock.
    pub(super) fn collect(&self) -> usize {
        // ORDERING: Acquire pairs with `give`.
        self.0.fetch_and(WAITED_FOR, Ordering::Acquire) / ONE
    }

    /// Marks that a sender waits. The caller holds the lock. Returns `false` if a permit is back, which the
    /// caller has to collect. The mark is set in this case as well.
    #[must_use]
    pub(super) fn wait(&self) -> bool {
        // ORDERING: Relaxed: a giver that finds the mark finds the sender under the lock, which the caller
        // has had since before it set the mark.
        self.0.fetch_or(WAITED_FOR, Ordering::Relaxed) < ONE
    }

    /// Takes the mark away, because the queue is empty. The caller holds the lock.
    pub(super) fn clear_waited_for(&self) {
        // ORDERING: Relaxed: see `wait`.
        self.0.fetch_and(!WAITED_FOR, Ordering::Relaxed);
    }
}
