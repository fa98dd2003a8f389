//! The work on one block: compression or decompression.

use std::io::{self, ErrorKind};
use std::sync::Arc;

use bytes::Bytes;
use bzip2::{Action, Compress, Compression, Decompress, Status};
use clap::ValueEnum;
use memchr::memmem;
use serde::Serialize;

/// The number of bytes compressed into one stream.
pub const BLOCK: usize = 900_000;

/// How a non-empty stream begins, at level 9.
const BEGIN: &[u8] = b"BZh91AY&SY";

/// A block that was read.
#[derive(Debug)]
pub struct Block {
    /// Its index, from zero.
    pub number: u64,
    /// Its contents.
    pub bytes: Bytes,
}

/// What is done to a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Blocks of 900,000 bytes become streams.
    Compress,
    /// Streams become blocks.
    Decompress,
}

impl Mode {
    /// The lengths of the blocks that are processed independently, in order. There is at least one, possibly
    /// empty.
    pub fn lengths(self, input: &[u8]) -> Vec<usize> {
        let mut ends: Vec<usize> = match self {
            Mode::Compress => (1..input.len().div_ceil(BLOCK)).map(|block| block * BLOCK).collect(),
            Mode::Decompress => memmem::find_iter(input, BEGIN).filter(|&begin| begin > 0).collect(),
        };
        ends.push(input.len());
        let begins = [0].into_iter().chain(ends.iter().copied());
        begins.zip(&ends).map(|(begin, end)| end - begin).collect()
    }
}

/// What processes blocks, on any thread.
#[derive(Clone, Debug)]
pub struct Worker {
    mode: Mode,
    input: Arc<str>,
}

impl Worker {
    /// A worker that uses this name for the input in error messages.
    pub fn new(mode: Mode, input: &str) -> Worker {
        Worker { mode, input: input.into() }
    }

    /// Processes a block, if it could be read.
    pub fn on(&self, block: io::Result<Block>) -> io::Result<Vec<u8>> {
        let Block { number, bytes } = block?;
        let done = match self.mode {
            Mode::Compress => compress(&bytes),
            Mode::Decompress => decompress(&bytes),
        };
        done.map_err(|error| {
            io::Error::new(error.kind(), format!("block {} of {}: {error}", number + 1, self.input))
        })
    }
}

/// Compresses a block into one stream.
pub fn compress(block: &[u8]) -> io::Result<Vec<u8>> {
    // According to the documentation of the format this size is always enough, so one step suffices.
    let mut stream = Vec::with_capacity(block.len() + block.len() / 100 + 600);
    let mut encoder = Compress::new(Compression::best(), 30);
    match encoder.compress_vec(block, &mut stream, Action::Finish)? {
        Status::StreamEnd => Ok(stream),
        _ => Err(io::Error::other("it does not fit into the largest stream that it can have")),
    }
}

/// Decompresses a stream.
pub fn decompress(stream: &Bytes) -> io::Result<Vec<u8>> {
    let mut block = Vec::with_capacity(BLOCK);
    let mut decoder = Decompress::new(false);
    loop {
        let read = decoder.total_in() as usize;
        let status = decoder.decompress_vec(&stream[read..], &mut block).map_err(|_| corrupt())?;
        let (all, full) = (decoder.total_in() as usize == stream.len(), block.len() == block.capacity());
        match status {
            Status::StreamEnd if all => return Ok(block),
            // The stream is followed by bytes that do not begin like a stream of ours.
            Status::StreamEnd => return Err(corrupt()),
            // A stream of another program may hold several blocks.
            _ if full => block.reserve(BLOCK),
            _ if all => return Err(io::Error::new(ErrorKind::UnexpectedEof, "the bzip2 data is truncated")),
            _ => {}
        }
    }
}

fn corrupt() -> io::Error {
    io::Error::new(ErrorKind::InvalidData, "the bzip2 data is corrupt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_compressed_comes_back() {
        let noise: Vec<u8> = (0..2_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        for block in [&b""[..], b"a", &noise, &[7; BLOCK], &[7; 3 * BLOCK]] {
            let stream = compress(block).expect("it can be compressed");
            assert!(decompress(&stream.into()).expect("it can be decompressed") == block);
        }
    }

    #[test]
    fn what_is_no_stream_is_told() {
        let stream = compress(b"some text").expect("it can be compressed");
        for length in 0..stream.len() {
            let told = decompress(&Bytes::copy_from_slice(&stream[..length]));
            assert_eq!(told.expect_err("a part is not all").kind(), ErrorKind::UnexpectedEof);
        }
        for place in 0..stream.len() {
            let mut other = stream.clone();
            other[place] ^= 1;
            // A change of the level, or of the bits that pad the last byte, does no harm.
            let wrong = decompress(&other.into()).is_ok_and(|block| block != b"some text");
            assert!(!wrong, "{place}");
        }
        decompress(&[stream, vec![0]].concat().into()).expect_err("one byte too many is noticed");
    }

    #[test]
    fn inputs_are_cut_into_blocks() {
        assert_eq!(Mode::Compress.lengths(&[]), [0]);
        assert_eq!(Mode::Compress.lengths(&[0; 2 * BLOCK]), [BLOCK, BLOCK]);
        assert_eq!(Mode::Compress.lengths(&[0; BLOCK + 1]), [BLOCK, 1]);
        let streams: Vec<_> = [b"one", b"two"].map(|text| compress(text).expect("it can be")).into();
        let lengths: Vec<_> = streams.iter().map(Vec::len).collect();
        assert_eq!(Mode::Decompress.lengths(&streams.concat()), lengths);
        assert_eq!(Mode::Decompress.lengths(&[0; 5]), [5]);
    }
}
