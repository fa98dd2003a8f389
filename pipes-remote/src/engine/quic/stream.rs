//! A stream of a connection.

use super::errors::explained;
use quinn::{Connection, ReadError, RecvStream, SendStream, VarInt, WriteError};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A bidirectional stream of a QUIC connection. The connection stays open as long as one of its streams.
#[derive(Debug)]
pub struct QuicStream {
    pub(super) send: SendStream,
    pub(super) recv: RecvStream,
    /// Keeps the connection open, and is counted.
    pub(super) open: Arc<Open>,
}

/// Keeps a connection open until this is dropped.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) connection: Connection,
    /// Set if the connection was accepted here. Then no further streams are opened on it from this side, so
    /// it is closed when this is dropped.
    pub(super) is_accepted: bool,
}

impl Drop for Open {
    fn drop(&mut self) {
        if self.is_accepted {
            self.connection.close(VarInt::from_u32(0), &[]);
        }
    }
}

/// Returns the error for a stream that one side has given up, while the connection goes on.
fn abandoned() -> io::Error {
    io::Error::new(io::ErrorKind::ConnectionReset, "the other side has given up the stream")
}

impl AsyncRead for QuicStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.recv.poll_read_buf(cx, buffer).map_err(|error| match error {
            ReadError::ConnectionLost(lost) => explained(lost),
            _ => abandoned(),
        })
    }
}

impl AsyncWrite for QuicStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.send).poll_write(cx, bytes).map_err(|error| match error {
            WriteError::ConnectionLost(lost) => explained(lost),
            _ => abandoned(),
        })
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.send).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.send).poll_shutdown(cx)
    }
}
