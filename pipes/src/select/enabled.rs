//! Which receivers a selection looks at, and in which order.

use std::cell::Cell;
use std::hash::{BuildHasher, RandomState};
use std::ops::{Deref, DerefMut};

/// The indices of the receivers whose condition holds. They are in the order of the receivers, until a look
/// in random order.
#[derive(Debug)]
pub struct Enabled<const N: usize> {
    indices: [usize; N],
    count: usize,
}

impl<const N: usize> Enabled<N> {
    /// Returns the indices at which `conditions` is true.
    #[inline]
    pub fn new(conditions: [bool; N]) -> Self {
        let mut enabled = Enabled { indices: [0; N], count: 0 };
        for (index, condition) in conditions.into_iter().enumerate() {
            if condition {
                enabled.indices[enabled.count] = index;
                enabled.count += 1;
            }
        }
        enabled
    }
}

impl<const N: usize> Deref for Enabled<N> {
    type Target = [usize];

    #[inline]
    fn deref(&self) -> &[usize] {
        &self.indices[..self.count]
    }
}

impl<const N: usize> DerefMut for Enabled<N> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [usize] {
        &mut self.indices[..self.count]
    }
}

/// Returns the first index for which `is_ready` returns `true`: in the order in which they stand if `BIASED`
/// is `true`, and in random order otherwise.
///
/// Each random order is equally probable, so each of those that are ready is the first with the same
/// probability, wherever the others stand. A scan that begins at a random place would give an index the share
/// of those in front of it that are not ready. This is the shuffle of Fisher and Yates, which ends where an
/// index is found.
#[inline]
pub(super) fn first<const BIASED: bool>(
    indices: &mut [usize],
    mut is_ready: impl FnMut(usize) -> bool,
) -> Option<usize> {
    if BIASED {
        return indices.iter().copied().find(|&index| is_ready(index));
    }
    for rest in (1..=indices.len()).rev() {
        let at = if rest == 1 { 0 } else { random_below(rest) };
        let index = indices[at];
        if is_ready(index) {
            return Some(index);
        }
        indices.swap(at, rest - 1);
    }
    None
}

/// Returns a pseudo-random number below `count`, or 0 if `count` is 0. It is xorshift (Marsaglia, 2003), with
/// one state for each thread.
fn random_below(count: usize) -> usize {
    if cfg!(pipes_loom) {
        // A model must be able to repeat an execution with another order.
        return 0;
    }
    thread_local! {
        static STATE: Cell<u32> = const { Cell::new(0) };
    }
    let next = STATE.try_with(|state| {
        let mut it = match state.get() {
            // The first number of the thread: its state begins with a random value that is never 0.
            0 => RandomState::new().hash_one(()) as u32 | 1,
            it => it,
        };
        it ^= it << 13;
        it ^= it >> 17;
        it ^= it << 5;
        state.set(it);
        it
    });
    // The upper half of the product: as even as a remainder, without a division.
    ((u64::from(next.unwrap_or(0)) * count as u64) >> 32) as usize
}
