//! Items go back to a farm again and again, while one replica is busy with an item that waits until all
//! others are begun, also those that this replica has taken with it. All of these must be begun.

use pipes_skeleton::from_iter;
use pipes_tests::watched;
use std::ops::ControlFlow::{Break, Continue};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::yield_now;

const ITEMS: u64 = 64;
/// The number of rounds of all items before one of them waits, so that the replicas take many at once.
const WARM: u64 = 100 * ITEMS;
/// The greatest number of rounds of all items.
const MANY: u64 = 5000 * ITEMS;

struct Seen {
    /// The number of rounds of all items.
    rounds: AtomicU64,
    /// The item that waits.
    waiting: OnceLock<u64>,
    /// Which other items were begun since then, and how many were not.
    begun: Vec<AtomicBool>,
    missing: AtomicU64,
    /// How many were not begun when the wait ended.
    left: AtomicU64,
}

impl Seen {
    /// Returns whether the test can end.
    fn is_over(&self) -> bool {
        self.missing.load(Ordering::SeqCst) == 0 || self.rounds.load(Ordering::SeqCst) >= MANY
    }

    /// Processes an item. Returns whether it leaves the loop.
    fn begin(&self, item: u64) -> bool {
        if self.rounds.fetch_add(1, Ordering::SeqCst) < WARM {
            return false;
        }
        if *self.waiting.get_or_init(|| item) == item {
            while !self.is_over() {
                yield_now();
            }
            self.left.store(self.missing.load(Ordering::SeqCst), Ordering::SeqCst);
        } else if !self.begun[item as usize].swap(true, Ordering::SeqCst) {
            self.missing.fetch_sub(1, Ordering::SeqCst);
        }
        self.is_over()
    }
}

#[test]
fn what_was_taken_is_begun_while_others_go_round() {
    watched(|| {
        for repeat in 0..10 {
            let seen = Arc::new(Seen {
                rounds: AtomicU64::new(0),
                waiting: OnceLock::new(),
                begun: (0..ITEMS).map(|_| AtomicBool::new(false)).collect(),
                missing: AtomicU64::new(ITEMS - 1),
                left: AtomicU64::new(ITEMS),
            });
            let sees = seen.clone();
            let items = from_iter(0..ITEMS).feedback(|again| {
                again.parallel(2, move |item| if sees.begin(item) { Break(item) } else { Continue(item) })
            });
            assert_eq!(items.collect().expect("no stage fails").len() as u64, ITEMS);
            let left = seen.left.load(Ordering::SeqCst);
            assert_eq!(left, 0, "in repeat {repeat} {left} items were not begun, while others went round");
        }
    });
}
