//! An engine with one existing stream.

use super::{Accept, Engine, Peer};
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncRead, AsyncWrite};

/// One existing stream, for one session, such as the standard input and output of a process, or a stream that
/// another library has connected.
pub struct Over<S> {
    stream: Arc<Mutex<Option<S>>>,
}

impl<S> Over<S> {
    /// Creates an engine with this stream.
    pub fn new(stream: S) -> Self {
        Over { stream: Arc::new(Mutex::new(Some(stream))) }
    }

    fn take(&self) -> Option<S> {
        self.stream.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Accepts one session, and then no more.
#[derive(Debug)]
pub struct Once<S>(Option<S>);

const NAME: &str = "the other end of a stream";

fn no_more() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "the stream is for one session, and has had it")
}

impl<S: AsyncRead + AsyncWrite + Send + Unpin + 'static> Engine for Over<S> {
    type Stream = S;
    type Accept = Once<S>;

    fn address(&self) -> String {
        String::from(NAME)
    }

    async fn open(&self) -> io::Result<(S, Peer)> {
        let stream = self.take().ok_or_else(no_more)?;
        Ok((stream, Peer::new(NAME)))
    }

    async fn bind(&self) -> io::Result<Once<S>> {
        self.take().map(|stream| Once(Some(stream))).ok_or_else(no_more)
    }
}

impl<S: Send + 'static> Accept for Once<S> {
    type Stream = S;

    async fn accept(&mut self) -> Option<io::Result<(S, Peer)>> {
        self.0.take().map(|stream| Ok((stream, Peer::new(NAME))))
    }
}

impl<S> fmt::Debug for Over<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Over").finish_non_exhaustive()
    }
}
