//! Text that is being read, block by block.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor};

use bytes::Bytes;

/// Text that is being read. In memory it is one block, and nothing is copied.
#[derive(Debug)]
pub enum Source {
    /// The rest of the text.
    Memory(Cursor<Bytes>),
    /// A file, block by block.
    File(BufReader<File>),
}

impl Source {
    /// The bytes that are available and not consumed yet; none at the end.
    #[inline]
    pub fn block(&mut self) -> io::Result<&[u8]> {
        match self {
            Source::Memory(text) => text.fill_buf(),
            Source::File(file) => file.fill_buf(),
        }
    }

    /// Consumes this many bytes.
    #[inline]
    pub fn consume(&mut self, bytes: usize) {
        match self {
            Source::Memory(text) => text.consume(bytes),
            Source::File(file) => file.consume(bytes),
        }
    }
}

/// An error that names its file.
pub fn named(name: &str, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{name} could not be read: {error}"))
}
