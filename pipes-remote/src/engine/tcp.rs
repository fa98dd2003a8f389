//! TCP: between machines that trust the wire between them.

use super::{Accept, Engine, Peer};
use std::io;
use std::net::{SocketAddr, TcpListener as StdListener};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::net::{TcpListener, TcpStream, lookup_host};

/// A TCP address. Nothing on the wire is secret or authenticated.
#[derive(Clone, Debug)]
pub struct Tcp {
    address: String,
    is_exposed: bool,
    /// A socket that is bound already, until a program listens there.
    bound: Arc<Mutex<Option<StdListener>>>,
}

impl Tcp {
    /// An address of this machine.
    pub fn new(address: impl Into<String>) -> Self {
        Tcp { address: address.into(), is_exposed: false, bound: Arc::new(Mutex::new(None)) }
    }

    /// An address that other machines may reach.
    pub fn exposed(address: impl Into<String>) -> Self {
        Tcp { is_exposed: true, ..Tcp::new(address) }
    }

    /// A port of this machine that is free. It is kept until a listener takes it, or this is dropped.
    ///
    /// # Errors
    ///
    /// The system has no free port.
    pub fn free_port() -> io::Result<Self> {
        let listener = StdListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?.to_string();
        Ok(Tcp { address, is_exposed: false, bound: Arc::new(Mutex::new(Some(listener))) })
    }

    /// All addresses that the name stands for.
    async fn resolve(&self) -> io::Result<Vec<SocketAddr>> {
        let found: Vec<SocketAddr> = lookup_host(&self.address).await?.collect();
        if found.is_empty() {
            return Err(io::Error::new(io::ErrorKind::NotFound, "the name has no address"));
        }
        Ok(found)
    }
}

impl Engine for Tcp {
    type Stream = TcpStream;
    type Accept = TcpListener;

    fn address(&self) -> String {
        self.address.clone()
    }

    async fn open(&self) -> io::Result<(TcpStream, Peer)> {
        let addresses = self.resolve().await?;
        let stream = TcpStream::connect(&*addresses).await?;
        let peer = peer(stream.peer_addr()?);
        Ok((prepared(stream)?, peer))
    }

    async fn bind(&self) -> io::Result<TcpListener> {
        let bound = self.bound.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(listener) = bound {
            listener.set_nonblocking(true)?;
            return TcpListener::from_std(listener);
        }
        let addresses = self.resolve().await?;
        if !self.is_exposed && addresses.iter().any(|address| !address.ip().is_loopback()) {
            return Err(io::Error::new(
                io::ErrorKind::PermissionDenied,
                "other machines could reach this address; if they may, use `tcp_exposed`",
            ));
        }
        TcpListener::bind(&*addresses).await
    }
}

impl Accept for TcpListener {
    type Stream = TcpStream;

    async fn accept(&mut self) -> Option<io::Result<(TcpStream, Peer)>> {
        let accepted = TcpListener::accept(self).await;
        Some(accepted.and_then(|(stream, address)| Ok((prepared(stream)?, peer(address)))))
    }
}

/// A program at this address.
fn peer(address: SocketAddr) -> Peer {
    Peer::at(address.ip(), address.to_string())
}

/// Small messages leave at once.
///
/// The system is not asked to give the connection up when bytes are not acknowledged for some time
/// (`TCP_USER_TIMEOUT`): for that time it also counts a receiver that is there, and has no room because its
/// user is busy. Signs of life tell whether the other side is there.
pub(super) fn prepared(stream: TcpStream) -> io::Result<TcpStream> {
    stream.set_nodelay(true)?;
    Ok(stream)
}
