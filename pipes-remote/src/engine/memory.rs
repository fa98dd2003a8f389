//! An engine inside of one program, for tests.

use super::{Accept, Engine};
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{DuplexStream, duplex};
use tokio::sync::mpsc;

/// The bytes that are under way in each direction, at most.
const BYTES: usize = 64 << 10;

/// Streams inside of one program: what is written to one end is read from the other. Its clones are the same
/// place.
#[derive(Clone)]
pub struct Memory {
    waiting: mpsc::UnboundedSender<DuplexStream>,
    accept: Arc<Mutex<Option<mpsc::UnboundedReceiver<DuplexStream>>>>,
}

impl Memory {
    /// A new place.
    #[expect(clippy::new_without_default, reason = "each is another place")]
    pub fn new() -> Self {
        let (waiting, accept) = mpsc::unbounded_channel();
        Memory { waiting, accept: Arc::new(Mutex::new(Some(accept))) }
    }
}

impl Engine for Memory {
    type Stream = DuplexStream;
    type Accept = mpsc::UnboundedReceiver<DuplexStream>;

    fn address(&self) -> String {
        String::from("memory")
    }

    async fn open(&self) -> io::Result<(DuplexStream, String)> {
        let (ours, theirs) = duplex(BYTES);
        self.waiting.send(theirs).map_err(|_| io::Error::from(io::ErrorKind::ConnectionRefused))?;
        Ok((ours, self.address()))
    }

    async fn bind(&self) -> io::Result<Self::Accept> {
        let accept = self.accept.lock().unwrap_or_else(PoisonError::into_inner).take();
        accept.ok_or_else(|| io::ErrorKind::AddrInUse.into())
    }
}

impl Accept for mpsc::UnboundedReceiver<DuplexStream> {
    type Stream = DuplexStream;

    async fn accept(&mut self) -> Option<io::Result<(DuplexStream, String)>> {
        self.recv().await.map(|stream| Ok((stream, String::from("memory"))))
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory").finish_non_exhaustive()
    }
}
