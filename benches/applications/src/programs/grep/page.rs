//! What is found in one file.

use std::io::{self, Write};
use std::path::Path;

use grep_searcher::{Searcher, Sink, SinkMatch};
use memchr::{memchr, memchr_iter};

use super::batch::Batch;
use super::query::{Query, Show};
use super::search::PIECE;

/// The matches of a file, on their way to the output.
#[derive(Debug)]
pub struct Page<'a> {
    /// What is searched for.
    pub query: &'a Query,
    /// Where everything is recorded.
    pub batch: &'a mut Batch,
    /// Whether nothing more can be found out.
    pub over: bool,
    path: &'a Path,
    /// The bytes and the lines before those that are being searched.
    bytes: u64,
    lines: u64,
    /// The bytes and the lines before the last line that was numbered, in what is being searched.
    numbered: (usize, u64),
    /// Where the text ends and binary data begin.
    text: u64,
    /// How many lines match.
    count: u64,
    /// Whether a line that matches was not printed because it is not text.
    binary: bool,
}

impl<'a> Page<'a> {
    /// A file of which nothing is known.
    pub fn new(query: &'a Query, path: &'a Path, batch: &'a mut Batch) -> Page<'a> {
        Page {
            query,
            batch,
            path,
            over: false,
            bytes: 0,
            lines: 0,
            numbered: (0, 0),
            text: u64::MAX,
            count: 0,
            binary: false,
        }
    }

    /// Prepares bytes that were read, and that will be searched at this position. A NUL byte ends a line, as
    /// it does for GNU grep.
    pub fn convert(&mut self, bytes: &mut [u8], at: usize) {
        if self.query.all_text {
            return;
        }
        let Some(first) = memchr(0, bytes) else { return };
        let place = self.bytes + (at + first) as u64;
        self.text = self.text.min(place - place % PIECE as u64);
        // An assignment to every byte, so that the compiler can make it one to many at a time.
        bytes[first..].iter_mut().for_each(|byte| *byte = if *byte == 0 { b'\n' } else { *byte });
    }

    /// Goes on behind lines that have been searched.
    pub fn pass(&mut self, lines: &[u8]) {
        self.bytes += lines.len() as u64;
        if self.query.numbers {
            self.lines = self.number(lines, lines.len());
        }
        self.numbered = (0, self.lines);
    }

    /// Adds what is said at the end of a file.
    pub fn end(self) {
        let Page { query, path, count, batch, .. } = self;
        batch.matched |= count > 0;
        match query.show {
            Show::Lines if self.binary => batch.note(path, "binary file matches"),
            Show::Lines => {}
            Show::Count => {
                name(query, path, &mut batch.output);
                // Writing to memory succeeds.
                let _ = writeln!(batch.output, "{count}");
            }
            Show::Name if count > 0 => {
                batch.output.extend_from_slice(path.as_os_str().as_encoded_bytes());
                batch.output.push(b'\n');
            }
            Show::Name => {}
        }
    }

    /// Prints a line, unless it is not text. Returns whether more lines may be found.
    fn line(&mut self, found: &SinkMatch<'_>) -> bool {
        let line = found.bytes();
        if !self.query.all_text {
            let end = self.bytes + found.absolute_byte_offset() + line.len() as u64;
            if end > self.text || str::from_utf8(line).is_err() {
                self.binary = true;
                return end <= self.text;
            }
        }
        let number = self.query.numbers.then(|| {
            let start = found.bytes_range_in_buffer().start;
            let lines = self.number(found.buffer(), start);
            self.numbered = (start, lines);
            lines + 1
        });
        let output = &mut self.batch.output;
        name(self.query, self.path, output);
        if let Some(number) = number {
            // Writing to memory succeeds.
            let _ = write!(output, "{number}:");
        }
        output.extend_from_slice(line);
        if line.last() != Some(&b'\n') {
            output.push(b'\n');
        }
        true
    }

    /// The number of lines before this place in the bytes that are being searched.
    fn number(&self, bytes: &[u8], place: usize) -> u64 {
        let (last, lines) = self.numbered;
        lines + memchr_iter(b'\n', &bytes[last..place]).count() as u64
    }
}

/// Prints the name of a file in front of something else.
fn name(query: &Query, path: &Path, output: &mut Vec<u8>) {
    if query.names {
        output.extend_from_slice(path.as_os_str().as_encoded_bytes());
        output.push(b':');
    }
}

impl Sink for &mut Page<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        self.count += 1;
        let more = match self.query.show {
            Show::Lines => self.line(found),
            Show::Count => true,
            Show::Name => false,
        };
        self.over |= !more;
        Ok(more)
    }
}
