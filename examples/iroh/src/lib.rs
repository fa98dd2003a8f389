//! An engine over iroh: a program is found by its public key, wherever it is.
//!
//! iroh connects two programs directly if it can, through routers too, and through a relay otherwise. All of
//! that is its own affair. For sessions it is QUIC: this engine gives each session a stream, and keeps one
//! connection to a server for all of them.

use iroh::endpoint::{
    Connection, IdleTimeout, Incoming, QuicTransportConfig, RecvStream, SendStream, VarInt,
};
use iroh::{Endpoint, EndpointAddr};
use pipes::remote::Peer;
use pipes_remote::engine::{Accept, Beats, Engine};
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, Join, ReadBuf, join};
use tokio::sync::{Mutex, mpsc};
use tokio::time::timeout;

/// What the programs say in the handshake that they speak. A program that speaks something else over iroh is
/// refused there.
pub const ALPN: &[u8] = b"pipes-example/1";

/// The most sessions of one connection at a time. iroh's own limit is 100. A client that begins more waits.
const SESSIONS: u32 = 1 << 12;

/// The most bytes under way in a stream that its receiver has not read.
const STREAM: u32 = 1 << 20;

/// How often a connection gives a sign of life, and the silence after which it is lost. iroh leaves a single
/// path after 15 s of silence if it has another one; a connection has more time, to find another.
const BEAT: Duration = Duration::from_secs(5);
const LOST: Duration = Duration::from_secs(30);

/// The most time for a client's handshake.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// The server with a key, as a client or as that server itself sees it.
///
/// The endpoint belongs to the runtime in which it was made, and must not outlive it.
#[derive(Debug)]
pub struct Iroh {
    endpoint: Endpoint,
    server: EndpointAddr,
    /// The connection over which sessions are opened.
    connection: Mutex<Option<Connection>>,
}

impl Iroh {
    /// The server that has this key, and perhaps these addresses. A server gives its own key.
    pub fn new(endpoint: Endpoint, server: impl Into<EndpointAddr>) -> Self {
        Iroh { endpoint, server: server.into(), connection: Mutex::new(None) }
    }

    /// The connection, or a new one if there is none, or it has been lost.
    async fn connection(&self) -> io::Result<Connection> {
        let mut kept = self.connection.lock().await;
        match &*kept {
            Some(connection) if connection.close_reason().is_none() => Ok(connection.clone()),
            _ => {
                let connecting = self.endpoint.connect(self.server.clone(), ALPN);
                Ok(kept.insert(connecting.await.map_err(io::Error::other)?).clone())
            }
        }
    }
}

/// What an endpoint needs for this engine: build it with this, and with [`ALPN`] if it is a server's.
pub fn transport() -> QuicTransportConfig {
    QuicTransportConfig::builder()
        .max_concurrent_bidi_streams(VarInt::from_u32(SESSIONS))
        .max_concurrent_uni_streams(VarInt::from_u32(0))
        .stream_receive_window(VarInt::from_u32(STREAM))
        .datagram_receive_buffer_size(None)
        .keep_alive_interval(BEAT)
        .max_idle_timeout(Some(IdleTimeout::try_from(LOST).expect("it is far below the limit")))
        .build()
}

impl Engine for Iroh {
    type Stream = IrohStream;
    type Accept = IrohAccept;

    fn address(&self) -> String {
        self.server.id.to_string()
    }

    async fn open(&self) -> io::Result<(IrohStream, Peer)> {
        let connection = self.connection().await?;
        let halves = connection.open_bi().await?;
        Ok(session(&connection, halves))
    }

    async fn bind(&self) -> io::Result<IrohAccept> {
        if self.server.id != self.endpoint.id() {
            return Err(io::Error::new(io::ErrorKind::AddrNotAvailable, "another program has this key"));
        }
        let (sender, sessions) = mpsc::channel(1);
        Ok(IrohAccept { endpoint: self.endpoint.clone(), sender, sessions })
    }

    /// iroh gives the signs of life, one for all sessions of a connection.
    fn beats(&self) -> Beats {
        Beats::Engine { lost: LOST }
    }

    fn is_shared(&self) -> bool {
        true
    }
}

/// What waits for sessions.
#[derive(Debug)]
pub struct IrohAccept {
    endpoint: Endpoint,
    /// Each connection has a task, which sends its streams here.
    sender: mpsc::Sender<(IrohStream, Peer)>,
    sessions: mpsc::Receiver<(IrohStream, Peer)>,
}

impl Accept for IrohAccept {
    type Stream = IrohStream;

    async fn accept(&mut self) -> Option<io::Result<(IrohStream, Peer)>> {
        loop {
            tokio::select! {
                session = self.sessions.recv() => return session.map(Ok),
                // It is `None` if the endpoint was closed.
                incoming = self.endpoint.accept() => {
                    tokio::spawn(accept_sessions(incoming?, self.sender.clone()));
                }
            }
        }
    }
}

/// Accepts the streams of one client, as long as it is connected.
async fn accept_sessions(incoming: Incoming, sender: mpsc::Sender<(IrohStream, Peer)>) -> Option<()> {
    let connection = timeout(HANDSHAKE, incoming).await.ok()?.ok()?;
    loop {
        let halves = connection.accept_bi().await.ok()?;
        // Without a listener the stream is dropped, which its client notices.
        let _ = sender.send(session(&connection, halves)).await;
    }
}

/// A stream as a session has it, and who is at its other end. The handshake has proved the key: so it is the
/// peer's name, by which `Via::admit` and `Via::sessions` tell clients apart, whatever their addresses are.
fn session(connection: &Connection, (send, recv): (SendStream, RecvStream)) -> (IrohStream, Peer) {
    let stream = IrohStream { halves: join(recv, send), connection: connection.clone() };
    (stream, Peer::new(connection.remote_id().to_string()))
}

/// A stream of an iroh connection, in both directions. The connection lasts as long as one of its streams.
#[derive(Debug)]
pub struct IrohStream {
    halves: Join<RecvStream, SendStream>,
    connection: Connection,
}

impl IrohStream {
    /// Why there is an error. A stream says that its connection is lost, and the connection says whether that
    /// was silence.
    fn explain(&self, error: io::Error) -> io::Error {
        self.connection.close_reason().map_or(error, io::Error::from)
    }
}

impl AsyncRead for IrohStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.halves).poll_read(cx, buffer).map_err(|error| self.explain(error))
    }
}

impl AsyncWrite for IrohStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.halves).poll_write(cx, bytes).map_err(|error| self.explain(error))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.halves).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.halves).poll_shutdown(cx)
    }
}
