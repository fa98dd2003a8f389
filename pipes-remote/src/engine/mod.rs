//! Engines: where streams of bytes come from.

mod address;
mod errno;
mod eyeballs;
mod listeners;
mod memory;
mod over;
mod peer;
#[cfg(feature = "quic")]
mod quic;
#[cfg(unix)]
mod socket_file;
mod tcp;
#[cfg(feature = "tls")]
mod tls;
#[cfg(unix)]
mod unix;

pub use self::memory::Memory;
pub use self::over::{Once, Over};
pub use self::peer::Peer;
#[cfg(feature = "quic")]
pub use self::quic::{Quic, QuicAccept, QuicStream};
pub use self::tcp::{Tcp, TcpAccept};
#[cfg(feature = "tls")]
pub use self::tls::{Tls, TlsAccept, TlsSocket};
#[cfg(unix)]
pub use self::unix::{BoundUnix, Unix};

use std::future::Future;
use std::io;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};

/// Where streams of bytes come from. Each session has a stream of its own: an ordered, reliable stream of
/// bytes in each direction.
///
/// To run sessions over something else than sockets, implement this and [`Accept`], and make a
/// [`Via`](crate::Via) of it. For a single stream that is there already, [`over`](crate::over) is enough. Its
/// methods are called inside of a runtime of tokio that has all drivers.
///
/// ```
/// use pipes_remote::Via;
/// use pipes_remote::engine::{Accept, Engine, Peer};
/// use std::io;
/// use tokio::io::DuplexStream;
/// use tokio::sync::mpsc;
///
/// /// Streams that are handed over a channel.
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
    /// What waits for connections.
    type Accept: Accept<Stream = Self::Stream>;

    /// Returns the address, for errors.
    fn address(&self) -> String;

    /// Connects, and returns a stream, and what is known of the other side, for
    /// [`Link::peer`](pipes::Link::peer).
    ///
    /// # Errors
    ///
    /// Nothing can be reached there.
    fn open(&self) -> impl Future<Output = io::Result<(Self::Stream, Peer)>> + Send;

    /// Takes the address, to wait for connections.
    ///
    /// # Errors
    ///
    /// The address cannot be taken.
    fn bind(&self) -> impl Future<Output = io::Result<Self::Accept>> + Send;

    /// Returns who notices that the other side is silent.
    fn beats(&self) -> Beats {
        Beats::Ours
    }

    /// Returns `true` if the streams share a connection. Then the end of a stream travels with its last bytes
    /// and costs nothing, so a side that has said its last word also ends its direction of the stream.
    fn is_shared(&self) -> bool {
        false
    }
}

/// What waits for connections at an address.
pub trait Accept: Send + 'static {
    /// One connection.
    type Stream;

    /// Waits for the next connection. Returns `None` if there will be no more. It must be cancel-safe.
    ///
    /// # Errors
    ///
    /// One connection could not be accepted. The next may be.
    fn accept(&mut self) -> impl Future<Output = Option<io::Result<(Self::Stream, Peer)>>> + Send;
}

/// Who notices that the other side is silent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Beats {
    /// This crate: each side gives a sign of life when it has written nothing for a while.
    #[default]
    Ours,
    /// The engine. It ends the stream with an error of the kind
    /// [`TimedOut`](std::io::ErrorKind::TimedOut).
    Engine {
        /// The time of silence after which it does.
        lost: Duration,
    },
}
