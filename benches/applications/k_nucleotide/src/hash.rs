//! Hashes of numbers that are codes of windows.

use std::hash::Hasher;

/// The number itself, as the rules allow: neighbours never collide in a table with room for all of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Itself(u64);

/// All bits of the number, spread over the whole hash.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spread(u64);

/// The hash of a number, for keys that write a single number.
macro_rules! hasher {
    ($name:ident, $number:ident => $hash:expr) => {
        impl Hasher for $name {
            #[inline]
            fn finish(&self) -> u64 {
                self.0
            }

            #[inline]
            fn write(&mut self, bytes: &[u8]) {
                bytes.iter().for_each(|byte| self.write_u64(self.0 << 8 | u64::from(*byte)));
            }

            #[inline]
            fn write_u32(&mut self, number: u32) {
                self.write_u64(number.into());
            }

            #[inline]
            fn write_u64(&mut self, $number: u64) {
                self.0 = $hash;
            }
        }
    };
}

hasher!(Itself, number => number);
// A table uses the lowest bits of a hash and the highest seven. The upper bits of a product depend on the
// whole number, the lower ones do not, so the rotation makes them change places.
hasher!(Spread, number => number.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(26));
