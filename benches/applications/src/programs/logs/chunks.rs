//! Chunks of whole lines, for the contenders that bring no source of such.

use std::io::{self, Read};

use super::CHUNK;

/// The chunks of a reader.
pub struct Chunks<R> {
    reader: R,
    buffer: Vec<u8>,
    /// The beginning of the line in which the last chunk ended.
    rest: Vec<u8>,
}

impl<R: Read> Chunks<R> {
    pub fn of(reader: R) -> Self {
        Chunks { reader, buffer: vec![0; CHUNK], rest: Vec::new() }
    }
}

impl<R: Read> Iterator for Chunks<R> {
    type Item = io::Result<Vec<u8>>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut chunk = std::mem::take(&mut self.rest);
        loop {
            let read = match self.reader.read(&mut self.buffer) {
                Ok(0) => return if chunk.is_empty() { None } else { Some(Ok(chunk)) },
                Ok(read) => &self.buffer[..read],
                Err(error) => return Some(Err(error)),
            };
            let end = read.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
            chunk.reserve_exact(end);
            chunk.extend_from_slice(if end > 0 { &read[..end] } else { read });
            if end > 0 {
                self.rest.extend_from_slice(&read[end..]);
                return Some(Ok(chunk));
            }
        }
    }
}

/// The lines of a chunk, without their ends.
pub fn lines(chunk: &[u8]) -> impl Iterator<Item = &[u8]> {
    let whole = chunk.strip_suffix(b"\n").unwrap_or(chunk);
    let mut rest = (!chunk.is_empty()).then_some(whole);
    std::iter::from_fn(move || {
        let lines = rest?;
        let end = memchr::memchr(b'\n', lines);
        rest = end.map(|end| &lines[end + 1..]);
        Some(&lines[..end.unwrap_or(lines.len())])
    })
}
