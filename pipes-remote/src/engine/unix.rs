//! Unix sockets: between programs of one machine.

use super::{Accept, Engine, Peer};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use tokio::net::{UnixListener, UnixStream};

/// A Unix socket. The rights of its file say who may connect.
#[derive(Clone, Debug)]
pub struct Unix {
    path: PathBuf,
}

impl Unix {
    /// The socket of this file.
    pub fn new(path: impl AsRef<Path>) -> Self {
        Unix { path: path.as_ref().to_owned() }
    }
}

/// A bound socket, whose file is removed with it.
#[derive(Debug)]
pub struct BoundUnix {
    listener: UnixListener,
    path: PathBuf,
}

impl Engine for Unix {
    type Stream = UnixStream;
    type Accept = BoundUnix;

    fn address(&self) -> String {
        self.path.display().to_string()
    }

    async fn open(&self) -> io::Result<(UnixStream, Peer)> {
        let stream = UnixStream::connect(&self.path).await?;
        let peer = peer(&stream);
        Ok((stream, peer))
    }

    async fn bind(&self) -> io::Result<BoundUnix> {
        let listener = UnixListener::bind(&self.path).map_err(|error| match error.kind() {
            io::ErrorKind::AddrInUse => {
                io::Error::new(error.kind(), "the file exists; another program may be listening there")
            }
            _ => error,
        })?;
        Ok(BoundUnix { listener, path: self.path.clone() })
    }
}

impl Accept for BoundUnix {
    type Stream = UnixStream;

    async fn accept(&mut self) -> Option<io::Result<(UnixStream, Peer)>> {
        let accepted = self.listener.accept().await;
        Some(accepted.map(|(stream, _)| {
            let peer = peer(&stream);
            (stream, peer)
        }))
    }
}

impl Drop for BoundUnix {
    fn drop(&mut self) {
        // It may be gone already; the socket is closed anyway.
        let _ = fs::remove_file(&self.path);
    }
}

/// Who is at the other end: its process and user, if the system says so.
fn peer(stream: &UnixStream) -> Peer {
    let Ok(it) = stream.peer_cred() else { return Peer::new("unknown") };
    let user = format!("user {}", it.uid());
    match it.pid() {
        Some(process) => Peer::new(format!("process {process}, {user}")).held_by(user),
        None => Peer::new(user),
    }
}
