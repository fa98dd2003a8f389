//! Messages, which are counted, and whose plain data a thread sanitizer checks.

use crate::ends::End;
use crate::wakers::Deed;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What a program has made, and what became of it.
///
/// All counters are relaxed: the harness must not add order that the library should provide.
#[derive(Default)]
pub struct Totals {
    pub made: AtomicU64,
    pub gone: AtomicU64,
    /// Messages inside futures that were forgotten on purpose, which may never be dropped.
    pub forgotten: AtomicU64,
    /// Wakers that did something when they were woken, and when they were dropped.
    pub woken: AtomicU64,
    pub let_go: AtomicU64,
    /// Messages that did something when they were dropped.
    pub acted: AtomicU64,
    /// Ends that were in the table, and were dropped by a waker or a message.
    pub stolen: AtomicU64,
    /// Some wakers panic, so a step may lose its ends in an unusual order.
    pub panicky: bool,
}

/// A message: its sender's name, its number among that sender's messages, and perhaps an end of another pipe,
/// or something that it does when it is dropped.
pub struct Message {
    data: Box<[u64; 3]>,
    totals: Arc<Totals>,
    pub freight: Option<Box<End>>,
    pub deed: Option<Box<Deed>>,
}

impl Message {
    pub fn new(totals: &Arc<Totals>, sender: u64, number: u64) -> Self {
        totals.made.fetch_add(1, Relaxed);
        let data = Box::new([sender, number, check(sender, number)]);
        Message { data, totals: totals.clone(), freight: None, deed: None }
    }

    /// Returns the sender and the number; panics if the data is not what the sender wrote.
    pub fn read(&self) -> (u64, u64) {
        let [sender, number, sum] = *self.data;
        assert_eq!(sum, check(sender, number), "a message arrives as it was written");
        (sender, number)
    }
}

fn check(sender: u64, number: u64) -> u64 {
    (sender.rotate_left(32) ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5555
}

impl Drop for Message {
    fn drop(&mut self) {
        self.read();
        *self.data = [u64::MAX; 3];
        black_box(&mut self.data);
        self.totals.gone.fetch_add(1, Relaxed);
        if let Some(deed) = self.deed.take() {
            self.totals.acted.fetch_add(1, Relaxed);
            deed.run(&self.totals);
        }
    }
}
