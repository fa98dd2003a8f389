//! Unix sockets: between programs of one machine.

use super::{Accept, Engine};
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

    async fn open(&self) -> io::Result<(UnixStream, String)> {
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

    async fn accept(&mut self) -> Option<io::Result<(UnixStream, String)>> {
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
fn peer(stream: &UnixStream) -> String {
    match stream.peer_cred() {
        Ok(it) => match it.pid() {
            Some(process) => format!("process {process}, user {}", it.uid()),
            None => format!("user {}", it.uid()),
        },
        Err(_) => String::from("unknown"),
    }
}
