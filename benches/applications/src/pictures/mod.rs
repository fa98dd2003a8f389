//! Pictures: what the programs about pictures read, write and hash.

mod decode;
pub mod film;
pub mod folder;
mod frames;
mod jpeg;

pub use frames::Frames;

use crate::streams::Digest;

/// Records a picture: its number, its size and all its bytes.
pub fn note(digest: &mut Digest, number: u64, (width, height): (u32, u32), bytes: &[u8]) {
    let (words, rest) = bytes.as_chunks();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let size = u64::from(width) << 32 | u64::from(height);
    let words = words.iter().chain([&last]).map(|word| u64::from_le_bytes(*word));
    digest.note_all([number, size].into_iter().chain(words));
}
