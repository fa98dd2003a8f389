//! Pseudorandom numbers, the same in every run.

/// A small generator (xorshift).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator that gives the same numbers for the same seed.
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }

    /// Executes up to `limit` instructions, so that two threads do not always meet at the same place.
    pub fn dawdle(&mut self, limit: u64) {
        for step in 0..self.below(limit) {
            std::hint::black_box(step);
        }
    }
}
