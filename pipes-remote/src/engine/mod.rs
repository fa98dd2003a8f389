//! Engines: where streams of bytes come from.

mod memory;
mod tcp;
#[cfg(unix)]
mod unix;

pub use self::memory::Memory;
pub use self::tcp::Tcp;
#[cfg(unix)]
pub use self::unix::{BoundUnix, Unix};

use std::future::Future;
use std::io;
use tokio::io::{AsyncRead, AsyncWrite};

/// Where streams of bytes come from. Each session has a stream of its own: an ordered, reliable stream of
/// bytes in each direction.
///
/// To run sessions over something else than sockets, implement this, and [`Accept`] if it can be listened to,
/// and make a [`Via`](crate::Via) of it.
pub trait Engine: Send + Sync + 'static {
    /// One connection.
    type Stream: AsyncRead + AsyncWrite + Send + Unpin + 'static;
    /// What waits for connections.
    type Accept: Accept<Stream = Self::Stream>;

    /// The address, for errors.
    fn address(&self) -> String;

    /// Connects: returns a stream, and what is known of the other side, for
    /// [`Link::peer`](pipes::Link::peer).
    ///
    /// # Errors
    ///
    /// Nothing can be reached there.
    fn open(&self) -> impl Future<Output = io::Result<(Self::Stream, String)>> + Send;

    /// Takes the address, to wait for connections.
    ///
    /// # Errors
    ///
    /// The address cannot be taken.
    fn bind(&self) -> impl Future<Output = io::Result<Self::Accept>> + Send;

    /// Who notices that the other side is silent.
    fn beats(&self) -> Beats {
        Beats::Ours
    }
}

/// What waits for connections at an address.
pub trait Accept: Send + 'static {
    /// One connection.
    type Stream;

    /// Waits for the next connection. `None`: there will be no more. It must be cancel-safe.
    ///
    /// # Errors
    ///
    /// One connection could not be accepted. The next may be.
    fn accept(&mut self) -> impl Future<Output = Option<io::Result<(Self::Stream, String)>>> + Send;
}

/// Who notices that the other side is silent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Beats {
    /// This crate: each side gives a sign of life when it has written nothing for a while.
    #[default]
    Ours,
    /// The engine, which then ends the stream with an error.
    Engine,
}
