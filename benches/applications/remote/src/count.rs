//! An engine that counts the bytes which its streams write and read.

use pipes::remote::Peer;
use pipes_remote::engine::{Accept, Beats, Engine};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A number of bytes. A clone is the same number.
#[derive(Clone, Debug, Default)]
pub struct Count(Arc<AtomicU64>);

impl Count {
    /// The number.
    pub fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }

    fn add(&self, bytes: usize) {
        self.0.fetch_add(bytes as u64, Relaxed);
    }
}

/// The bytes that went through all streams of an engine, before they are encrypted. A clone counts the same.
#[derive(Clone, Debug, Default)]
pub struct Traffic {
    pub written: Count,
    pub read: Count,
}

/// This engine, with the bytes that went through its streams.
pub struct Counted<E> {
    pub engine: E,
    pub traffic: Traffic,
}

/// What waits for connections.
pub struct Accepted<A> {
    accept: A,
    traffic: Traffic,
}

/// A stream of a counted engine.
pub struct Stream<S> {
    stream: S,
    traffic: Traffic,
}

impl<E: Engine> Engine for Counted<E> {
    type Stream = Stream<E::Stream>;
    type Accept = Accepted<E::Accept>;

    fn address(&self) -> String {
        self.engine.address()
    }

    async fn open(&self) -> io::Result<(Self::Stream, Peer)> {
        let (stream, peer) = self.engine.open().await?;
        Ok((Stream { stream, traffic: self.traffic.clone() }, peer))
    }

    async fn bind(&self) -> io::Result<Self::Accept> {
        Ok(Accepted { accept: self.engine.bind().await?, traffic: self.traffic.clone() })
    }

    fn beats(&self) -> Beats {
        self.engine.beats()
    }
}

impl<A: Accept> Accept for Accepted<A> {
    type Stream = Stream<A::Stream>;

    async fn accept(&mut self) -> Option<io::Result<(Self::Stream, Peer)>> {
        let accepted = self.accept.accept().await?;
        Some(accepted.map(|(stream, peer)| (Stream { stream, traffic: self.traffic.clone() }, peer)))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Stream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buf);
        self.traffic.read.add(buf.filled().len() - before);
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Stream<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        if let Poll::Ready(Ok(bytes)) = written {
            self.traffic.written.add(bytes);
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
