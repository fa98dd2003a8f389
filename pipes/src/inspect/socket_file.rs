//! The file of the socket at which a program serves its snapshots: how it comes to its path, and how it is
//! removed.
//!
//! A new socket has the rights that the process gives its new files, and the rights of the whole process must
//! not change. So the socket is bound in a private folder, into which no other user can look, and gets its
//! path when it has its own rights. The path is a new link, because a link never replaces a file.
//!
//! A program that is killed leaves its file. It is replaced as a server of `pipes-remote` replaces it: if
//! `connect` returns `ECONNREFUSED`, which means that no process has a socket there. Those servers lock the
//! folder meanwhile, which the standard library of the oldest compiler, 1.88, cannot do. Here the file is
//! moved to the private folder, and looked at once more: then no other program can have replaced it since the
//! look. If it was replaced, it goes back. So that this does not happen, two programs do not replace files of
//! one folder at once, where the system has a lock for it that ends with its process.

use crate::sync::sleep;
use std::collections::hash_map::RandomState;
use std::fs::{self, DirBuilder, Permissions};
use std::hash::BuildHasher;
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A program has the lock of a folder for a few system calls. One that has it for longer is not waited for.
const LONGEST: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_millis(1);

/// The file of a socket that is bound.
///
/// Must be dropped before the socket. Until the socket is closed, the system does not reuse the number of its
/// inode.
#[derive(Debug)]
pub(super) struct SocketFile {
    path: PathBuf,
    id: (u64, u64),
}

impl SocketFile {
    /// Binds a socket to the path, to which only this user may connect. If a program that was killed has left
    /// a socket there, it is replaced.
    ///
    /// # Errors
    ///
    /// A program listens there, the file is not that of a socket, or the path cannot be bound.
    pub(super) fn bind(path: &Path) -> io::Result<(UnixListener, SocketFile)> {
        if path.as_os_str().is_empty() {
            return Err(io::Error::new(ErrorKind::InvalidInput, "the path is empty"));
        }
        let Some(name) = path.file_name() else {
            return Err(io::Error::new(ErrorKind::InvalidInput, "the path names no file"));
        };
        // A link may have a longer path than a socket, but then no program could connect.
        SocketAddr::from_pathname(path)?;
        let given = path.parent().unwrap_or(Path::new(""));
        let folder = if given == Path::new("") { Path::new(".") } else { given }.canonicalize()?;
        let private = PrivateFolder::new(&folder)?;
        let (socket, replaced) = ("s", "r");
        // Addresses are as short as the path that was given, which the folder's own path may not be.
        let address = given.join(&private.name);
        let listener = UnixListener::bind(address.join(socket))?;
        let (socket, file) = (private.path.join(socket), folder.join(name));
        fs::set_permissions(&socket, Permissions::from_mode(0o600))?;
        while let Err(error) = fs::hard_link(&socket, &file) {
            if error.kind() != ErrorKind::AlreadyExists {
                return Err(error);
            }
            let _lock = lock(&folder);
            match remove_abandoned([&file, path], [&private.path.join(replaced), &address.join(replaced)]) {
                // Another program has removed it.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                removed => removed?,
            }
        }
        let id = identity(&socket)?;
        Ok((listener, SocketFile { path: file, id }))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Leaves the file where it is.
    pub(super) fn keep(&mut self) {
        self.path = PathBuf::new();
    }
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        if identity(&self.path).is_ok_and(|id| id == self.id) {
            // Otherwise, the next program that serves here replaces it.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// A folder into which only this user can look. Dropping it removes it, and the socket in it.
struct PrivateFolder {
    name: String,
    path: PathBuf,
}

impl PrivateFolder {
    /// Creates a folder with a new name in this folder.
    fn new(folder: &Path) -> io::Result<Self> {
        loop {
            // Short, because the address of a socket has a limit of about a hundred bytes.
            let name = format!(".{:06x}", RandomState::new().hash_one(()) & 0xff_ffff);
            let path = folder.join(&name);
            match DirBuilder::new().mode(0o700).create(&path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                created => return created.map(|()| PrivateFolder { name, path }),
            }
        }
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        // The name in it; the socket keeps its other one. A folder with anything else in it stays.
        let _ = fs::remove_file(self.path.join("s"));
        let _ = fs::remove_dir(&self.path);
    }
}

/// Removes the file of a socket that no process has any more. It is moved to another path on the way. Each
/// path is given twice: from the root, and as short as it was given.
fn remove_abandoned([file, address]: [&Path; 2], [moved, moved_address]: [&Path; 2]) -> io::Result<()> {
    check_abandoned(file, address)?;
    fs::rename(file, moved)?;
    // Another program may have replaced the file between the look and the move.
    if let Err(error) = check_abandoned(moved, moved_address) {
        fs::hard_link(moved, file)?;
        fs::remove_file(moved)?;
        return Err(error);
    }
    fs::remove_file(moved)
}

/// Checks that a file is that of a socket that no process has any more.
fn check_abandoned(file: &Path, address: &Path) -> io::Result<()> {
    if !fs::symlink_metadata(file)?.file_type().is_socket() {
        return Err(taken("the file exists, and is not a socket"));
    }
    // A datagram socket does not disturb a server, and never blocks. It also finds a server that does not
    // listen yet. The stream socket checks again, for systems that refuse a datagram socket in any case.
    let datagram = || UnixDatagram::unbound()?.connect(address);
    let stream = || UnixStream::connect(address).map(drop);
    for probe in [&datagram as &dyn Fn() -> io::Result<()>, &stream] {
        match probe() {
            Err(error) if error.kind() == ErrorKind::ConnectionRefused => {}
            Err(error) if error.kind() == ErrorKind::NotFound => return Err(error),
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                return Err(taken("the file exists, and its rights do not let this program see whose it is"));
            }
            _ => return Err(taken("the file exists, and another program listens there")),
        }
    }
    Ok(())
}

/// Locks a folder among those that replace sockets in it, until the result is dropped. The lock is a socket
/// with a name that is no file, of which the system allows one at a time.
///
/// Returns `None` where there are no such names, or if another program has the lock for too long.
fn lock(folder: &Path) -> Option<UnixListener> {
    let (device, inode) = identity(folder).ok()?;
    let address = unfiled(&format!("pipes-inspect-{device:x}-{inode:x}"))?;
    let begin = Instant::now();
    loop {
        match UnixListener::bind_addr(&address) {
            Err(error) if error.kind() == ErrorKind::AddrInUse && begin.elapsed() < LONGEST => sleep(PAUSE),
            bound => return bound.ok(),
        }
    }
}

#[cfg(target_os = "linux")]
fn unfiled(name: &str) -> Option<SocketAddr> {
    use std::os::linux::net::SocketAddrExt;
    SocketAddr::from_abstract_name(name).ok()
}

#[cfg(not(target_os = "linux"))]
fn unfiled(_: &str) -> Option<SocketAddr> {
    None
}

fn taken(why: &str) -> io::Error {
    io::Error::new(ErrorKind::AddrInUse, why)
}

/// Returns the device and the inode of a file.
fn identity(path: &Path) -> io::Result<(u64, u64)> {
    fs::symlink_metadata(path).map(|file| (file.dev(), file.ino()))
}
