//! Addresses of the engines of this crate.

#[cfg(feature = "quic")]
use crate::engine::Quic;
#[cfg(not(target_family = "wasm"))]
use crate::engine::Tcp;
#[cfg(feature = "tls")]
use crate::engine::Tls;
#[cfg(unix)]
use crate::engine::Unix;
#[cfg(feature = "ws")]
use crate::engine::Ws;
use crate::engine::{Memory, Over};
#[cfg(feature = "tls")]
use crate::security::Security;
use crate::via::Via;
#[cfg(not(target_family = "wasm"))]
use std::io;
#[cfg(unix)]
use std::path::Path;
use tokio::io::{AsyncRead, AsyncWrite};

/// Creates an address inside of this program, for tests. Clones of it listen and connect.
pub fn memory() -> Via<Memory> {
    Via::new(Memory::new())
}

/// Uses an existing stream for one session. One program connects over it, and the one at the other end
/// listens.
///
/// A listener over a stream ends after its one session.
pub fn over<S: AsyncRead + AsyncWrite + Send + Unpin + 'static>(stream: S) -> Via<Over<S>> {
    Via::new(Over::new(stream))
}

/// Returns the address of a Unix socket, by its file. The permissions of the file say who may connect.
///
/// Listening creates the file. If it was left by a server that was killed, it is taken over. It is not taken
/// over if any process still has a socket there, however busy, or if it is not the file of a socket. Of
/// several servers that begin at the same time, one listens. When the listener is dropped, it removes the
/// file, unless another file is there by then. So a new server can be started while the old one shuts down:
/// remove the file, and listen.
///
/// No file is taken over on a file system that cannot lock folders. While another program has locked the
/// folder, `listen` waits, for at most two seconds; after that it takes no file over.
///
/// Keep sockets on a file system of this machine alone. On one that several machines share, no machine knows
/// whether a process of another one listens, so a server would take over the file of a server that lives
/// there.
///
/// A client waits while the backlog of the socket is full, for at most the time of the
/// [`handshake`](Via::handshake). Systems other than Linux refuse the client instead.
///
/// This function and its engine, [`Unix`], exist on Unix only, not on Windows.
#[cfg(unix)]
pub fn unix(path: impl AsRef<Path>) -> Via<Unix> {
    Via::new(Unix::new(path))
}

/// Returns a TCP address of this machine: a host and a port, such as `127.0.0.1:7000`, `[::1]:7000` or
/// `localhost:7000`. To listen at an address that other machines can reach, use [`tcp_exposed`]. For
/// connecting, both are the same.
///
/// A name can have several addresses. A listener binds all of them, except those of a family (IPv4 or IPv6)
/// that this machine lacks. A client tries one after the other, with the families alternating. If an address
/// does not answer, the next attempt begins after 250 ms, or as soon as one has failed (RFC 8305). If all
/// fail, the error names each of them.
#[cfg(not(target_family = "wasm"))]
pub fn tcp(address: impl Into<String>) -> Via<Tcp> {
    Via::new(Tcp::new(address))
}

/// Returns a TCP address that other machines may reach, such as `0.0.0.0:7000`. Every program that reaches it
/// can connect, and every machine on the way can read what is sent: nothing is encrypted, and no peer is
/// authenticated. For names with several addresses, see [`tcp`].
#[cfg(not(target_family = "wasm"))]
pub fn tcp_exposed(address: impl Into<String>) -> Via<Tcp> {
    Via::new(Tcp::exposed(address))
}

/// Returns a free TCP port of this machine, for a program that tells others its [`address`](Via::address).
///
/// # Errors
///
/// The system has no free port.
#[cfg(not(target_family = "wasm"))]
pub fn tcp_free_port() -> io::Result<Via<Tcp>> {
    Tcp::free_port().map(Via::new)
}

/// Returns an address with TLS over TCP, such as `bank.example:7000`, or `0.0.0.0:7000` to listen. What is
/// sent is encrypted, and certificates authenticate the peers. See [`security`](crate::security), and [`tcp`]
/// for names with several addresses.
#[cfg(feature = "tls")]
pub fn tls(address: impl Into<String>, security: Security) -> Via<Tls> {
    Via::new(Tls::new(address, security))
}

/// Returns a free TCP port of this machine, with TLS.
///
/// # Errors
///
/// The system has no free port.
#[cfg(feature = "tls")]
pub fn tls_free_port(security: Security) -> io::Result<Via<Tls>> {
    Tls::free_port(security).map(Via::new)
}

/// Returns an address with QUIC, which is over UDP and as secure as [`tls`]. All sessions from one `Via`
/// share a connection, so a new session needs no handshake of TLS, and no session waits for another. For
/// names with several addresses, see [`tcp`].
///
/// If no program has the port, `connect` fails as soon as the other machine reports this. Any machine on the
/// way could report it, so it does not end an established connection.
///
/// The connection itself sends the heartbeats, every 5 s. It is lost 15 s after the first one that is not
/// answered, so at most 20 s after the other side was heard. [`beat`](Via::beat) and [`lost`](Via::lost)
/// change nothing. A program that was killed is not noticed sooner. Until then, new sessions are not answered
/// either, even if the program was started again.
#[cfg(feature = "quic")]
pub fn quic(address: impl Into<String>, security: Security) -> Via<Quic> {
    Via::new(Quic::new(address, security))
}

/// Returns a free UDP port of this machine, with QUIC.
///
/// # Errors
///
/// The system has no free port.
#[cfg(feature = "quic")]
pub fn quic_free_port(security: Security) -> io::Result<Via<Quic>> {
    Quic::free_port(security).map(Via::new)
}

/// Returns the URL of a WebSocket, such as `ws://localhost:7000/bank`. Pages connect to it, and so do native
/// programs.
///
/// In a browser, it may also begin with `wss`, and the browser checks the certificate of the server. A native
/// program uses [`wss`](fn.wss.html) for that. A page can connect, and it cannot listen.
///
/// A native program that listens takes the clients that ask for the path of the URL: those that are no
/// browsers, and pages that came from the host and port to which they connect. For pages from elsewhere, see
/// [`Ws::origins`](crate::engine::Ws#method.origins). It listens at an address of this machine only, behind
/// a proxy that does TLS, or for tests; see [`ws_exposed`](fn.ws_exposed.html). For sockets that a web
/// framework has accepted, see [`Messages`](engine/struct.Messages.html).
#[cfg(feature = "ws")]
pub fn ws(url: impl Into<String>) -> Via<Ws> {
    Via::new(Ws::new(url))
}

/// Returns the URL of a WebSocket that other machines may reach, such as `ws://0.0.0.0:7000/bank`; see
/// [`ws`]. Every machine on the way can read what is sent.
#[cfg(all(not(target_family = "wasm"), feature = "ws"))]
pub fn ws_exposed(url: impl Into<String>) -> Via<Ws> {
    Via::new(Ws::exposed(url))
}

/// Returns a free port of this machine for WebSockets, with the path `/`.
///
/// # Errors
///
/// The system has no free port.
#[cfg(all(not(target_family = "wasm"), feature = "ws"))]
pub fn ws_free_port() -> io::Result<Via<Ws>> {
    Ws::free_port().map(Via::new)
}

/// Returns the URL of a WebSocket over TLS, such as `wss://bank.example/sessions`; see [`ws`]. What is sent
/// is encrypted, and certificates authenticate the peers; see [`security`](crate::security). Pages connect
/// only if the browser trusts the server's certificate.
#[cfg(all(feature = "tls", feature = "ws"))]
pub fn wss(url: impl Into<String>, security: Security) -> Via<Ws> {
    Via::new(Ws::secure(url, security))
}

/// Returns a free port of this machine for WebSockets over TLS, with the path `/`.
///
/// # Errors
///
/// The system has no free port.
#[cfg(all(feature = "tls", feature = "ws"))]
pub fn wss_free_port(security: Security) -> io::Result<Via<Ws>> {
    Ws::secure_free_port(security).map(Via::new)
}
