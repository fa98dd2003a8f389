//! Which receivers a selection looks at, and in which order.

use crate::sync::chance;
use std::ops::{Deref, DerefMut};

/// The indices of the receivers whose condition holds, in any order.
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

/// Returns the first index, in random order, for which `is_ready` returns `true`.
///
/// Each order is equally probable, so each of those that are ready is the first with the same probability,
/// wherever the others stand. A scan from a random place on would give an index the share of those in front
/// of it that are not ready. It is the shuffle of Fisher and Yates, which ends where an index is found.
#[inline]
pub(super) fn first(indices: &mut [usize], mut is_ready: impl FnMut(usize) -> bool) -> Option<usize> {
    for rest in (1..=indices.len()).rev() {
        let at = if rest == 1 { 0 } else { chance(rest) };
        let index = indices[at];
        if is_ready(index) {
            return Some(index);
        }
        indices.swap(at, rest - 1);
    }
    None
}
