//! Snapshots for other programs, at a Unix socket.

use super::snapshot::snapshot;
use super::socket_file::SocketFile;
use crate::sync::{Arc, OnceLock, sleep, spawn};
use std::fmt;
use std::io::{self, ErrorKind, Write};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::process;
use std::time::{Duration, Instant};

/// How long a reader may take.
const LONGEST: Duration = Duration::from_secs(1);
/// The most bytes of one write. The limit of a write counts anew for each buffer of the system, and this is
/// less than one.
const MOST: usize = 1 << 14;
/// The time after which the server tries again if the system cannot accept a connection, for example because
/// the process has too many open files.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves snapshots of this program to others, until the result is dropped.
///
/// It listens on a Unix socket at `path`, answers each connection with one line of JSON, that of
/// [`Snapshot::to_json`](super::Snapshot::to_json), and closes it. So a release build that stands still can
/// be asked from a shell, for example with `socat - UNIX:/run/shop/threads`. The program `pipes-top` shows
/// the threads of one or several processes, and refreshes what it shows.
///
/// One thread serves one reader after the other. A reader that takes longer than a second gets only a part,
/// without the end of the line.
///
/// Only the user of this process, and root, may connect, at any time: the socket is made in a folder that
/// no other user can enter, which exists for a moment beside `path`, and has the mode 0600 when it leaves it.
///
/// The folder of `path` must exist. If a socket is already there, and the process that had it is gone, it is
/// replaced. A process that is killed leaves its socket, and so does one that ends without dropping the
/// [`SnapshotServer`].
///
/// ```
/// use pipes::inspect;
/// use std::io::Read;
/// use std::os::unix::net::UnixStream;
///
/// # let path = std::env::temp_dir().join(format!("pipes-inspect-{}", std::process::id()));
/// let server = inspect::serve(&path)?;
///
/// let mut json = String::new();
/// UnixStream::connect(&path)?.read_to_string(&mut json)?;
/// assert!(json.starts_with(r#"{"version":1,"sleepers":["#));
///
/// drop(server);
/// assert!(!path.exists());
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// Another program listens at `path`, a file that is not a socket is there, or the system cannot bind a
/// socket there or start a thread. The error says which of these, and names the path.
pub fn serve(path: impl AsRef<Path>) -> io::Result<SnapshotServer> {
    let path = path.as_ref();
    start(path).map_err(|error| {
        let place = path.display();
        io::Error::new(error.kind(), format!("cannot serve snapshots at `{place}`: {error}"))
    })
}

/// Serves snapshots of this program, see [`serve`]. Dropping it ends its thread and removes the socket.
///
/// A reader that is being served when this is dropped still gets its answer.
#[must_use = "the server ends when this is dropped"]
pub struct SnapshotServer {
    /// Declared before the socket, so that it is dropped first.
    file: SocketFile,
    /// The listener. A stream has a method that the listener lacks.
    socket: UnixStream,
    ended: Arc<OnceLock<()>>,
    /// A process that was forked has a copy of this, which must not end the server.
    process: u32,
}

impl fmt::Debug for SnapshotServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SnapshotServer").field("path", &self.file.path()).finish_non_exhaustive()
    }
}

impl Drop for SnapshotServer {
    fn drop(&mut self) {
        if self.process != process::id() {
            return self.file.keep();
        }
        let _first = self.ended.set(());
        // The thread sleeps in `accept`. This wakes it on Linux, and otherwise a connection does.
        if self.socket.shutdown(Shutdown::Both).is_err() {
            drop(UnixStream::connect(self.file.path()));
        }
    }
}

fn start(path: &Path) -> io::Result<SnapshotServer> {
    let (listener, file) = SocketFile::bind(path)?;
    let socket = UnixStream::from(OwnedFd::from(listener.try_clone()?));
    let ended = Arc::new(OnceLock::new());
    let of_thread = Arc::clone(&ended);
    spawn("pipes-inspect", move || run(&listener, &of_thread));
    if Arc::strong_count(&ended) == 1 {
        return Err(io::Error::other("the system cannot start a thread"));
    }
    Ok(SnapshotServer { file, socket, ended, process: process::id() })
}

/// Answers one reader after the other.
fn run(listener: &UnixListener, ended: &OnceLock<()>) {
    loop {
        let accepted = listener.accept();
        if ended.get().is_some() {
            return;
        }
        match accepted {
            // A reader that is too slow, or has left, cannot be told.
            Ok((reader, _)) => drop(answer(reader)),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => sleep(PAUSE),
        }
    }
}

fn answer(mut reader: UnixStream) -> io::Result<()> {
    let deadline = Instant::now() + LONGEST;
    let line = snapshot().to_json() + "\n";
    let mut rest = line.as_bytes();
    while !rest.is_empty() {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        reader.set_write_timeout(Some(left))?;
        match reader.write(&rest[..rest.len().min(MOST)]) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(written) => rest = &rest[written..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
