//! Connections inside of the program whose streams are cut anywhere: a read or a write moves a random number
//! of bytes, or none for a while.

use crate::support::Random;
use pipes_remote::engine::{Accept, Engine, Peer};
use std::io;
use std::pin::Pin;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, DuplexStream, ReadBuf, duplex};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// A place inside of the program.
pub struct Chopped {
    waiting: UnboundedSender<Chopping>,
    accept: Mutex<Option<UnboundedReceiver<Chopping>>>,
    streams: AtomicU64,
}

/// A stream that is cut anywhere.
pub struct Chopping {
    stream: DuplexStream,
    random: Random,
    /// The most bytes of one read or write.
    most: u64,
}

impl Chopped {
    pub fn new() -> Self {
        let (waiting, accept) = unbounded_channel();
        Chopped { waiting, accept: Mutex::new(Some(accept)), streams: AtomicU64::new(0) }
    }
}

impl Engine for Chopped {
    type Stream = Chopping;
    type Accept = Waiting;

    fn address(&self) -> String {
        String::from("chopped")
    }

    async fn open(&self) -> io::Result<(Chopping, Peer)> {
        let number = self.streams.fetch_add(1, Ordering::Relaxed);
        let mut random = Random::new(number + 1);
        let most = [1, 7, 100, 5_000][random.below(4) as usize];
        let (ours, theirs) = duplex(1 + random.below(2 * most) as usize);
        let [ours, theirs] = [ours, theirs].map(|stream| {
            let random = Random::new(random.below(u64::MAX));
            Chopping { stream, random, most }
        });
        self.waiting.send(theirs).map_err(|_| io::Error::from(io::ErrorKind::ConnectionRefused))?;
        Ok((ours, Peer::new(self.address())))
    }

    async fn bind(&self) -> io::Result<Self::Accept> {
        let accept = self.accept.lock().expect("it does not panic").take();
        accept.map(Waiting).ok_or_else(|| io::ErrorKind::AddrInUse.into())
    }
}

/// What waits for connections.
pub struct Waiting(UnboundedReceiver<Chopping>);

impl Accept for Waiting {
    type Stream = Chopping;

    async fn accept(&mut self) -> Option<io::Result<(Chopping, Peer)>> {
        self.0.recv().await.map(|stream| Ok((stream, Peer::new("chopped"))))
    }
}

impl Chopping {
    /// How many bytes may move now, if any.
    fn some(&mut self, cx: &mut Context<'_>) -> Poll<usize> {
        if self.random.below(4) == 0 {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(1 + self.random.below(self.most) as usize)
    }
}

impl AsyncRead for Chopping {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let Poll::Ready(most) = self.some(cx) else { return Poll::Pending };
        let mut part = buffer.take(most);
        let polled = Pin::new(&mut self.stream).poll_read(cx, &mut part);
        let read = part.filled().to_vec();
        if polled.is_ready() {
            buffer.put_slice(&read);
        }
        polled
    }
}

impl AsyncWrite for Chopping {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let Poll::Ready(most) = self.some(cx) else { return Poll::Pending };
        Pin::new(&mut self.stream).poll_write(cx, &bytes[..most.min(bytes.len())])
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
