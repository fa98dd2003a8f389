//! TCP and Unix sockets, as the contenders use them.

use clap::ValueEnum;
use pipes_remote::Via;
use pipes_remote::engine::{Engine, Tcp, Unix};
use serde::Serialize;
use std::future::Future;
use std::io::{self, Read, Write};
use std::net::TcpListener as StdTcpListener;
use std::net::TcpStream as StdTcpStream;
use std::os::unix::net::{UnixListener as StdUnixListener, UnixStream as StdUnixStream};
use tempfile::TempDir;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use tokio::runtime::Builder;

/// What carries the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Over {
    /// A TCP connection of this machine
    Tcp,
    /// A Unix socket
    Unix,
    /// TLS over TCP
    Tls,
    /// QUIC
    Quic,
    /// A WebSocket over TCP
    Ws,
}

impl Over {
    /// The word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Over::Tcp => "tcp",
            Over::Unix => "unix",
            Over::Tls => "tls",
            Over::Quic => "quic",
            Over::Ws => "ws",
        }
    }
}

/// Streams of one kind, in a runtime.
pub trait Net: 'static {
    /// What keeps an address free until a server listens there.
    type Place: 'static;
    type Listener: Send + Sync;
    /// What opens streams to an address.
    type Dialer: Send + Sync;
    type Stream: AsyncRead + AsyncWrite + Send + Unpin + 'static;
    type Engine: Engine;

    /// A free address, and what keeps it.
    fn place() -> io::Result<(Self::Place, String)>;
    fn bind_async(place: &Self::Place) -> impl Future<Output = io::Result<Self::Listener>> + Send;
    fn accept_async(listener: &Self::Listener) -> impl Future<Output = io::Result<Self::Stream>> + Send;
    fn dialer(address: &str) -> io::Result<Self::Dialer>;
    fn dial(dialer: &Self::Dialer) -> impl Future<Output = io::Result<Self::Stream>> + Send;
    /// Returns our engine for an address.
    fn engine(address: &str) -> io::Result<Self::Engine>;
    /// Returns our engine at that place, and the address there.
    fn engine_at(place: &Self::Place) -> (Self::Engine, String);
    /// Returns our engine at an address that others may reach, and what they need to reach it.
    fn exposed(address: &str) -> io::Result<(Self::Engine, String)>;

    /// Returns our engine, with the usual codec and limits.
    fn via(address: &str) -> io::Result<Via<Self::Engine>> {
        Self::engine(address).map(Via::new)
    }

    /// Returns our engine at that place, with the usual codec and limits, and the address there.
    fn via_at(place: &Self::Place) -> (Via<Self::Engine>, String) {
        let (engine, address) = Self::engine_at(place);
        (Via::new(engine), address)
    }

    /// One stream.
    fn connect_async(address: &str) -> impl Future<Output = io::Result<Self::Stream>> + Send {
        let dialer = Self::dialer(address);
        async move { Self::dial(&dialer?).await }
    }
}

/// Those that threads can use without a runtime.
pub trait Blocking: Net {
    type Blocking: Read + Write + Send;
    type BlockingListener;

    fn bind(place: &Self::Place) -> io::Result<Self::BlockingListener>;
    fn accept(listener: &Self::BlockingListener) -> io::Result<Self::Blocking>;
    fn connect(address: &str) -> io::Result<Self::Blocking>;
}

/// Waits until the other side has closed a stream, so that nothing of what it was sent is lost.
pub async fn linger(stream: &mut (impl AsyncRead + Unpin)) {
    // An error is an end, too.
    let _ = tokio::io::copy(stream, &mut tokio::io::sink()).await;
}

/// TCP.
pub enum OverTcp {}

/// Unix sockets.
pub enum OverUnix {}

impl Net for OverTcp {
    type Place = (StdTcpListener, Tcp);
    type Listener = TcpListener;
    type Dialer = String;
    type Stream = TcpStream;
    type Engine = Tcp;

    fn place() -> io::Result<(Self::Place, String)> {
        let listener = StdTcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?.to_string();
        Ok(((listener, Tcp::free_port()?), address))
    }

    async fn bind_async((listener, _): &Self::Place) -> io::Result<TcpListener> {
        let listener = listener.try_clone()?;
        listener.set_nonblocking(true)?;
        TcpListener::from_std(listener)
    }

    async fn accept_async(listener: &TcpListener) -> io::Result<TcpStream> {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    fn dialer(address: &str) -> io::Result<String> {
        Ok(address.to_owned())
    }

    async fn dial(address: &String) -> io::Result<TcpStream> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    fn engine(address: &str) -> io::Result<Tcp> {
        Ok(Tcp::new(address))
    }

    fn engine_at((_, engine): &Self::Place) -> (Tcp, String) {
        (engine.clone(), engine.address())
    }

    fn exposed(address: &str) -> io::Result<(Tcp, String)> {
        Ok((Tcp::exposed(address), address.to_owned()))
    }
}

impl Blocking for OverTcp {
    type Blocking = StdTcpStream;
    type BlockingListener = StdTcpListener;

    fn bind(place: &Self::Place) -> io::Result<StdTcpListener> {
        place.0.try_clone()
    }

    fn accept(listener: &StdTcpListener) -> io::Result<StdTcpStream> {
        let (stream, _) = listener.accept()?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    fn connect(address: &str) -> io::Result<StdTcpStream> {
        let stream = StdTcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }
}

impl Net for OverUnix {
    type Place = TempDir;
    type Listener = UnixListener;
    type Dialer = String;
    type Stream = UnixStream;
    type Engine = Unix;

    fn place() -> io::Result<(TempDir, String)> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("socket").to_string_lossy().into_owned();
        Ok((folder, path))
    }

    async fn bind_async(place: &TempDir) -> io::Result<UnixListener> {
        UnixListener::bind(place.path().join("socket"))
    }

    async fn accept_async(listener: &UnixListener) -> io::Result<UnixStream> {
        Ok(listener.accept().await?.0)
    }

    fn dialer(address: &str) -> io::Result<String> {
        Ok(address.to_owned())
    }

    async fn dial(address: &String) -> io::Result<UnixStream> {
        UnixStream::connect(address).await
    }

    fn engine(address: &str) -> io::Result<Unix> {
        Ok(Unix::new(address))
    }

    fn engine_at(place: &TempDir) -> (Unix, String) {
        let engine = Unix::new(place.path().join("socket"));
        let address = engine.address();
        (engine, address)
    }

    fn exposed(address: &str) -> io::Result<(Unix, String)> {
        Ok((Unix::new(address), address.to_owned()))
    }
}

impl Blocking for OverUnix {
    type Blocking = StdUnixStream;
    type BlockingListener = StdUnixListener;

    fn bind(place: &TempDir) -> io::Result<StdUnixListener> {
        StdUnixListener::bind(place.path().join("socket"))
    }

    fn accept(listener: &StdUnixListener) -> io::Result<StdUnixStream> {
        Ok(listener.accept()?.0)
    }

    fn connect(address: &str) -> io::Result<StdUnixStream> {
        StdUnixStream::connect(address)
    }
}

/// A function of a module over these streams.
macro_rules! over {
    ($over:expr, $module:ident::$function:ident($($argument:expr),*)) => {
        match $over {
            $crate::net::Over::Tcp => $module::$function::<$crate::net::OverTcp>($($argument),*),
            $crate::net::Over::Unix => $module::$function::<$crate::net::OverUnix>($($argument),*),
            $crate::net::Over::Tls => $module::$function::<$crate::secured::OverTls>($($argument),*),
            $crate::net::Over::Quic => $module::$function::<$crate::secured::OverQuic>($($argument),*),
            $crate::net::Over::Ws => $module::$function::<$crate::websocket::OverWs>($($argument),*),
        }
    };
}
pub(crate) use over;

/// Plays one side, in a runtime with one worker.
pub fn play<T>(side: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    Builder::new_current_thread().enable_all().build()?.block_on(async {
        let played = side.await;
        // What a library's tasks have to say in the end leaves before they are dropped with the runtime: with
        // QUIC, the other side would wait for it until it takes this one for lost.
        for _ in 0..32 {
            tokio::task::yield_now().await;
        }
        played
    })
}
