//! An engine inside of one program, for tests.

use super::{Accept, Engine, Peer};
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::io::{DuplexStream, duplex};
use tokio::sync::mpsc;

/// The most bytes in transit in each direction.
const BYTES: usize = 64 << 10;

/// Streams inside of one program. Clones are the same address.
#[derive(Clone)]
pub struct Memory(Arc<Mutex<Place>>);

/// A channel to the listener. The receiver is here until something listens.
struct Place {
    waiting: mpsc::UnboundedSender<DuplexStream>,
    accept: Option<mpsc::UnboundedReceiver<DuplexStream>>,
}

impl Place {
    fn new() -> Self {
        let (waiting, accept) = mpsc::unbounded_channel();
        Place { waiting, accept: Some(accept) }
    }
}

impl Memory {
    /// Creates a new address.
    #[expect(clippy::new_without_default, reason = "each is another place")]
    pub fn new() -> Self {
        Memory(Arc::new(Mutex::new(Place::new())))
    }

    /// Locks the place. Nothing panics while it holds the lock.
    fn place(&self) -> MutexGuard<'_, Place> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Engine for Memory {
    type Stream = DuplexStream;
    type Accept = mpsc::UnboundedReceiver<DuplexStream>;

    fn address(&self) -> String {
        String::from("memory")
    }

    async fn open(&self) -> io::Result<(DuplexStream, Peer)> {
        let (ours, theirs) = duplex(BYTES);
        let waiting = self.place().waiting.clone();
        waiting.send(theirs).map_err(|_| io::Error::from(io::ErrorKind::ConnectionRefused))?;
        Ok((ours, Peer::new(self.address())))
    }

    async fn bind(&self) -> io::Result<Self::Accept> {
        let mut place = self.place();
        if place.waiting.is_closed() {
            *place = Place::new();
        }
        place.accept.take().ok_or_else(|| io::ErrorKind::AddrInUse.into())
    }
}

impl Accept for mpsc::UnboundedReceiver<DuplexStream> {
    type Stream = DuplexStream;

    async fn accept(&mut self) -> Option<io::Result<(DuplexStream, Peer)>> {
        self.recv().await.map(|stream| Ok((stream, Peer::new("memory"))))
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory").finish_non_exhaustive()
    }
}
