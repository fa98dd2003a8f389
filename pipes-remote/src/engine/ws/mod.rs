//! WebSockets, for pages and for native programs.
//!
//! **Beats are ours.** A WebSocket has pings of its own, but a page can neither send them nor see them, so it
//! would not notice a server that is silent. Heartbeats are therefore bytes of the session, as over TCP, and
//! both sides send them. Pings of proxies are answered.

mod address;
mod messages;
mod request;

pub use self::messages::Messages;

use self::address::Url;
use self::messages::LONGEST;
use self::request::Rules;
use super::handshaking::{Handshake, Handshaking};
#[cfg(feature = "tls")]
use super::tls;
use super::{Accept, Engine, Peer, Tcp, tcp};
use crate::error::AcceptError;
#[cfg(feature = "tls")]
use crate::security::{Security, Server};
use bytes::Bytes;
use std::fmt;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::error::ProtocolError;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, accept_hdr_async_with_config, client_async_with_config};

/// The name of HTTP inside of TLS (ALPN), which browsers send.
#[cfg(feature = "tls")]
const HTTP: &[u8] = b"http/1.1";

/// The most bytes that wait to be written. A peer that sends pings and reads nothing fills them with pongs.
const UNWRITTEN: usize = 1 << 20;

/// The size of the buffer for what is read. An idle connection keeps it, and what is free of it is cleared
/// before each read. Long messages would be faster with a larger one.
const READ_BUFFER: usize = 4 << 10;

/// The buffer for what is written grows as bytes come, and is written when it has more than this.
const WRITE_BUFFER: usize = 16 << 10;

/// The URL of a WebSocket, such as `ws://localhost:7000/bank`.
#[derive(Clone, Debug)]
pub struct Ws {
    url: String,
    is_exposed: bool,
    /// A port that is reserved already.
    bound: Option<Tcp>,
    #[cfg(feature = "tls")]
    security: Option<Security>,
    origins: Arc<[String]>,
}

impl Ws {
    /// Creates an address of this machine.
    pub fn new(url: impl Into<String>) -> Self {
        Ws {
            url: url.into(),
            is_exposed: false,
            bound: None,
            #[cfg(feature = "tls")]
            security: None,
            origins: Arc::new([]),
        }
    }

    /// Creates an address that other machines can reach.
    pub fn exposed(url: impl Into<String>) -> Self {
        Ws { is_exposed: true, ..Ws::new(url) }
    }

    /// Creates an address with TLS, which other machines can reach. Its URL begins with `wss`.
    #[cfg(feature = "tls")]
    pub fn secure(url: impl Into<String>, security: Security) -> Self {
        Ws { security: Some(security), ..Ws::exposed(url) }
    }

    /// Reserves a free port of this machine, until a listener takes it or this is dropped.
    ///
    /// # Errors
    ///
    /// The system has no free port.
    pub fn free_port() -> io::Result<Self> {
        let tcp = Tcp::free_port()?;
        Ok(Ws { bound: Some(tcp.clone()), ..Ws::new(format!("ws://{}/", tcp.address())) })
    }

    /// Reserves a free port of this machine, with TLS; see [`free_port`](Ws::free_port).
    ///
    /// # Errors
    ///
    /// The system has no free port.
    #[cfg(feature = "tls")]
    pub fn secure_free_port(security: Security) -> io::Result<Self> {
        let tcp = Tcp::free_port()?;
        let url = format!("wss://{}/", tcp.address());
        Ok(Ws { bound: Some(tcp), ..Ws::secure(url, security) })
    }

    /// Sets the origins whose pages may connect, such as `https://bank.example`. If none is set, the page
    /// must have come from the host and port to which it connects: over TLS by `https`, and at an address of
    /// this machine only under a name of this machine, such as `localhost`.
    ///
    /// At an [exposed](Ws::exposed) address without TLS, set them. Otherwise, the page of a stranger can
    /// connect whose own name the stranger lets lead to this address.
    ///
    /// A browser says from where a page has come, so a page of a stranger cannot use the session of a user
    /// who visits it. Programs that are no browsers send no origin, and may connect; an origin does not prove
    /// who they are.
    ///
    /// ```
    /// use pipes_remote::Via;
    /// use pipes_remote::engine::Ws;
    ///
    /// let here = Via::new(Ws::new("ws://localhost:7000/bank").origins(["https://bank.example"]));
    /// # let _ = here;
    /// ```
    #[must_use]
    pub fn origins<O: Into<String>>(mut self, origins: impl IntoIterator<Item = O>) -> Self {
        self.origins = origins.into_iter().map(Into::into).collect();
        self
    }

    /// Returns the parts of the URL, and the address of the socket.
    fn parts(&self) -> io::Result<(Url, Tcp)> {
        let url = Url::parse(&self.url)?;
        let tcp = match &self.bound {
            Some(tcp) => tcp.clone(),
            None if self.is_exposed => Tcp::exposed(&*url.host_and_port),
            None => Tcp::new(&*url.host_and_port),
        };
        if url.is_secure != self.is_secure() {
            let text = match url.is_secure {
                true => "a URL with `wss` needs certificates: use `pipes_remote::wss`, of the feature `tls`",
                false => "`wss` uses certificates, so its URL begins with `wss://`",
            };
            return Err(io::Error::new(ErrorKind::InvalidInput, text));
        }
        Ok((url, tcp))
    }

    #[cfg(feature = "tls")]
    fn is_secure(&self) -> bool {
        self.security.is_some()
    }

    #[cfg(not(feature = "tls"))]
    fn is_secure(&self) -> bool {
        false
    }

    /// Connects the socket below. Also returns the name of the connection.
    async fn connect(&self, tcp: Tcp) -> io::Result<(Box<dyn Socket>, Peer, Option<String>)> {
        #[cfg(feature = "tls")]
        if let Some(security) = &self.security {
            let (stream, peer) = tls::connect(&tcp, security, HTTP).await?;
            let name = stream.link_name("wss");
            return Ok((Box::new(stream), peer, name));
        }
        let (stream, peer) = tcp.open().await?;
        let name = tcp::link_name("ws", &stream);
        Ok((Box::new(stream), peer, name))
    }
}

/// The socket below: of TCP or of TLS.
trait Socket: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Socket for S {}

/// A WebSocket.
pub struct WsSocket {
    messages: Messages<WebSocketStream<Box<dyn Socket>>, Message>,
    name: Option<String>,
}

impl WsSocket {
    fn new(socket: WebSocketStream<Box<dyn Socket>>, name: Option<String>) -> Self {
        let into_bytes = |message| match message {
            Message::Binary(bytes) => Some(bytes),
            // This is no session. Its first bytes say so.
            Message::Text(text) => Some(Bytes::from(text)),
            Message::Ping(_) | Message::Pong(_) | Message::Close(_) | Message::Frame(_) => None,
        };
        WsSocket { messages: Messages::new(socket, into_bytes, Message::Binary), name }
    }
}

fn config() -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(WRITE_BUFFER)
        .max_write_buffer_size(UNWRITTEN)
        // This crate sends no longer ones.
        .max_message_size(Some(LONGEST))
        .max_frame_size(Some(LONGEST))
}

/// A listening socket, and the handshakes that are under way.
pub struct WsAccept(Handshaking<WsServer>);

/// The server's side of the handshake.
#[derive(Clone)]
struct WsServer {
    #[cfg(feature = "tls")]
    tls: Option<Server>,
    rules: Arc<Rules>,
}

impl WsServer {
    /// Does the handshake below.
    async fn accept_socket(
        &self,
        stream: TcpStream,
        address: SocketAddr,
        why: &mut Option<AcceptError>,
    ) -> Option<(Box<dyn Socket>, Peer, Option<String>)> {
        #[cfg(feature = "tls")]
        if let Some(server) = &self.tls {
            let stream = tls::accept(server.clone(), stream, why).await?;
            let (peer, name) = (stream.peer_at(address), stream.link_name("wss"));
            return Some((Box::new(stream), peer, name));
        }
        match tcp::prepared(stream) {
            Ok(stream) => {
                let name = tcp::link_name("ws", &stream);
                Some((Box::new(stream), Peer::at(address), name))
            }
            Err(error) => {
                *why = Some(AcceptError::Failed(error));
                None
            }
        }
    }
}

impl Handshake for WsServer {
    type Stream = WsSocket;

    async fn accept(
        self,
        (stream, address): (TcpStream, SocketAddr),
        why: &mut Option<AcceptError>,
    ) -> Option<(WsSocket, Peer)> {
        let (socket, peer, name) = self.accept_socket(stream, address, why).await?;
        let mut refused = None;
        let check = self.rules.check(&mut refused);
        match accept_hdr_async_with_config(socket, check, Some(config())).await {
            Ok(socket) => Some((WsSocket::new(socket, name), peer)),
            Err(error) => {
                *why = Some(AcceptError::Failed(refused.unwrap_or_else(|| explained(error))));
                None
            }
        }
    }
}

impl Engine for Ws {
    type Stream = WsSocket;
    type Accept = WsAccept;

    fn address(&self) -> String {
        self.url.clone()
    }

    async fn open(&self) -> io::Result<(WsSocket, Peer)> {
        let (url, tcp) = self.parts()?;
        let (socket, peer, name) = self.connect(tcp).await?;
        let (socket, _) =
            client_async_with_config(url.uri, socket, Some(config())).await.map_err(explained)?;
        Ok((WsSocket::new(socket, name), peer))
    }

    fn link_name(stream: &WsSocket) -> Option<String> {
        stream.name.clone()
    }

    async fn bind(&self) -> io::Result<WsAccept> {
        let (url, tcp) = self.parts()?;
        let server = WsServer {
            #[cfg(feature = "tls")]
            tls: match &self.security {
                Some(security) => Some(security.server()?.with_inside(HTTP)),
                None => None,
            },
            rules: Arc::new(Rules::new(&url, self.is_exposed, &self.origins)),
        };
        Ok(WsAccept(Handshaking::new(tcp.bind().await?, server)))
    }
}

impl Accept for WsAccept {
    type Stream = WsSocket;

    async fn accept(&mut self) -> Option<io::Result<(WsSocket, Peer)>> {
        self.0.accept().await
    }
}

/// Returns the error for what the library has reported.
fn explained(error: Error) -> io::Error {
    match error {
        Error::Io(error) => error,
        Error::Http(response) => {
            let status = response.status();
            let kind = match status.as_u16() {
                401 | 403 => ErrorKind::PermissionDenied,
                408 | 504 => ErrorKind::TimedOut,
                // A server that is busy or fails, or a proxy whose server is not there.
                429 | 500 | 502 | 503 => ErrorKind::ConnectionRefused,
                _ => ErrorKind::InvalidData,
            };
            io::Error::new(kind, format!("the server does not take the WebSocket: {status}"))
        }
        Error::WriteBufferFull(_) => {
            io::Error::new(ErrorKind::InvalidData, "it sends pings, and does not read the answers")
        }
        error => io::Error::new(ErrorKind::InvalidData, format!("it does not speak WebSocket: {error}")),
    }
}

/// Returns the error for what was reported on a connection, or `None` if the other side has only left without
/// the closing handshake of WebSockets. Sessions have one of their own.
fn on_connection(error: io::Error) -> Option<io::Error> {
    match error.downcast() {
        Ok(
            Error::ConnectionClosed
            | Error::AlreadyClosed
            | Error::Protocol(ProtocolError::ResetWithoutClosingHandshake | ProtocolError::SendAfterClosing),
        ) => None,
        Ok(error) => Some(explained(error)),
        Err(error) => Some(error),
    }
}

/// Returns the error for a write.
fn unwritten(error: io::Error) -> io::Error {
    on_connection(error).unwrap_or_else(|| ErrorKind::BrokenPipe.into())
}

impl AsyncRead for WsSocket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = ready!(Pin::new(&mut self.messages).poll_read(cx, buffer));
        Poll::Ready(read.or_else(|error| on_connection(error).map_or(Ok(()), Err)))
    }
}

impl AsyncWrite for WsSocket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.messages).poll_write(cx, bytes).map_err(unwritten)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.messages).poll_flush(cx).map_err(unwritten)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.messages).poll_shutdown(cx).map_err(unwritten)
    }
}

impl fmt::Debug for WsSocket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WsSocket").finish_non_exhaustive()
    }
}

impl fmt::Debug for WsAccept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WsAccept").finish_non_exhaustive()
    }
}
