//! What was read from a connection and not yet understood.
//!
//! # Layers
//!
//! Uses `frame`; used by `hello` and `pump`.

use crate::frame::{LENGTH, length};
use pipes::Fault;
use std::io;
use std::ops::Range;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, ReadBuf};

/// The bytes of a buffer at rest.
const SMALL: usize = 1 << 10;
/// The bytes that a buffer grows to when much comes; for a longer frame it grows further.
const LARGE: usize = 16 << 10;

/// A buffer that is read into at its end and taken from at its beginning.
///
/// It grows as bytes come, never because a frame announces its length.
pub(crate) struct Inbox {
    /// All of it is initialised.
    buffer: Vec<u8>,
    begin: usize,
    end: usize,
}

impl Inbox {
    pub(crate) fn new() -> Self {
        Inbox { buffer: Vec::new(), begin: 0, end: 0 }
    }

    /// Returns everything that is here.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.buffer[self.begin..self.end]
    }

    /// Drops this many bytes, which are here.
    pub(crate) fn skip(&mut self, bytes: usize) {
        self.begin += bytes;
    }

    /// Takes the first frame out, if all of it is here: where it is, without its length. It stays there until
    /// the next call.
    pub(crate) fn take_frame(&mut self, limit: usize) -> Result<Option<Range<usize>>, Fault> {
        let Some(length) = length(self.bytes(), limit)? else { return Ok(None) };
        let frame = self.begin + LENGTH..self.begin + LENGTH + length;
        if frame.end > self.end {
            return Ok(None);
        }
        self.begin = frame.end;
        Ok(Some(frame))
    }

    /// Returns a frame, by its place.
    pub(crate) fn frame(&self, place: Range<usize>) -> &[u8] {
        &self.buffer[place]
    }

    /// Drops everything.
    pub(crate) fn clear(&mut self) {
        (self.begin, self.end) = (0, 0);
    }

    /// Gives memory back, if nothing is here.
    pub(crate) fn rest(&mut self) {
        if self.begin == self.end && self.buffer.len() > SMALL {
            *self = Inbox::new();
        }
    }

    /// Reads what comes. Ready with 0 bytes if the stream has ended.
    pub(crate) fn poll_fill<S: AsyncRead + Unpin>(
        &mut self,
        stream: &mut S,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        self.make_room();
        let mut free = ReadBuf::new(&mut self.buffer[self.end..]);
        ready!(Pin::new(stream).poll_read(cx, &mut free))?;
        let read = free.filled().len();
        self.end += read;
        Poll::Ready(Ok(read))
    }

    /// Makes sure that something can be read.
    fn make_room(&mut self) {
        if self.begin == self.end {
            self.clear();
        }
        if self.end < self.buffer.len() {
            return;
        }
        if self.begin > 0 {
            self.buffer.copy_within(self.begin..self.end, 0);
            (self.begin, self.end) = (0, self.end - self.begin);
        }
        // Full with one frame, or with what a read has filled: more comes than there was room for.
        if self.end == self.buffer.len() || self.buffer.len() < LARGE {
            let larger = if self.end == self.buffer.len() { 2 * self.buffer.len() } else { LARGE };
            self.buffer.resize(larger.max(SMALL), 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncWriteExt;

    #[tokio::test]
    async fn frames_come_out_as_they_went_in_however_they_are_cut() {
        let frames: Vec<Vec<u8>> =
            [1, 2, 3000, 1, 100_000, 7].map(|length| vec![length as u8; length]).into();
        let mut bytes = Vec::new();
        for frame in &frames {
            bytes.extend_from_slice(&(frame.len() as u32).to_be_bytes());
            bytes.extend_from_slice(frame);
        }
        for piece in [1, 5, 4096, 200_000] {
            let (mut ours, mut theirs) = tokio::io::duplex(200_000);
            let (mut inbox, mut read) = (Inbox::new(), Vec::new());
            for piece in bytes.chunks(piece) {
                theirs.write_all(piece).await.expect("there is room");
                let mut left = piece.len();
                while left > 0 {
                    left -=
                        std::future::poll_fn(|cx| inbox.poll_fill(&mut ours, cx)).await.expect("it stands");
                    while let Some(frame) = inbox.take_frame(100_000).expect("they are short enough") {
                        read.push(inbox.frame(frame).to_vec());
                    }
                }
            }
            assert!(read == frames, "pieces of {piece} bytes");
        }
    }

    #[tokio::test]
    async fn an_announced_length_reserves_nothing() {
        let (mut ours, mut theirs) = tokio::io::duplex(64);
        let mut inbox = Inbox::new();
        theirs.write_all(&[0, 15, 0, 0, 1]).await.expect("there is room");
        assert_eq!(std::future::poll_fn(|cx| inbox.poll_fill(&mut ours, cx)).await.expect("it stands"), 5);
        assert_eq!(inbox.take_frame(1 << 20), Ok(None));
        assert!(inbox.buffer.capacity() <= 2 * SMALL, "{}", inbox.buffer.capacity());
    }
}
