//! WebSockets, as the contenders use them: through our own engine, without our sessions, and as messages of
//! `tokio-tungstenite`.

use crate::net::{Net, OverTcp};
use crate::sides::failed;
use futures::StreamExt;
use pipes_remote::engine::{Accept, Engine, Ws, WsAccept, WsSocket};
use std::io;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Mutex;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Bytes, Message};
use tokio_tungstenite::{WebSocketStream, accept_async_with_config, client_async_with_config};

/// WebSockets, as streams of bytes.
pub enum OverWs {}

impl Net for OverWs {
    type Place = Ws;
    type Listener = Mutex<WsAccept>;
    type Dialer = Ws;
    type Stream = WsSocket;
    type Engine = Ws;

    fn place() -> io::Result<(Ws, String)> {
        let engine = Ws::free_port()?;
        let address = engine.address();
        Ok((engine, address))
    }

    async fn bind_async(place: &Ws) -> io::Result<Mutex<WsAccept>> {
        Ok(Mutex::new(place.bind().await?))
    }

    async fn accept_async(listener: &Mutex<WsAccept>) -> io::Result<WsSocket> {
        let accepted = listener.lock().await.accept().await;
        Ok(accepted.ok_or_else(|| io::Error::other("the socket is gone"))??.0)
    }

    fn dialer(address: &str) -> io::Result<Ws> {
        Ok(Ws::new(address))
    }

    async fn dial(dialer: &Ws) -> io::Result<WsSocket> {
        Ok(dialer.open().await?.0)
    }

    fn engine(address: &str) -> io::Result<Ws> {
        Ok(Ws::new(address))
    }

    fn engine_at(place: &Ws) -> (Ws, String) {
        (place.clone(), place.address())
    }

    fn exposed(address: &str) -> io::Result<(Ws, String)> {
        Ok((Ws::exposed(address), address.to_owned()))
    }
}

/// The messages of a WebSocket, without our engine.
pub struct Messages(pub WebSocketStream<TcpStream>);

impl Messages {
    /// The server's side.
    pub async fn accept(listener: &TcpListener, config: WebSocketConfig) -> io::Result<Self> {
        let stream = OverTcp::accept_async(listener).await?;
        accept_async_with_config(stream, Some(config)).await.map(Messages).map_err(failed)
    }

    /// The client's side.
    pub async fn connect(address: &str, config: WebSocketConfig) -> io::Result<Self> {
        let (url, stream) = (format!("ws://{address}/"), OverTcp::connect_async(address).await?);
        let connected = client_async_with_config(url, stream, Some(config)).await;
        connected.map(|(socket, _)| Messages(socket)).map_err(failed)
    }

    /// The next message.
    pub async fn receive(&mut self) -> io::Result<Bytes> {
        let message = self.0.next().await.ok_or(io::ErrorKind::UnexpectedEof)?;
        Ok(message.map_err(failed)?.into_data())
    }

    /// The next message, which is a number.
    pub async fn number(&mut self) -> io::Result<u64> {
        Ok(u64::from_le_bytes(self.receive().await?.as_ref().try_into().map_err(failed)?))
    }

    /// Waits until the other side has closed it, so that nothing of what it was sent is lost.
    pub async fn linger(mut self) {
        while let Some(Ok(_)) = self.0.next().await {}
    }
}

/// A message with a number.
pub fn message(number: u64) -> Message {
    Message::Binary(Bytes::copy_from_slice(&number.to_le_bytes()))
}
