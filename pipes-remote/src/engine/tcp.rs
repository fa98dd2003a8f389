//! TCP, between machines that trust the network between them.

use super::address::Address;
use super::errno::persistently;
use super::listeners::{self, Listeners};
use super::{Accept, Engine, Peer, eyeballs};
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener as StdListener};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::net::{TcpListener, TcpStream};

/// A TCP address. Nothing is encrypted or authenticated.
#[derive(Clone, Debug)]
pub struct Tcp {
    address: Address,
    is_exposed: bool,
    /// A socket that is bound already. The first listener takes it.
    bound: Arc<Mutex<Option<StdListener>>>,
}

impl Tcp {
    /// Creates an address of this machine.
    pub fn new(address: impl Into<String>) -> Self {
        Tcp { address: Address::new(address), is_exposed: false, bound: Arc::new(Mutex::new(None)) }
    }

    /// Creates an address that other machines can reach.
    pub fn exposed(address: impl Into<String>) -> Self {
        Tcp { is_exposed: true, ..Tcp::new(address) }
    }

    /// Reserves a free port of this machine, until a listener takes it or this is dropped.
    ///
    /// # Errors
    ///
    /// The system has no free port.
    pub fn free_port() -> io::Result<Self> {
        let listener = StdListener::bind("127.0.0.1:0")?;
        let address = Address::new(listener.local_addr()?.to_string());
        Ok(Tcp { address, is_exposed: false, bound: Arc::new(Mutex::new(Some(listener))) })
    }

    /// Resolves names by this function, for tests.
    #[doc(hidden)]
    pub fn resolved_by(
        mut self,
        resolve: impl Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync + 'static,
    ) -> Self {
        self.address.resolved_by(resolve);
        self
    }

    /// Returns the address as it was written.
    ///
    /// # Errors
    ///
    /// It is malformed.
    #[cfg(feature = "tls")]
    pub(super) fn checked(&self) -> io::Result<&str> {
        self.address.checked()
    }
}

/// Listening sockets, one for each address of a name.
#[derive(Debug)]
pub struct TcpAccept(Listeners<TcpListener>);

impl TcpAccept {
    /// Waits for the next client. No options of its socket are set yet.
    pub(super) async fn next(&mut self) -> Option<io::Result<(TcpStream, SocketAddr)>> {
        self.0.accept(TcpListener::poll_accept).await
    }
}

impl Engine for Tcp {
    type Stream = TcpStream;
    type Accept = TcpAccept;

    fn address(&self) -> String {
        self.address.text().to_owned()
    }

    async fn open(&self) -> io::Result<(TcpStream, Peer)> {
        let connect = |to| async move { to_another(persistently(|| TcpStream::connect(to)).await?) };
        let stream = eyeballs::connect(&self.address, connect).await?;
        let peer = Peer::at(stream.peer_addr()?);
        Ok((prepared(stream)?, peer))
    }

    fn link_name(stream: &TcpStream) -> Option<String> {
        link_name("tcp", stream)
    }

    async fn bind(&self) -> io::Result<TcpAccept> {
        let bound = self.bound.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(listener) = bound {
            listener.set_nonblocking(true)?;
            return Ok(TcpAccept(Listeners::new(vec![TcpListener::from_std(listener)?])));
        }
        let addresses = self.address.resolve().await?;
        if !self.is_exposed && addresses.iter().any(|address| !address.ip().is_loopback()) {
            return Err(io::Error::new(
                io::ErrorKind::PermissionDenied,
                "other machines could reach this address; if they may, use `tcp_exposed` or `ws_exposed`",
            ));
        }
        let sockets =
            listeners::bind(&self.address, &addresses, TcpListener::bind, TcpListener::local_addr).await?;
        Ok(TcpAccept(Listeners::new(sockets)))
    }
}

impl Accept for TcpAccept {
    type Stream = TcpStream;

    async fn accept(&mut self) -> Option<io::Result<(TcpStream, Peer)>> {
        let accepted = self.next().await?;
        Some(accepted.and_then(|(stream, address)| Ok((prepared(stream)?, Peer::at(address)))))
    }
}

/// Returns the addresses of both ends, as text that is the same at both.
pub(super) fn link_name(kind: &str, stream: &TcpStream) -> Option<String> {
    // The two ends may write an address of IPv4 differently, and have different zones.
    let plain = |address: SocketAddr| SocketAddr::new(address.ip().to_canonical(), address.port());
    let mut ends = [plain(stream.local_addr().ok()?), plain(stream.peer_addr().ok()?)];
    ends.sort_unstable();
    Some(format!("{kind} {} {}", ends[0], ends[1]))
}

/// Checks that a socket is not connected to itself. If no program listens at a port, the system may give a
/// client that very port, and the connection succeeds. It is closed at once, so that a listener can bind the
/// port.
fn to_another(stream: TcpStream) -> io::Result<TcpStream> {
    if stream.local_addr()? == stream.peer_addr()? {
        stream.set_zero_linger()?;
        return Err(io::ErrorKind::ConnectionRefused.into());
    }
    Ok(stream)
}

/// Sets options of a connection, so that small messages are sent at once.
///
/// `TCP_USER_TIMEOUT` is not set, which ends a connection when bytes are not acknowledged for some time. This
/// would also end connections whose receiver has no room because its user is busy. Heartbeats show whether
/// the other side is there.
pub(super) fn prepared(stream: TcpStream) -> io::Result<TcpStream> {
    stream.set_nodelay(true)?;
    Ok(stream)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::net::TcpSocket;

    #[tokio::test]
    async fn a_socket_that_is_connected_to_itself_is_refused() {
        let socket = TcpSocket::new_v4().expect("there is one");
        socket.bind(SocketAddr::from(([127, 0, 0, 1], 0))).expect("a port is free");
        let own = socket.local_addr().expect("it is bound");
        let stream = socket.connect(own).await.expect("the system allows it");
        let refused = to_another(stream).expect_err("nothing listens there");
        assert_eq!(refused.kind(), io::ErrorKind::ConnectionRefused);
        // `SO_REUSEADDR` is not set, so the port must be closed completely.
        let taking = TcpSocket::new_v4().expect("there is one");
        taking.bind(own).expect("the port is free at once");
        let listener = taking.listen(1).expect("it is bound");
        let (stream, accepted) = tokio::join!(TcpStream::connect(own), listener.accept());
        assert!(accepted.is_ok());
        to_another(stream.expect("it listens")).expect("it is another socket");
    }
}
