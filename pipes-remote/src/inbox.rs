//! Bytes that were read from a connection and not handled yet.
//!
//! # Layers
//!
//! Uses `frame`; used by `hello`, `pump`, `engine` and `site`.

use crate::frame::{LENGTH, length};
use pipes::remote::Fault;
use std::io;
use std::ops::Range;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};

/// The size of a new buffer.
const SMALL: usize = 1 << 10;
/// The size that a buffer grows to when many bytes come. It grows further only for a longer frame.
const LARGE: usize = 16 << 10;

/// The most bytes that are read from a stream that is given up.
const UNREAD: usize = 1 << 20;

/// Ends a stream whose last words the other side should get. If the stream were closed while something is
/// unread, they could be lost. Errors do not matter here.
pub(crate) async fn end<S: AsyncRead + AsyncWrite + Unpin>(stream: &mut S) {
    let (mut rest, mut read) = ([0; 512], 0);
    if stream.shutdown().await.is_ok() {
        while read < UNREAD
            && let Ok(bytes @ 1..) = stream.read(&mut rest).await
        {
            read += bytes;
        }
    }
}

/// A buffer that is filled at its end and consumed from its beginning.
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

    /// Returns all bytes that were not consumed.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.buffer[self.begin..self.end]
    }

    /// Consumes this many bytes.
    pub(crate) fn skip(&mut self, bytes: usize) {
        self.begin += bytes;
    }

    /// Consumes the first frame, if it is complete. Returns its place, without its length. The bytes stay
    /// there until the next call.
    pub(crate) fn take_frame(&mut self, limit: usize) -> Result<Option<Range<usize>>, Fault> {
        let Some(length) = length(self.bytes(), limit)? else { return Ok(None) };
        let frame = self.begin + LENGTH..self.begin + LENGTH + length;
        if frame.end > self.end {
            return Ok(None);
        }
        self.begin = frame.end;
        Ok(Some(frame))
    }

    /// Returns the frame at a place.
    pub(crate) fn frame(&self, place: Range<usize>) -> &[u8] {
        &self.buffer[place]
    }

    /// Drops all bytes.
    pub(crate) fn clear(&mut self) {
        (self.begin, self.end) = (0, 0);
    }

    /// Frees the buffer if it is empty.
    pub(crate) fn shrink(&mut self) {
        if self.begin == self.end && self.buffer.len() > SMALL {
            *self = Inbox::new();
        }
    }

    /// Reads from the stream. Ready with the number of bytes, which is 0 if the stream has ended.
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

    /// Makes sure that the buffer has free space.
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
        // The buffer is full with one frame, or was filled by one read. So more comes than it has room for.
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

    #[tokio::test]
    async fn an_empty_buffer_is_small_again() {
        let (mut ours, mut theirs) = tokio::io::duplex(200_000);
        let mut inbox = Inbox::new();
        let frame = [&100_000_u32.to_be_bytes()[..], &[1; 100_000]].concat();
        theirs.write_all(&frame).await.expect("there is room");
        while inbox.take_frame(100_000).expect("it is short enough").is_none() {
            std::future::poll_fn(|cx| inbox.poll_fill(&mut ours, cx)).await.expect("it stands");
        }
        assert!(inbox.buffer.capacity() >= 100_000);
        inbox.shrink();
        assert!(inbox.buffer.capacity() <= SMALL, "{}", inbox.buffer.capacity());
    }
}
