//! The numbers of the messages that are in transit while a recorder lives, by the addresses of their slots.
//!
//! The sender of a message puts the number here before it publishes the slot, and the receiver takes it out
//! before it gives the slot free. So the number is right, whatever else was forgotten, and another channel
//! may use the address later. If there is no number, it is not known who has sent the message.

use crate::sync::{StaticLock, lock_soon};
use std::collections::BTreeMap;

/// Threads that use different slots seldom use the same part.
const PARTS: usize = 64;
/// The most messages of a part. One that is dropped unread stays until its slot is used again.
const MOST: usize = 1024;

static TABLE: [StaticLock<BTreeMap<usize, u64>>; PARTS] = [const { StaticLock::new(BTreeMap::new()) }; PARTS];

fn part(slot: usize) -> &'static StaticLock<BTreeMap<usize, u64>> {
    // Slots lie at regular distances. The upper bits of the product differ for all of them.
    let mixed = (slot as u64 >> 3).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    &TABLE[(mixed >> 58) as usize % PARTS]
}

/// Puts the number of the message in this slot here. Without the lock, it is not known.
pub(super) fn put(slot: usize, number: u64) {
    let Some(mut part) = lock_soon(part(slot)) else { return };
    if part.len() >= MOST {
        part.clear();
    }
    part.insert(slot, number);
}

/// Takes the number of the message in this slot out.
pub(super) fn take(slot: usize) -> Option<u64> {
    lock_soon(part(slot))?.remove(&slot)
}

/// Forgets all numbers.
pub(super) fn clear() {
    for part in &TABLE {
        drop(lock_soon(part).map(|mut part| std::mem::take(&mut *part)));
    }
}
