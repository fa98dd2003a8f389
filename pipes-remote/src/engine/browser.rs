//! The WebSocket of a browser.

use super::{Accept, Engine, Peer};
use crate::runtime::{Sleep, sleep};
use js_sys::{ArrayBuffer, Uint8Array};
use send_wrapper::SendWrapper;
use std::convert::Infallible;
use std::fmt;
use std::future::{Future, poll_fn};
use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::mpsc;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{BinaryType, MessageEvent, WebSocket};

/// A write waits while the browser has this many bytes that were not sent. A browser does not say when they
/// are fewer, so the write looks from time to time.
const UNSENT: u32 = 1 << 20;
const LOOK: Duration = Duration::from_millis(10);

/// The most bytes of a message that is sent. Servers take no longer ones.
const LONGEST: usize = 64 << 10;

/// The URL of a WebSocket, to which a page can connect.
#[derive(Clone, Debug)]
pub struct Ws(String);

impl Ws {
    /// Creates an address.
    pub fn new(url: impl Into<String>) -> Self {
        Ws(url.into())
    }
}

/// A page cannot listen, so there is no value of this type.
#[derive(Debug)]
pub struct WsAccept(Infallible);

/// A WebSocket. It belongs to the page's thread: used in another one, it panics.
pub struct WsSocket(SendWrapper<Socket>);

impl Engine for Ws {
    type Stream = WsSocket;
    type Accept = WsAccept;

    fn address(&self) -> String {
        self.0.clone()
    }

    async fn open(&self) -> io::Result<(WsSocket, Peer)> {
        let mut socket = WsSocket(SendWrapper::new(Socket::new(&self.0)?));
        match poll_fn(|cx| socket.0.events.poll_recv(cx)).await {
            Some(Event::Open) => Ok((socket, Peer::new(self.address()))),
            _ => {
                let text = "the browser could not connect; its console may say why";
                Err(io::Error::new(ErrorKind::ConnectionRefused, text))
            }
        }
    }

    async fn bind(&self) -> io::Result<WsAccept> {
        Err(io::Error::new(ErrorKind::Unsupported, "a page cannot listen for WebSockets"))
    }
}

impl Accept for WsAccept {
    type Stream = WsSocket;

    async fn accept(&mut self) -> Option<io::Result<(WsSocket, Peer)>> {
        match self.0 {}
    }
}

/// What happens at a socket.
enum Event {
    Open,
    Bytes(Vec<u8>),
    Closed,
}

/// A browser's socket, which is closed when this is dropped.
struct Socket {
    socket: WebSocket,
    events: mpsc::UnboundedReceiver<Event>,
    /// The last bytes that have come, and how many of them were read.
    bytes: Vec<u8>,
    read: usize,
    /// Set while a write waits.
    pause: Option<Sleep>,
    /// The functions that the browser calls.
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_open: Closure<dyn FnMut()>,
    _on_close: Closure<dyn FnMut()>,
}

impl Socket {
    fn new(url: &str) -> io::Result<Self> {
        let socket = WebSocket::new(url)
            .map_err(|_| io::Error::new(ErrorKind::InvalidInput, "the browser does not take this URL"))?;
        socket.set_binary_type(BinaryType::Arraybuffer);
        let (event, events) = mpsc::unbounded_channel();
        let (opened, closed) = (event.clone(), event.clone());
        // If the receiver has gone, nothing needs the event.
        let on_message = Closure::<dyn FnMut(_)>::new(move |message: MessageEvent| {
            let bytes = match message.data().dyn_into::<ArrayBuffer>() {
                Ok(buffer) => Uint8Array::new(&buffer).to_vec(),
                // This is no session. Its first bytes say so.
                Err(text) => text.as_string().unwrap_or_default().into_bytes(),
            };
            let _ = event.send(Event::Bytes(bytes));
        });
        let on_open = Closure::<dyn FnMut()>::new(move || drop(opened.send(Event::Open)));
        let on_close = Closure::<dyn FnMut()>::new(move || drop(closed.send(Event::Closed)));
        socket.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        socket.set_onopen(Some(on_open.as_ref().unchecked_ref()));
        socket.set_onclose(Some(on_close.as_ref().unchecked_ref()));
        // A close follows an error, but not in every program that runs pages.
        socket.set_onerror(Some(on_close.as_ref().unchecked_ref()));
        Ok(Socket {
            socket,
            events,
            bytes: Vec::new(),
            read: 0,
            pause: None,
            _on_message: on_message,
            _on_open: on_open,
            _on_close: on_close,
        })
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.socket.set_onmessage(None);
        self.socket.set_onopen(None);
        self.socket.set_onclose(None);
        self.socket.set_onerror(None);
        // What was given to the browser is still sent. It fails only if the socket is closed already.
        let _ = self.socket.close();
    }
}

fn closed() -> io::Error {
    io::Error::new(ErrorKind::BrokenPipe, "the WebSocket is closed")
}

impl AsyncRead for WsSocket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let it = &mut *self.0;
        while it.read == it.bytes.len() {
            match ready!(it.events.poll_recv(cx)) {
                Some(Event::Bytes(bytes)) => (it.bytes, it.read) = (bytes, 0),
                Some(Event::Open) => {}
                Some(Event::Closed) | None => return Poll::Ready(Ok(())),
            }
        }
        let unread = &it.bytes[it.read..];
        let bytes = unread.len().min(buffer.remaining());
        buffer.put_slice(&unread[..bytes]);
        it.read += bytes;
        if it.read == it.bytes.len() {
            (it.bytes, it.read) = (Vec::new(), 0);
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for WsSocket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let it = &mut *self.0;
        loop {
            // Once it is closing, a browser drops what it is given.
            if it.socket.ready_state() != WebSocket::OPEN {
                return Poll::Ready(Err(closed()));
            }
            if it.socket.buffered_amount() <= UNSENT {
                it.pause = None;
                let sent = &bytes[..bytes.len().min(LONGEST)];
                let result = it.socket.send_with_u8_array(sent);
                return Poll::Ready(result.map(|()| sent.len()).map_err(|_| closed()));
            }
            ready!(Pin::new(it.pause.get_or_insert_with(|| sleep(LOOK))).poll(cx));
            it.pause = None;
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        // It fails only if the socket is closed already.
        let _ = self.0.socket.close();
        Poll::Ready(Ok(()))
    }
}

impl fmt::Debug for WsSocket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WsSocket").finish_non_exhaustive()
    }
}
