//! The program of this package, the only one that the first command compiles.
//!
//! Programs about channels are added to `pipes-channels`, other programs to `pipes-applications`.

mod ring;

#[cfg(test)]
pub use ring::Ring;

use crate::entry::Entry;

/// Every program of this package.
pub static ALL: &[Entry] = &[Entry::of::<ring::Ring>()];
