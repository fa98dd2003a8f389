//! Engines, which provide streams of bytes.

#[cfg(not(target_family = "wasm"))]
mod address;
#[cfg(all(target_family = "wasm", feature = "ws"))]
mod browser;
#[cfg(not(target_family = "wasm"))]
mod errno;
#[cfg(not(target_family = "wasm"))]
mod eyeballs;
#[cfg(all(not(target_family = "wasm"), any(feature = "tls", feature = "ws")))]
mod handshaking;
#[cfg(not(target_family = "wasm"))]
mod listeners;
mod memory;
mod over;
#[cfg(feature = "quic")]
mod quic;
#[cfg(unix)]
mod socket_file;
#[cfg(not(target_family = "wasm"))]
mod tcp;
#[cfg(feature = "tls")]
mod tls;
#[cfg(unix)]
mod unix;
#[cfg(all(not(target_family = "wasm"), feature = "ws"))]
mod ws;

#[cfg(all(target_family = "wasm", feature = "ws"))]
pub use self::browser::{Ws, WsAccept, WsSocket};
pub use self::memory::Memory;
pub use self::over::{Once, Over};
#[cfg(feature = "quic")]
pub use self::quic::{Quic, QuicAccept, QuicStream};
#[cfg(not(target_family = "wasm"))]
pub use self::tcp::{Tcp, TcpAccept};
#[cfg(feature = "tls")]
pub use self::tls::{Tls, TlsAccept, TlsSocket};
#[cfg(unix)]
pub use self::unix::{BoundUnix, Unix};
#[cfg(all(not(target_family = "wasm"), feature = "ws"))]
pub use self::ws::{Messages, Ws, WsAccept, WsSocket};
pub use pipes::remote::Peer;

use std::future::Future;
use std::io;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};

/// Provides streams of bytes. Each session has a stream of its own, which is ordered and reliable in both
/// directions.
///
/// To run sessions over something other than sockets, implement this and [`Accept`], and create a
/// [`Via`](crate::Via) with it. For a single existing stream, [`over`](crate::over) is enough. The methods
/// are called inside of a tokio runtime that has all drivers.
///
/// ```
/// use pipes_remote::Via;
/// use pipes_remote::engine::{Accept, Engine};
/// use pipes::remote::Peer;
/// use std::io;
/// use tokio::io::DuplexStream;
/// use tokio::sync::mpsc;
///
/// /// Streams that travel through a channel.
/// struct Handed {
///     to: mpsc::Sender<DuplexStream>,
///     from: std::sync::Mutex<Option<mpsc::Receiver<DuplexStream>>>,
/// }
///
/// struct Waiting(mpsc::Receiver<DuplexStream>);
///
/// impl Engine for Handed {
///     type Stream = DuplexStream;
///     type Accept = Waiting;
///
///     fn address(&self) -> String {
///         String::from("a channel")
///     }
///
///     async fn open(&self) -> io::Result<(DuplexStream, Peer)> {
///         let (ours, theirs) = tokio::io::duplex(4096);
///         self.to.send(theirs).await.map_err(|_| io::ErrorKind::ConnectionRefused)?;
///         Ok((ours, Peer::new(self.address())))
///     }
///
///     async fn bind(&self) -> io::Result<Waiting> {
///         let from = self.from.lock().expect("nothing panics with this lock").take();
///         from.map(Waiting).ok_or_else(|| io::ErrorKind::AddrInUse.into())
///     }
/// }
///
/// impl Accept for Waiting {
///     type Stream = DuplexStream;
///
///     async fn accept(&mut self) -> Option<io::Result<(DuplexStream, Peer)>> {
///         self.0.recv().await.map(|stream| Ok((stream, Peer::new("a client"))))
///     }
/// }
///
/// pipes::proto! {
///     #[remote]
///     pub greeting { hello: send { hello(String) -> ! } }
/// }
///
/// let (to, from) = mpsc::channel(8);
/// let here = Via::new(Handed { to, from: Some(from).into() });
/// let mut listener = greeting::listen(&here)?;
/// greeting::connect(&here)?.hello("good morning".into())?;
/// let greeting::Hello::Hello(words) = listener.accept()?.recv()?;
/// assert_eq!(words, "good morning");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Engine: Send + Sync + 'static {
    /// One connection.
    type Stream: AsyncRead + AsyncWrite + Send + Unpin + 'static;
    /// Accepts connections.
    type Accept: Accept<Stream = Self::Stream>;

    /// Returns the address, for error messages.
    fn address(&self) -> String;

    /// Connects. Returns a stream, and who is at its other end.
    ///
    /// # Errors
    ///
    /// The address cannot be reached.
    fn open(&self) -> impl Future<Output = io::Result<(Self::Stream, Peer)>> + Send;

    /// Binds the address, to accept connections.
    ///
    /// # Errors
    ///
    /// The address cannot be bound.
    fn bind(&self) -> impl Future<Output = io::Result<Self::Accept>> + Send;

    /// Returns a text that both ends of a stream know, and that no other stream has at the same time; `None`
    /// if there is none.
    ///
    /// It is called only with the feature `inspect` of `pipes`. Then it becomes a part of the session's name
    /// in [`pipes::inspect`], by which `pipes-top` finds the other end of the session in another process.
    fn link_name(_stream: &Self::Stream) -> Option<String> {
        None
    }

    /// Returns who sends heartbeats, and so notices that the other side is silent.
    fn beats(&self) -> Beats {
        Beats::Ours
    }

    /// Returns `true` if the streams share a connection. Then the end of a stream travels with its last bytes
    /// and costs nothing, so a side also ends its direction of the stream after its last frame.
    fn is_shared(&self) -> bool {
        false
    }
}

/// Accepts connections at an address.
pub trait Accept: Send + 'static {
    /// One connection.
    type Stream;

    /// Waits for the next connection. Returns `None` if there will be no more. Must be cancel-safe.
    ///
    /// # Errors
    ///
    /// This connection could not be accepted. Others may follow.
    fn accept(&mut self) -> impl Future<Output = Option<io::Result<(Self::Stream, Peer)>>> + Send;
}

/// Who sends heartbeats, and so notices that the other side is silent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Beats {
    /// This crate does. Each side sends a heartbeat when it has written nothing for a while.
    #[default]
    Ours,
    /// The engine does. It ends a stream on which the other side is silent with an error of the kind
    /// [`TimedOut`](std::io::ErrorKind::TimedOut).
    Engine {
        /// The time of silence after which the engine ends the stream.
        lost: Duration,
    },
}
