//! The four stages, and the items that go through them: one number at a time, or batches of numbers.

use super::Pipe4;
use crate::streams::Digest;

/// The first stage.
#[inline]
pub fn first(number: u64) -> u64 {
    number.wrapping_add(0x9e37_79b9_7f4a_7c15)
}

/// The second stage.
#[inline]
pub fn second(number: u64) -> u64 {
    (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// The third stage.
#[inline]
pub fn third(number: u64) -> u64 {
    (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb)
}

/// The fourth stage.
#[inline]
pub fn fourth(number: u64) -> u64 {
    number ^ (number >> 31)
}

/// An item: what travels from stage to stage.
pub trait Item: Send + Sized + 'static {
    /// All items, in order.
    fn source(pipe4: &Pipe4) -> impl Iterator<Item = Self> + Send + 'static;
    /// The item after a stage.
    fn through(self, stage: impl Fn(u64) -> u64) -> Self;
    /// Adds the item to the digest.
    fn sink(self, digest: &mut Digest);
}

impl Item for u64 {
    fn source(pipe4: &Pipe4) -> impl Iterator<Item = u64> + Send + 'static {
        0..pipe4.items()
    }

    #[inline]
    fn through(self, stage: impl Fn(u64) -> u64) -> u64 {
        stage(self)
    }

    #[inline]
    fn sink(self, digest: &mut Digest) {
        digest.note(self);
    }
}

impl Item for Vec<u64> {
    fn source(pipe4: &Pipe4) -> impl Iterator<Item = Vec<u64>> + Send + 'static {
        let (items, batch) = (pipe4.items(), pipe4.batch);
        (0..items).step_by(batch as usize).map(move |start| (start..items.min(start + batch)).collect())
    }

    fn through(mut self, stage: impl Fn(u64) -> u64) -> Vec<u64> {
        self.iter_mut().for_each(|number| *number = stage(*number));
        self
    }

    fn sink(self, digest: &mut Digest) {
        self.into_iter().for_each(|number| digest.note(number));
    }
}

/// The digest of items as they arrive.
pub fn digest<I: Item>(items: impl Iterator<Item = I>) -> Digest {
    let mut digest = Digest::default();
    items.for_each(|item| item.sink(&mut digest));
    digest
}
