//! Unix sockets, between programs of one machine.

use super::errno::persistently;
use super::listeners::Listeners;
use super::socket_file::SocketFile;
use super::{Accept, Engine, Peer};
use pipes::remote::IS_RECORDED;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use tokio::net::unix::SocketAddr;
use tokio::net::{UnixListener, UnixSocket, UnixStream};

/// A Unix socket. The permissions of its file say who may connect.
#[derive(Clone, Debug)]
pub struct Unix {
    path: PathBuf,
}

impl Unix {
    /// Creates the address of the socket with this file.
    pub fn new(path: impl AsRef<Path>) -> Self {
        Unix { path: path.as_ref().to_owned() }
    }

    /// Returns the path.
    ///
    /// # Errors
    ///
    /// It is empty. The system would bind a socket without a name.
    fn path(&self) -> io::Result<&Path> {
        if self.path.as_os_str().is_empty() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the path is empty"));
        }
        Ok(&self.path)
    }
}

/// A bound socket. Dropping it removes its file.
#[derive(Debug)]
pub struct BoundUnix {
    /// Declared before the sockets, so that it is dropped first. An abstract name of Linux, which begins with
    /// a zero byte, has no file.
    _file: Option<SocketFile>,
    listeners: Listeners<UnixListener>,
}

impl Engine for Unix {
    type Stream = UnixStream;
    type Accept = BoundUnix;

    fn address(&self) -> String {
        self.path.display().to_string()
    }

    async fn open(&self) -> io::Result<(UnixStream, Peer)> {
        let path = self.path()?;
        let stream = persistently(|| connect(path)).await?;
        let peer = peer(&stream);
        Ok((stream, peer))
    }

    fn link_name(stream: &UnixStream) -> Option<String> {
        let mut ends = [name(&stream.local_addr().ok()?)?, name(&stream.peer_addr().ok()?)?];
        ends.sort_unstable();
        Some(format!("unix {} {}", ends[0], ends[1]))
    }

    async fn bind(&self) -> io::Result<BoundUnix> {
        let path = self.path()?;
        let bind = || UnixListener::bind(path);
        let (listener, file) = match path.as_os_str().as_bytes().first() {
            Some(0) => (bind()?, None),
            _ => SocketFile::bind(path, bind).await.map(|(listener, file)| (listener, Some(file)))?,
        };
        Ok(BoundUnix { _file: file, listeners: Listeners::new(vec![listener]) })
    }
}

impl Accept for BoundUnix {
    type Stream = UnixStream;

    async fn accept(&mut self) -> Option<io::Result<(UnixStream, Peer)>> {
        let accepted = self.listeners.accept(UnixListener::poll_accept).await?;
        Some(accepted.map(|(stream, _)| {
            let peer = peer(&stream);
            (stream, peer)
        }))
    }
}

/// Connects to a path. With the feature `inspect` of `pipes` on Linux, the client has an abstract name, so
/// that both ends can name the connection.
async fn connect(path: &Path) -> io::Result<UnixStream> {
    if !IS_RECORDED || cfg!(not(any(target_os = "linux", target_os = "android"))) {
        return UnixStream::connect(path).await;
    }
    let socket = UnixSocket::new_stream()?;
    let random = RandomState::new().build_hasher().finish();
    // Without a name it connects as well.
    let _ = socket.bind(format!("\0pipes-{random:016x}"));
    socket.connect(path).await
}

/// Returns the path or the abstract name of a socket, if it has one.
fn name(address: &SocketAddr) -> Option<String> {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    if let Some(name) = address.as_abstract_name() {
        return Some(String::from_utf8_lossy(name).into_owned());
    }
    address.as_pathname().map(|path| path.display().to_string())
}

/// Returns the process and the user at the other end, if the system knows them.
fn peer(stream: &UnixStream) -> Peer {
    let Ok(it) = stream.peer_cred() else { return Peer::new("unknown") };
    Peer::local(it.uid(), it.pid().and_then(|process| process.try_into().ok()))
}
