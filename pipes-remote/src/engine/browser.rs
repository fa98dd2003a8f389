//! The WebSocket of a browser.
//!
//! A browser's objects belong to the page's thread, and a task of the page owns the socket. It moves bytes
//! between the socket and a stream, which the pump uses as it uses any other one.

use super::{Accept, Engine, Peer};
use crate::runtime::sleep;
use js_sys::{ArrayBuffer, Uint8Array};
use std::convert::Infallible;
use std::io::{self, ErrorKind};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, ReadHalf, WriteHalf, duplex, split};
use tokio::sync::{mpsc, oneshot};
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use wasm_bindgen_futures::spawn_local;
use web_sys::{BinaryType, MessageEvent, WebSocket};

/// The most bytes between the task and the pump, in each direction.
const BYTES: usize = 64 << 10;

/// The task waits while the browser has this many bytes that were not sent. A browser does not say when they
/// are fewer, so the task looks from time to time.
const UNSENT: u32 = 1 << 20;
const LOOK: Duration = Duration::from_millis(10);

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
pub struct NoListener(Infallible);

impl Engine for Ws {
    type Stream = DuplexStream;
    type Accept = NoListener;

    fn address(&self) -> String {
        self.0.clone()
    }

    async fn open(&self) -> io::Result<(DuplexStream, Peer)> {
        let (opened, stream) = oneshot::channel();
        spawn_local(run(self.0.clone(), opened));
        let stream = stream.await.map_err(|_| io::Error::other("the page has ended"))??;
        Ok((stream, Peer::new(self.address())))
    }

    async fn bind(&self) -> io::Result<NoListener> {
        Err(io::Error::new(ErrorKind::Unsupported, "a page cannot listen for WebSockets"))
    }
}

impl Accept for NoListener {
    type Stream = DuplexStream;

    async fn accept(&mut self) -> Option<io::Result<(DuplexStream, Peer)>> {
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
    /// The functions that the browser calls.
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_open: Closure<dyn FnMut()>,
    _on_close: Closure<dyn FnMut()>,
}

impl Socket {
    fn new(url: &str) -> io::Result<Self> {
        let socket = WebSocket::new(url).map_err(|_| {
            io::Error::new(ErrorKind::InvalidInput, "the browser does not take this URL")
        })?;
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
        Ok(Socket { socket, events, _on_message: on_message, _on_open: on_open, _on_close: on_close })
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

/// Connects, and moves bytes until both directions have ended.
async fn run(url: String, mut opened: oneshot::Sender<io::Result<DuplexStream>>) {
    let mut socket = match Socket::new(&url) {
        Ok(socket) => socket,
        Err(error) => return drop(opened.send(Err(error))),
    };
    let first = tokio::select! {
        biased;
        first = socket.events.recv() => first,
        // The time to connect is over.
        () = opened.closed() => return,
    };
    let Some(Event::Open) = first else {
        let text = "the browser could not connect; its console may say why";
        return drop(opened.send(Err(io::Error::new(ErrorKind::ConnectionRefused, text))));
    };
    let (ours, theirs) = duplex(BYTES);
    if opened.send(Ok(theirs)).is_err() {
        return;
    }
    let (from_pump, to_pump) = split(ours);
    let Socket { socket: browser, events, .. } = &mut socket;
    tokio::join!(send(browser, from_pump), receive(events, to_pump));
}

/// Gives what the pump writes to the browser. When the pump has ended this direction, closes the socket.
async fn send(socket: &WebSocket, mut from_pump: ReadHalf<DuplexStream>) {
    let mut bytes = vec![0; BYTES];
    while let Ok(read @ 1..) = from_pump.read(&mut bytes).await {
        while socket.buffered_amount() > UNSENT && socket.ready_state() == WebSocket::OPEN {
            sleep(LOOK).await;
        }
        if socket.send_with_u8_array(&bytes[..read]).is_err() {
            break;
        }
    }
    let _ = socket.close();
}

/// Gives what has come to the pump, until the socket is closed or the pump has ended.
async fn receive(events: &mut mpsc::UnboundedReceiver<Event>, mut to_pump: WriteHalf<DuplexStream>) {
    while let Some(Event::Bytes(bytes)) = events.recv().await {
        if to_pump.write_all(&bytes).await.is_err() {
            return;
        }
    }
    let _ = to_pump.shutdown().await;
}
