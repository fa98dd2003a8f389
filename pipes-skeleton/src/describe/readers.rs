//! Sources that read: lines, and chunks of whole lines.

use super::pipeline::Pipeline;
use super::source::pulled;
use crate::sync::{Arc, Lock};
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
/// good size. [`in_flight_bytes`](Pipeline::in_flight_bytes) limits the memory of all chunks together. Eight
/// chunks for each replica are enough. A source that is faster than the replicas fills any limit, and memory
/// that was never used is slower than that which chunks give back.
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
/// [`map`](Pipeline::map), are not waited for, either. A pipeline that is drained with
/// [`Cancel::drain`](super::Cancel::drain) is not stopped: its caller waits until the `read` returns.
///
/// # Errors
///
/// The pipeline ends with an error if `bytes` is 0.
pub fn line_chunks(reader: impl Read + Send + 'static, bytes: usize) -> Pipeline<LineChunk> {
    let mut chunks = Chunks {
        reader,
        bytes: bytes.min(LARGEST),
        rest: Vec::new(),
        buffers: Arc::new(Lock::new(Vec::new())),
    };
    pulled(true, move || Ok(chunks.next()?))
}

/// Buffers that chunks have given back, for the next chunks. The system clears fresh memory, and `vec!`
/// clears memory that was freed; these need neither.
type Buffers = Arc<Lock<Vec<Vec<u8>>>>;

/// Some whole lines; see [`line_chunks`].
#[derive(Default)]
pub struct LineChunk {
    buffer: Vec<u8>,
    /// The number of bytes that belong to the lines. Those behind them are left from earlier lines.
    len: usize,
    /// Where the buffer goes when this is dropped.
    buffers: Option<Buffers>,
}

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
    #[inline]
    pub fn lines(&self) -> impl Iterator<Item = &[u8]> {
        let mut rest = &self[..];
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
    pub fn into_bytes(mut self) -> Vec<u8> {
        let mut bytes = take(&mut self.buffer);
        bytes.truncate(self.len);
        self.buffers = None;
        bytes
    }
}

/// The source reads its next lines into the memory.
impl Drop for LineChunk {
    fn drop(&mut self) {
        if let Some(buffers) = self.buffers.take() {
            buffers.lock().push(take(&mut self.buffer));
        }
    }
}

impl Clone for LineChunk {
    fn clone(&self) -> Self {
        LineChunk { buffer: self.to_vec(), len: self.len, buffers: None }
    }
}

impl PartialEq for LineChunk {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for LineChunk {}

impl Deref for LineChunk {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.buffer[..self.len]
    }
}

impl fmt::Debug for LineChunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LineChunk").field("bytes", &self.len).finish()
    }
}

/// Returns the length of the first line with its end, or `None` if there is none.
#[inline]
fn end_of_line(bytes: &[u8]) -> Option<usize> {
    let is_newline = |byte: &u8| *byte == b'\n';
    // The compiler compares all bytes of a block at once. The search of the standard library takes longer for
    // lines of usual lengths.
    let (blocks, _) = bytes.as_chunks::<16>();
    let has_none = |block: &&[u8; 16]| !block.iter().fold(false, |found, byte| found | is_newline(byte));
    let before = blocks.iter().take_while(has_none).count() * 16;
    match bytes[before..].iter().position(is_newline) {
        Some(newline) => Some(before + newline + 1),
        None => (!bytes.is_empty()).then_some(bytes.len()),
    }
}

/// A reader that is cut into chunks.
struct Chunks<R> {
    reader: R,
    /// The size of a chunk.
    bytes: usize,
    /// The beginning of the line in which the last chunk ended.
    rest: Vec<u8>,
    buffers: Buffers,
}

impl<R: Read> Chunks<R> {
    /// Returns the next chunk as soon as a read has returned the end of a line.
    fn next(&mut self) -> io::Result<Option<LineChunk>> {
        let Chunks { reader, bytes, rest, buffers } = self;
        if *bytes == 0 {
            return Err(io::Error::new(ErrorKind::InvalidInput, "a chunk needs room for at least one byte"));
        }
        let mut buffer = buffers.lock().pop().unwrap_or_default();
        let mut len = rest.len();
        if buffer.len() < (*bytes).max(len) {
            buffer.resize((*bytes).max(len), 0);
        }
        buffer[..len].copy_from_slice(rest);
        rest.clear();
        loop {
            if len == buffer.len() {
                // The line is longer than a chunk.
                buffer.resize(len + *bytes, 0);
            }
            let read = match reader.read(&mut buffer[len..]) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            len += read;
            if let Some(end) = buffer[len - read..len].iter().rposition(|byte| *byte == b'\n') {
                let end = len - read + end + 1;
                rest.extend_from_slice(&buffer[end..len]);
                len = end;
                break;
            }
        }
        if len == 0 {
            return Ok(None);
        }
        // A chunk that comes slowly is small, and takes no more memory than it has bytes.
        if len < *bytes / 2 {
            let chunk = LineChunk { buffer: buffer[..len].to_vec(), len, buffers: None };
            buffers.lock().push(buffer);
            return Ok(Some(chunk));
        }
        // The memory of a line that is longer than a chunk is not kept.
        let buffers = (buffer.len() == *bytes).then(|| buffers.clone());
        Ok(Some(LineChunk { buffer, len, buffers }))
    }
}
