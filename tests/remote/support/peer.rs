//! A peer that is written by hand: the bytes of a connection, as the other program would see them.

use crate::raw::{envelope, read_envelope};
use pipes_remote::Via;
use pipes_remote::engine::{Accept, Engine, Peer};
use std::fmt;
use std::io;
use std::sync::{Mutex, PoisonError};
use tokio::io::{DuplexStream, duplex};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// The bytes that are under way in each direction, at most.
pub const BYTES: usize = 64 << 10;

/// The bytes in front of a hello or an answer: what it is, and its length.
pub const HEAD: usize = 7;

/// A place whose connections the test has the other ends of.
pub struct Raw {
    dialed: UnboundedSender<DuplexStream>,
    accept: Mutex<Option<UnboundedReceiver<DuplexStream>>>,
}

/// Where the test finds, and puts, the other ends.
#[derive(Debug)]
pub struct Wire {
    /// A stream for each connection that the program begins.
    pub dialed: UnboundedReceiver<DuplexStream>,
    accepted: UnboundedSender<DuplexStream>,
}

/// A place, and the other ends of its connections.
pub fn raw() -> (Via<Raw>, Wire) {
    let (begun, dialed) = unbounded_channel();
    let (accepted, accept) = unbounded_channel();
    let engine = Raw { dialed: begun, accept: Mutex::new(Some(accept)) };
    (Via::new(engine), Wire { dialed, accepted })
}

impl Wire {
    /// Begins a connection to the program that listens.
    pub fn connect(&self) -> DuplexStream {
        let (ours, theirs) = duplex(BYTES);
        self.pass(theirs);
        ours
    }

    /// Passes the other end of a connection, which a program has begun, on to the program that listens.
    pub fn pass(&self, stream: DuplexStream) {
        self.accepted.send(stream).expect("it listens");
    }
}

/// Reads what a side says in the handshake, with its envelope.
pub async fn read_hello(stream: &mut DuplexStream) -> io::Result<Vec<u8>> {
    read_envelope(stream).await.map(|body| envelope(1, &body))
}

impl Engine for Raw {
    type Stream = DuplexStream;
    type Accept = Waiting;

    fn address(&self) -> String {
        String::from("raw")
    }

    async fn open(&self) -> io::Result<(DuplexStream, Peer)> {
        let (ours, theirs) = duplex(BYTES);
        self.dialed.send(theirs).map_err(|_| io::Error::from(io::ErrorKind::ConnectionRefused))?;
        Ok((ours, Peer::new(self.address())))
    }

    async fn bind(&self) -> io::Result<Waiting> {
        let accept = self.accept.lock().unwrap_or_else(PoisonError::into_inner).take();
        accept.map(Waiting).ok_or_else(|| io::ErrorKind::AddrInUse.into())
    }
}

/// What waits for connections.
#[derive(Debug)]
pub struct Waiting(UnboundedReceiver<DuplexStream>);

impl Accept for Waiting {
    type Stream = DuplexStream;

    async fn accept(&mut self) -> Option<io::Result<(DuplexStream, Peer)>> {
        self.0.recv().await.map(|stream| Ok((stream, Peer::new("raw"))))
    }
}

impl fmt::Debug for Raw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Raw").finish_non_exhaustive()
    }
}
