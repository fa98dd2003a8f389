//! What is to be written to a connection.

use crate::frame::{self, Kind};
use pipes::remote::Fault;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::AsyncWrite;

/// When the outbox has this many bytes, they are written before more are added.
const HIGH_WATER: usize = 16 << 10;

/// Frames on their way to the stream.
pub(super) struct Outbox {
    bytes: Vec<u8>,
    written: usize,
    /// All that was written was flushed, too.
    is_flushed: bool,
}

impl Outbox {
    pub(super) fn new() -> Self {
        Outbox { bytes: Vec::new(), written: 0, is_flushed: true }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty() && self.is_flushed
    }

    pub(super) fn has_room(&self) -> bool {
        self.bytes.len() < HIGH_WATER
    }

    /// Adds these bytes as they are.
    pub(super) fn put(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Adds a frame whose payload `put` appends. If `put` returns no kind, nothing is added.
    pub(super) fn frame<T>(
        &mut self,
        limit: usize,
        put: impl FnOnce(&mut Vec<u8>) -> (Option<Kind>, T),
    ) -> (Result<(), Fault>, T) {
        let at = frame::begin(&mut self.bytes);
        match put(&mut self.bytes) {
            (Some(kind), result) => (frame::finish(&mut self.bytes, at, kind, limit), result),
            (None, result) => {
                self.bytes.truncate(at);
                (Ok(()), result)
            }
        }
    }

    /// Adds a control frame. No limit applies, because it is short.
    pub(super) fn control(&mut self, kind: Kind, text: &str) {
        let put = |out: &mut Vec<u8>| {
            out.extend_from_slice(text.as_bytes());
            (Some(kind), ())
        };
        let (added, ()) = self.frame(usize::MAX, put);
        debug_assert!(added.is_ok(), "a control frame is short");
    }

    /// Drops everything.
    pub(super) fn clear(&mut self) {
        (self.bytes, self.written, self.is_flushed) = (Vec::new(), 0, true);
    }

    /// Frees the buffer if it is empty.
    pub(super) fn shrink(&mut self) {
        if self.bytes.is_empty() {
            self.bytes = Vec::new();
        }
    }

    /// Writes as much as the stream takes. Returns the number of bytes, and ready if nothing is left to write
    /// or to flush.
    pub(super) fn poll_write<S: AsyncWrite + Unpin>(
        &mut self,
        stream: &mut S,
        cx: &mut Context<'_>,
    ) -> (usize, Poll<io::Result<()>>) {
        let before = self.written;
        while self.written < self.bytes.len() {
            match Pin::new(&mut *stream).poll_write(cx, &self.bytes[self.written..]) {
                Poll::Ready(Ok(0)) => {
                    return (self.written - before, Poll::Ready(Err(io::ErrorKind::WriteZero.into())));
                }
                Poll::Ready(Ok(bytes)) => (self.written, self.is_flushed) = (self.written + bytes, false),
                Poll::Ready(Err(error)) => return (self.written - before, Poll::Ready(Err(error))),
                Poll::Pending => return (self.written - before, Poll::Pending),
            }
        }
        let written = self.written - before;
        self.bytes.clear();
        self.written = 0;
        if !self.is_flushed {
            match Pin::new(stream).poll_flush(cx) {
                Poll::Ready(Ok(())) => self.is_flushed = true,
                other => return (written, other),
            }
        }
        (written, Poll::Ready(Ok(())))
    }
}
