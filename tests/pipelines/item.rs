//! Items with heap data, in a ledger that knows which of them are alive; the complaints of a run; and a
//! counter of its progress.
//!
//! The ledger belongs to the process and not to the run: if a faulty library has copied an item, this is
//! found when it is dropped twice, before memory is freed twice.

use std::mem::forget;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::{Mutex, PoisonError};

/// More than the items of any pipeline.
const SLOTS: usize = 1 << 16;

const ALIVE: u8 = 1;
const GONE: u8 = 2;

static LEDGER: [AtomicU8; SLOTS] = [const { AtomicU8::new(0) }; SLOTS];
static MADE: AtomicUsize = AtomicUsize::new(0);
static COMPLAINTS: Mutex<Vec<String>> = Mutex::new(Vec::new());
static PROGRESS: AtomicU64 = AtomicU64::new(0);

/// An item of a pipeline.
pub struct Item {
    pub value: u64,
    pub is_bomb: bool,
    slot: usize,
    heap: Option<Box<u64>>,
}

/// The payload of planned panics.
pub struct Planned;

/// Panics as planned. Nothing is printed.
pub fn panic_as_planned() -> ! {
    resume_unwind(Box::new(Planned))
}

impl Item {
    pub fn new(value: u64) -> Self {
        let slot = MADE.fetch_add(1, SeqCst);
        LEDGER[slot].store(ALIVE, SeqCst);
        Item { value, is_bomb: false, slot, heap: Some(Box::new(value)) }
    }

    /// Returns this item with another value, or a fresh one instead of it.
    pub fn turn_into(mut self, value: u64, fresh: bool) -> Item {
        if fresh {
            drop(self);
            return Item::new(value);
        }
        if LEDGER[self.slot].load(SeqCst) != ALIVE {
            complain(format!("the item {:x} is used after it was dropped", self.value));
        } else if let Some(heap) = &mut self.heap {
            **heap = value;
        }
        self.value = value;
        self
    }
}

impl Drop for Item {
    fn drop(&mut self) {
        step();
        if LEDGER[self.slot].swap(GONE, SeqCst) != ALIVE {
            complain(format!("the item {:x} was dropped twice", self.value));
            forget(self.heap.take());
            return;
        }
        if self.heap.as_deref() != Some(&self.value) {
            complain(format!("the item {:x} has the data of another one", self.value));
        }
        if self.is_bomb {
            panic_as_planned();
        }
    }
}

/// Records that something is wrong. It is reported after the run, because a panic here would be taken for the
/// stage's own.
pub fn complain(complaint: String) {
    COMPLAINTS.lock().unwrap_or_else(PoisonError::into_inner).push(complaint);
}

/// Returns the complaints, and clears them.
pub fn complaints() -> Vec<String> {
    std::mem::take(&mut COMPLAINTS.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Clears the ledger; returns how many of its items were still alive.
pub fn close_ledger() -> usize {
    let made = MADE.swap(0, SeqCst);
    LEDGER[..made].iter().filter(|slot| slot.swap(0, SeqCst) == ALIVE).count()
}

/// Counts a step of progress.
pub fn step() {
    PROGRESS.fetch_add(1, SeqCst);
}

pub fn progress() -> u64 {
    PROGRESS.load(SeqCst)
}
