//! Items with heap data, in a ledger that knows which of them are alive; what is found wrong while a pipeline runs; and how far it
//! has come.
//!
//! The ledger is a table of the process and not of the run: an item that a faulty library has copied is found when it is dropped
//! twice, before anything is freed twice.

use std::fmt;
use std::mem::forget;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::{Mutex, PoisonError};

/// More items than any pipeline makes.
const SLOTS: usize = 1 << 16;

const ALIVE: u8 = 1;
const GONE: u8 = 2;

static LEDGER: [AtomicU8; SLOTS] = [const { AtomicU8::new(0) }; SLOTS];
static MADE: AtomicUsize = AtomicUsize::new(0);
static COMPLAINTS: Mutex<Vec<String>> = Mutex::new(Vec::new());
static PROGRESS: AtomicU64 = AtomicU64::new(0);

/// What travels through a pipeline.
pub struct Item {
    pub value: u64,
    pub is_bomb: bool,
    slot: usize,
    heap: Option<Box<u64>>,
}

/// What planned panics panic with, so that the panic hook knows them.
pub struct Planned;

impl Item {
    pub fn new(value: u64) -> Self {
        let slot = MADE.fetch_add(1, SeqCst);
        LEDGER[slot].store(ALIVE, SeqCst);
        Item { value, is_bomb: false, slot, heap: Some(Box::new(value)) }
    }

    /// The same item with another value, or a fresh one instead of it.
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
            std::panic::panic_any(Planned);
        }
    }
}

impl fmt::Debug for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Item({:x})", self.value)
    }
}

/// Something is wrong. It is said after the run, because a panic here would be taken for one of the pipeline's stage.
pub fn complain(complaint: String) {
    COMPLAINTS.lock().unwrap_or_else(PoisonError::into_inner).push(complaint);
}

/// What was wrong; from now on nothing is.
pub fn complaints() -> Vec<String> {
    std::mem::take(&mut COMPLAINTS.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The ledger is empty again. How many items of it are still alive?
pub fn close_ledger() -> usize {
    let made = MADE.swap(0, SeqCst);
    LEDGER[..made].iter().filter(|slot| slot.swap(0, SeqCst) == ALIVE).count()
}

/// The run has come a step further.
pub fn step() {
    PROGRESS.fetch_add(1, SeqCst);
}

pub fn progress() -> u64 {
    PROGRESS.load(SeqCst)
}
