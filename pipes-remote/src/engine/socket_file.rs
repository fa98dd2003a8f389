//! The file of a Unix socket: how it is taken over, and how it is removed.
//!
//! A server that is killed leaves its file. The next server takes the file over. Otherwise, every program
//! would remove files before it listens, without knowing whose they are. A file is taken over only if
//! `connect` returns `ECONNREFUSED`, which means that no process has a socket there. An existing socket gives
//! another error or a connection, even while its backlog is full or its process is stopped.
//!
//! No other server may begin between this check and the removal. So each server locks the *folder* while it
//! takes over or removes a file. The system releases the lock when the process is killed, and no lock file
//! can stay behind. Where folders cannot be locked, no file is taken over.
//!
//! All of this works on one machine only. The system knows neither the sockets nor the locks of another
//! machine that shares the file system.

use socket2::{Domain, SockAddr, Socket, Type};
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};
use tokio::time;

/// A server holds the lock for a few system calls. If another program holds it for longer than this, no file
/// is taken over.
const LONGEST: Duration = Duration::from_secs(2);
/// If another program holds the lock for longer than this, a file that is to be removed stays.
const LONGEST_AT_END: Duration = Duration::from_millis(100);
const PAUSE: Duration = Duration::from_millis(1);

/// The file of a socket that is bound.
///
/// Must be dropped before the socket. Until the socket is closed, the system does not reuse the number of its
/// inode.
#[derive(Debug)]
pub(super) struct SocketFile {
    folder: PathBuf,
    path: PathBuf,
    id: (u64, u64),
}

impl SocketFile {
    /// Calls `bind`, which binds a socket to the path. If a server that was killed has left a file there, it
    /// is removed first.
    ///
    /// # Errors
    ///
    /// A program listens there, the file is not that of a socket, the path cannot be bound, the file of a
    /// killed server cannot be taken over because another program locks the folder, or the path has begun to
    /// lead to another folder.
    pub(super) async fn bind<T>(path: &Path, bind: impl Fn() -> io::Result<T>) -> io::Result<(T, Self)> {
        let Some(name) = path.file_name() else {
            return Err(io::Error::new(ErrorKind::InvalidInput, "the path names no file"));
        };
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder.canonicalize()?,
            _ => Path::new(".").canonicalize()?,
        };
        let lock = lock_async(&folder).await;
        let bound = match bind() {
            Err(error) if error.kind() == ErrorKind::AddrInUse => {
                check_abandoned(path)?;
                if lock.is_none() {
                    return Err(taken("the file exists, and its folder cannot be locked to take it over"));
                }
                fs::remove_file(path)?;
                bind()?
            }
            bound => bound?,
        };
        // The path may be relative, or lead through links.
        let id = identity(path)?;
        let path = folder.join(name);
        if identity(&path).ok() != Some(id) {
            return Err(io::Error::other("the folder was exchanged for another one meanwhile"));
        }
        Ok((bound, SocketFile { folder, path, id }))
    }
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        let begin = Instant::now();
        let _lock = loop {
            match lock(&self.folder) {
                Ok(lock) => break lock,
                // The next server takes the file over.
                Err(Locked) if begin.elapsed() > LONGEST_AT_END => return,
                Err(Locked) => thread::sleep(PAUSE),
            }
        };
        if identity(&self.path).is_ok_and(|id| id == self.id) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// The lock of a folder.
struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing the file is not enough, because a process that was forked meanwhile has it open as well.
        let _ = self.0.unlock();
    }
}

/// Another program holds the lock.
struct Locked;

/// Locks a folder until the result is dropped. Returns `None` if the folder cannot be locked at all.
fn lock(folder: &Path) -> Result<Option<Lock>, Locked> {
    let Ok(folder) = File::open(folder) else { return Ok(None) };
    match folder.try_lock() {
        Ok(()) => Ok(Some(Lock(folder))),
        Err(TryLockError::WouldBlock) => Err(Locked),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

/// Waits for the lock of a folder, for at most as long as a server holds it. Every program that may read a
/// folder can lock it, and such a program must not keep servers from paths that are free.
async fn lock_async(folder: &Path) -> Option<Lock> {
    let begin = Instant::now();
    loop {
        match lock(folder) {
            Ok(lock) => return lock,
            Err(Locked) if begin.elapsed() > LONGEST => return None,
            Err(Locked) => time::sleep(PAUSE).await,
        }
    }
}

/// Checks that a file is that of a socket that no process has any more.
fn check_abandoned(path: &Path) -> io::Result<()> {
    if !fs::symlink_metadata(path)?.file_type().is_socket() {
        return Err(taken("the file exists, and is not a socket"));
    }
    let address = SockAddr::unix(path)?;
    // A datagram socket does not disturb a server. It also finds a server that does not listen yet, because
    // connecting it to a stream socket returns `EPROTOTYPE`. The stream socket checks again, for systems that
    // refuse a datagram socket in any case.
    for kind in [Type::DGRAM, Type::STREAM] {
        let probe = Socket::new(Domain::UNIX, kind, None)?;
        probe.set_nonblocking(true)?;
        match probe.connect(&address) {
            Err(error) if error.kind() == ErrorKind::ConnectionRefused => {}
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                return Err(taken("the file exists, and its rights do not let this program see whose it is"));
            }
            _ => return Err(taken("the file exists, and another program listens there")),
        }
    }
    Ok(())
}

fn taken(why: &str) -> io::Error {
    io::Error::new(ErrorKind::AddrInUse, why)
}

/// Returns the device and the inode of a file.
fn identity(path: &Path) -> io::Result<(u64, u64)> {
    fs::symlink_metadata(path).map(|file| (file.dev(), file.ino()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::Folder;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    #[tokio::test]
    async fn a_folder_that_is_exchanged_while_its_path_is_bound_is_an_error() {
        let folder = Folder::new("exchanged");
        let [first, second, current] = ["first", "second", "current"].map(|name| folder.0.join(name));
        [&first, &second].into_iter().for_each(|it| fs::create_dir(it).expect("it is not there yet"));
        symlink(&first, &current).expect("it is not there yet");
        let _other = UnixListener::bind(first.join("socket")).expect("the path is free");
        let path = current.join("socket");
        let bound = SocketFile::bind(&path, || {
            fs::remove_file(&current)?;
            symlink(&second, &current)?;
            UnixListener::bind(&path)
        });
        let error = bound.await.expect_err("the path leads to another folder");
        assert_eq!(error.to_string(), "the folder was exchanged for another one meanwhile");
        assert!(first.join("socket").exists());
    }

    #[test]
    fn the_end_of_a_lock_unlocks_what_a_forked_process_has() {
        let folder = Folder::new("locked");
        let lock_it = || lock(&folder.0).ok().flatten();
        let locked = lock_it().expect("it is free");
        let forked = locked.0.try_clone().expect("a second descriptor of the same file");
        assert!(lock_it().is_none());
        drop(locked);
        assert!(lock_it().is_some());
        drop(forked);
    }
}
