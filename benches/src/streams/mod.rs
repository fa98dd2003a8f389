//! What the programs about streams of items share: how large they are, the pools, and the order of what comes out.

mod digest;
mod md5;
mod pools;
pub mod reorder;
mod scale;

pub use digest::Digest;
pub use md5::Checksum;
pub use pools::Pools;
#[cfg(test)]
pub use scale::Class;
pub use scale::Scale;

/// How many items a queue between two stages holds, and how far a library that keeps the order may run ahead.
pub const WINDOW: usize = 512;
