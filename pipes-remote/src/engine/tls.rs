//! TLS over TCP, between programs that know each other by certificates.

use super::handshaking::{Handshake, Handshaking};
use super::tcp::{self, prepared};
use super::{Accept, Engine, Peer, Tcp};
use crate::error::AcceptError;
use crate::inbox;
use crate::security::{SPOKEN, Security, Server, certified, explained, spoken};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::{TlsAcceptor, TlsConnector, TlsStream};

/// A TCP address, with TLS 1.3.
#[derive(Clone, Debug)]
pub struct Tls {
    tcp: Tcp,
    security: Security,
}

impl Tls {
    /// Creates an address that other machines can reach.
    pub fn new(address: impl Into<String>, security: Security) -> Self {
        Tls { tcp: Tcp::exposed(address), security }
    }

    /// Reserves a free port of this machine, until a listener takes it or this is dropped.
    ///
    /// # Errors
    ///
    /// The system has no free port.
    pub fn free_port(security: Security) -> io::Result<Self> {
        Ok(Tls { tcp: Tcp::free_port()?, security })
    }

    /// Resolves names by this function, for tests.
    #[doc(hidden)]
    pub fn resolved_by(
        mut self,
        resolve: impl Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync + 'static,
    ) -> Self {
        self.tcp = self.tcp.resolved_by(resolve);
        self
    }
}

/// An encrypted connection.
#[derive(Debug)]
pub struct TlsSocket(TlsStream<TcpStream>);

/// A listening socket, and the handshakes that are under way.
pub struct TlsAccept(Handshaking<Server>);

impl Engine for Tls {
    type Stream = TlsSocket;
    type Accept = TlsAccept;

    fn address(&self) -> String {
        self.tcp.address()
    }

    async fn open(&self) -> io::Result<(TlsSocket, Peer)> {
        let (stream, peer) = connect(&self.tcp, &self.security, SPOKEN).await?;
        spoken(stream.0.get_ref().1.alpn_protocol())?;
        Ok((stream, peer))
    }

    fn link_name(stream: &TlsSocket) -> Option<String> {
        stream.link_name("tls")
    }

    async fn bind(&self) -> io::Result<TlsAccept> {
        let server = self.security.server()?;
        Ok(TlsAccept(Handshaking::new(self.tcp.bind().await?, server)))
    }
}

/// Connects with TLS. `inside` is the name of the protocol in it.
pub(super) async fn connect(tcp: &Tcp, security: &Security, inside: &[u8]) -> io::Result<(TlsSocket, Peer)> {
    let (mut config, name, noted) = security.client(tcp.checked()?)?;
    config.alpn_protocols = vec![inside.to_vec()];
    let (stream, _) = tcp.open().await?;
    let address = stream.peer_addr()?;
    let stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await;
    let stream = TlsSocket(stream.map_err(|error| noted.or(|| explained(error)))?.into());
    let peer = stream.peer_at(address);
    Ok((stream, peer))
}

/// Does the server's side of the handshake. If the client is refused, sets `why`, and then tells the client.
pub(super) async fn accept(
    server: Server,
    stream: TcpStream,
    why: &mut Option<AcceptError>,
) -> Option<TlsSocket> {
    let accepting = async {
        let (config, noted) = server.config()?;
        Ok((TlsAcceptor::from(config).accept(prepared(stream)?).into_fallible().await, noted))
    };
    match accepting.await {
        Ok((Ok(stream), _)) => return Some(TlsSocket(stream.into())),
        Ok((Err((error, mut stream)), noted)) => {
            *why = Some(noted.or(|| explained(error)).into());
            inbox::end(&mut stream).await;
        }
        Err(error) => *why = Some(AcceptError::Failed(error)),
    }
    None
}

impl TlsSocket {
    /// Returns the peer at this address, with the certificate that it has shown.
    pub(super) fn peer_at(&self, address: SocketAddr) -> Peer {
        certified(address, self.0.get_ref().1.peer_certificates())
    }

    /// Returns the addresses of both ends, as text that is the same at both.
    pub(super) fn link_name(&self, kind: &str) -> Option<String> {
        tcp::link_name(kind, self.0.get_ref().0)
    }
}

impl Handshake for Server {
    type Stream = TlsSocket;

    async fn accept(
        self,
        (stream, address): (TcpStream, SocketAddr),
        why: &mut Option<AcceptError>,
    ) -> Option<(TlsSocket, Peer)> {
        let stream = accept(self, stream, why).await?;
        if let Err(error) = spoken(stream.0.get_ref().1.alpn_protocol()) {
            *why = Some(AcceptError::Failed(error));
            return None;
        }
        let peer = stream.peer_at(address);
        Some((stream, peer))
    }
}

impl Accept for TlsAccept {
    type Stream = TlsSocket;

    async fn accept(&mut self) -> Option<io::Result<(TlsSocket, Peer)>> {
        self.0.accept().await
    }
}

impl AsyncRead for TlsSocket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, buffer).map_err(explained)
    }
}

impl AsyncWrite for TlsSocket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, bytes).map_err(explained)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx).map_err(explained)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx).map_err(explained)
    }
}

impl std::fmt::Debug for TlsAccept {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TlsAccept").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::security::{Identity, Trust};
    use tokio::io::AsyncReadExt;

    /// Returns a server, and the security of its clients.
    fn sides() -> (Tls, Security) {
        let own = Identity::generate().expect("there are random numbers");
        let here = Tls::free_port(Security::new().identity(&own)).expect("there is a free port");
        (here, Security::new().servers(Trust::fingerprint(own.fingerprint())))
    }

    #[tokio::test]
    async fn a_client_that_does_not_say_what_it_speaks_is_not_taken() {
        let (here, client) = sides();
        let mut accept = here.bind().await.expect("the port is free");
        let (mut config, name, _) = client.client(&here.address()).expect("it trusts the server");
        config.alpn_protocols.clear();
        let stream = TcpStream::connect(here.address()).await.expect("it listens");
        let other = async {
            let mut stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await?;
            stream.read_u8().await
        };
        tokio::select! {
            read = other => assert!(read.is_err()),
            accepted = accept.accept() => {
                let refused = accepted.expect("it listens").expect_err("it is refused");
                assert!(refused.to_string().contains("it does not speak `pipes`"), "{refused}");
            }
        }
    }

    #[tokio::test]
    async fn a_server_that_does_not_say_what_it_speaks_is_no_server() {
        let (here, client) = sides();
        let (config, _) = here.security.server().and_then(|it| it.config()).expect("it has an identity");
        let mut config = (*config).clone();
        config.alpn_protocols.clear();
        let mut listener = here.tcp.bind().await.expect("the port is free");
        let serving = tokio::spawn(async move {
            let (stream, _) = listener.next().await.expect("it listens")?;
            TlsAcceptor::from(Arc::new(config)).accept(stream).await?.read_u8().await
        });
        let opened = Tls::new(here.address(), client).open().await;
        assert_eq!(opened.err().map(|error| error.kind()), Some(io::ErrorKind::InvalidData));
        assert!(serving.await.expect("it does not panic").is_err());
    }
}
