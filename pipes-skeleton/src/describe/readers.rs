//! Sources that read: lines, and chunks of whole lines.

use super::pipeline::Pipeline;
use super::source::pulled;
use std::fmt;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::mem::take;
use std::ops::Deref;

/// The largest chunk, in bytes.
const LARGEST: usize = 1 << 30;

/// Creates a pipeline whose source reads lines, for example of a file or of standard input. The ends of the
/// lines, `\n` or `\r\n`, are removed. If the reader fails, or a line is not UTF-8, the pipeline ends with
/// that error.
///
/// Each line takes an allocation and a way through a channel. For large inputs, use [`line_chunks`], which
/// takes much less time. See there for a read that blocks.
///
/// ```
/// use pipes_skeleton::lines;
///
/// let lengths = lines("one\ntwo\nthree\n".as_bytes()).map(|line| line.len()).collect()?;
/// assert_eq!(lengths, [3, 3, 5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn lines(reader: impl Read + Send + 'static) -> Pipeline<String> {
    let mut lines = BufReader::with_capacity(64 << 10, reader).lines();
    pulled(true, move || Ok(lines.next().transpose()?))
}

/// Creates a pipeline whose source reads chunks of whole lines, for example of a file or of standard input. A
/// chunk has at most `bytes` bytes, and at most a gibibyte, unless one of its lines is longer. It is complete
/// when a `read` has returned the end of a line, so lines that come slowly are not held back. If the reader
/// fails, the pipeline ends with that error.
///
/// The chunks are small enough to be processed in parallel, and large enough to cost nothing: 256 KiB are a
/// good size. [`in_flight_bytes`](Pipeline::in_flight_bytes) limits the memory of all chunks together.
///
/// ```
/// use pipes_skeleton::{fold, line_chunks};
///
/// let text = "one\ntwo\nthree\n".repeat(1000);
/// let letters = line_chunks(std::io::Cursor::new(text), 4096)
///     .in_flight_bytes(1 << 20, |chunk| chunk.len())
///     .parallel_gather(2, |_replica| {
///         fold(0, |sum, chunk: pipes_skeleton::LineChunk| {
///             sum + chunk.lines().map(|line| line.len()).sum::<usize>()
///         })
///     })
///     .fold(0, |all, sum| all + sum)?;
/// assert_eq!(letters, 11_000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # A read that blocks
///
/// A `read`, of standard input for example, may block for any time, and nothing can interrupt it. So if the
/// pipeline fails or is cancelled, its caller does not wait for this source. The thread of the source ends
/// when the `read` returns, and until then the failure names it among those that are
/// [`stuck`](crate::Failure::stuck). Functions that have joined the source, such as
/// [`map`](Pipeline::map), are not waited for, either.
///
/// # Errors
///
/// The pipeline ends with an error if `bytes` is 0.
pub fn line_chunks(reader: impl Read + Send + 'static, bytes: usize) -> Pipeline<LineChunk> {
    let mut chunks = Chunks { reader, buffer: vec![0; bytes.min(LARGEST)], rest: Vec::new() };
    pulled(true, move || Ok(chunks.next()?))
}

/// Some whole lines; see [`line_chunks`].
#[derive(Clone, PartialEq, Eq, Default)]
pub struct LineChunk(Vec<u8>);

impl LineChunk {
    /// Returns the lines, without their ends, `\n` or `\r\n`.
    ///
    /// ```
    /// use pipes_skeleton::line_chunks;
    ///
    /// let chunks = line_chunks("one\ntwo\r\n\nthree\n".as_bytes(), 1 << 18).collect()?;
    /// let lines: Vec<&[u8]> = chunks[0].lines().collect();
    /// assert_eq!(lines, ["one", "two", "", "three"].map(str::as_bytes));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lines(&self) -> impl Iterator<Item = &[u8]> {
        let mut rest = &self.0[..];
        std::iter::from_fn(move || {
            let (line, behind) = rest.split_at(end_of_line(rest)?);
            rest = behind;
            let Some(line) = line.strip_suffix(b"\n") else { return Some(line) };
            Some(line.strip_suffix(b"\r").unwrap_or(line))
        })
    }

    /// Returns the bytes of all lines.
    ///
    /// ```
    /// use pipes_skeleton::line_chunks;
    ///
    /// let chunks = line_chunks("one\ntwo\n".as_bytes(), 1 << 18).collect()?;
    /// assert_eq!(chunks[0].clone().into_bytes(), b"one\ntwo\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

impl Deref for LineChunk {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for LineChunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LineChunk").field("bytes", &self.0.len()).finish()
    }
}

/// Returns the length of the first line with its end, or `None` if there is none.
fn end_of_line(mut bytes: &[u8]) -> Option<usize> {
    if bytes.is_empty() {
        return None;
    }
    // Reading from a slice does not fail.
    bytes.skip_until(b'\n').ok()
}

/// A reader that is cut into chunks.
struct Chunks<R> {
    reader: R,
    buffer: Vec<u8>,
    /// The beginning of the line in which the last chunk ended.
    rest: Vec<u8>,
}

impl<R: Read> Chunks<R> {
    /// Returns the next chunk as soon as a read has returned the end of a line.
    fn next(&mut self) -> io::Result<Option<LineChunk>> {
        let Chunks { reader, buffer, rest } = self;
        if buffer.is_empty() {
            return Err(io::Error::new(ErrorKind::InvalidInput, "a chunk needs room for at least one byte"));
        }
        loop {
            let room = buffer.len().checked_sub(rest.len()).filter(|room| *room > 0).unwrap_or(buffer.len());
            let read = match reader.read(&mut buffer[..room]) {
                Ok(0) => return Ok(Some(LineChunk(take(rest))).filter(|chunk| !chunk.is_empty())),
                Ok(read) => &buffer[..read],
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let Some(end) = read.iter().rposition(|byte| *byte == b'\n') else {
                rest.extend_from_slice(read);
                continue;
            };
            let (lines, behind) = read.split_at(end + 1);
            let mut chunk = Vec::with_capacity(rest.len() + lines.len());
            chunk.extend_from_slice(rest);
            chunk.extend_from_slice(lines);
            rest.clear();
            rest.extend_from_slice(behind);
            return Ok(Some(LineChunk(chunk)));
        }
    }
}
