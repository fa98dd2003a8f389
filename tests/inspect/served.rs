//! Snapshots that a program serves at a Unix socket.

use super::{Order, asleep, start};
use pipes::inspect::serve;
use pipes::stream;
use pipes_tests::watched;
use std::fs::{self, Permissions};
use std::io::{ErrorKind, Read};
#[cfg(target_os = "linux")]
use std::os::unix::fs::FileTypeExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::{UnixDatagram, UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::{env, io, process, thread};

/// A new folder. Dropping this removes it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = env::temp_dir().join(format!("pipes-{name}-{}", process::id()));
        fs::create_dir(&folder).expect("it is not there yet");
        Folder(folder)
    }

    /// The names in it.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("it is there");
        entries.map(|it| it.expect("it can be read").file_name().into_string().expect("text")).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).expect("it is there");
    }
}

fn ask(path: &Path) -> io::Result<String> {
    let mut answer = String::new();
    UnixStream::connect(path)?.read_to_string(&mut answer)?;
    Ok(answer)
}

/// Calls `serve`, which fails, and returns the error's kind and what it says after the path.
#[track_caller]
fn refused(path: &Path) -> (ErrorKind, String) {
    let error = serve(path).expect_err("it is refused");
    let text = error.to_string();
    let begin = format!("cannot serve snapshots at `{}`: ", path.display());
    (error.kind(), text.strip_prefix(&begin).expect("the path is named").to_owned())
}

#[test]
fn each_connection_gets_a_line() {
    watched(|| {
        let folder = Folder::new("served");
        let path = folder.0.join("socket");
        let _server = serve(&path).expect("the path is free");
        let (chan, mut port) = stream::<Order>();
        let thread = start("served", move || drop(port.recv()));
        asleep("served");
        for _ in 0..3 {
            let line = ask(&path).expect("the server answers");
            assert_eq!(line.find('\n'), Some(line.len() - 1), "one line");
            let json: serde_json::Value = serde_json::from_str(&line).expect("it is JSON");
            assert_eq!(json["version"], 1);
            let threads = json["sleepers"].as_array().expect("a list");
            let ours = threads.iter().find(|it| it["name"] == "served").expect("it sleeps");
            assert_eq!(ours["waits_for"][0]["end"], "Port<Order>");
        }
        drop(chan);
        thread.join().expect("it does not panic");
    });
}

#[test]
fn only_the_user_may_connect_at_any_time() {
    watched(|| {
        let folder = Folder::new("served-mode");
        let path = folder.0.join("socket");
        let is_over = AtomicBool::new(false);
        let mode = |path: &Path| fs::symlink_metadata(path).map(|it| it.permissions().mode() & 0o777).ok();
        thread::scope(|scope| {
            let observer = scope.spawn(|| {
                while !is_over.load(SeqCst) {
                    for name in folder.names() {
                        let wanted = if name == "socket" { 0o600 } else { 0o700 };
                        assert_eq!(mode(&folder.0.join(&name)).unwrap_or(wanted), wanted, "{name}");
                    }
                }
            });
            for _ in 0..200 {
                let server = serve(&path).expect("the path is free");
                assert_eq!(mode(&path), Some(0o600));
                drop(server);
            }
            is_over.store(true, SeqCst);
            observer.join().expect("no other process could connect");
        });
    });
}

#[test]
fn the_end_of_the_server_removes_the_socket_and_what_it_needed() {
    watched(|| {
        let folder = Folder::new("served-end");
        let path = folder.0.join("socket");
        let server = serve(&path).expect("the path is free");
        assert_eq!(folder.names(), ["socket"]);
        let second_name = folder.0.join("second");
        fs::hard_link(&path, &second_name).expect("the folder is ours");
        ask(&second_name).expect("the server answers");
        drop(server);
        assert_eq!(folder.names(), ["second"]);
        let error = ask(&second_name).expect_err("no process listens");
        assert_eq!(error.kind(), ErrorKind::ConnectionRefused);
        drop(serve(&path).expect("the path is free again"));
    });
}

#[test]
#[cfg(target_os = "linux")]
fn the_end_of_the_server_ends_its_thread() {
    /// The sockets of all processes that were bound below this folder.
    fn bound_below(folder: &Path) -> usize {
        let table = fs::read_to_string("/proc/net/unix").expect("the system lists its sockets");
        table.lines().filter(|line| line.contains(&*folder.to_string_lossy())).count()
    }

    watched(|| {
        let folder = Folder::new("served-thread");
        let server = serve(folder.0.join("socket")).expect("the path is free");
        assert_eq!(bound_below(&folder.0), 1);
        drop(server);
        // The thread owns the listener, so it has ended, or is about to, when the listener is gone.
        while bound_below(&folder.0) > 0 {
            thread::yield_now();
        }
    });
}

#[test]
fn a_file_that_was_put_in_the_place_of_the_socket_stays() {
    watched(|| {
        let folder = Folder::new("served-other");
        let path = folder.0.join("socket");
        let server = serve(&path).expect("the path is free");
        fs::remove_file(&path).expect("the folder is ours");
        fs::write(&path, "mine").expect("the folder is ours");
        drop(server);
        assert_eq!(fs::read_to_string(&path).expect("it is still there"), "mine");
    });
}

#[test]
fn the_socket_of_a_process_that_is_gone_is_replaced() {
    watched(|| {
        let folder = Folder::new("served-dead");
        let path = folder.0.join("socket");
        drop(UnixListener::bind(&path).expect("the path is free"));
        let server = serve(&path).expect("no process listens there");
        ask(&path).expect("the server answers");
        assert_eq!(folder.names(), ["socket"]);
        drop(server);
        assert_eq!(folder.names(), [""; 0]);
    });
}

#[test]
fn anything_else_at_the_path_is_an_error_and_stays() {
    watched(|| {
        let folder = Folder::new("served-taken");
        let path = folder.0.join("socket");
        let lives = "the file exists, and another program listens there";

        let listener = UnixListener::bind(&path).expect("the path is free");
        assert_eq!(refused(&path), (ErrorKind::AddrInUse, lives.to_owned()));
        drop(listener);
        fs::remove_file(&path).expect("it stayed");

        let datagrams = UnixDatagram::bind(&path).expect("the path is free");
        assert_eq!(refused(&path), (ErrorKind::AddrInUse, lives.to_owned()));
        drop(datagrams);
        fs::remove_file(&path).expect("it stayed");

        let server = serve(&path).expect("the path is free");
        assert_eq!(refused(&path), (ErrorKind::AddrInUse, lives.to_owned()));
        ask(&path).expect("the first one still answers");
        drop(server);

        let no_socket = (ErrorKind::AddrInUse, "the file exists, and is not a socket".to_owned());
        fs::write(&path, "mine").expect("the folder is ours");
        assert_eq!(refused(&path), no_socket);
        assert_eq!(fs::read_to_string(&path).expect("it stayed"), "mine");
        fs::remove_file(&path).expect("it stayed");

        fs::create_dir(&path).expect("the folder is ours");
        assert_eq!(refused(&path), no_socket);
        fs::remove_dir(&path).expect("it stayed");

        symlink("nowhere", &path).expect("the folder is ours");
        assert_eq!(refused(&path), no_socket);
        assert_eq!(folder.names(), ["socket"]);
    });
}

#[test]
fn paths_that_cannot_be_bound_are_errors() {
    watched(|| {
        let folder = Folder::new("served-paths");
        assert_eq!(refused(Path::new("")), (ErrorKind::InvalidInput, "the path is empty".to_owned()));
        assert_eq!(refused(Path::new("/")), (ErrorKind::InvalidInput, "the path names no file".to_owned()));
        // A name that is no file, to which every user could connect.
        assert_eq!(refused(Path::new("\0name")).0, ErrorKind::InvalidInput);
        assert_eq!(refused(&folder.0.join("missing/socket")).0, ErrorKind::NotFound);
        assert_eq!(refused(&folder.0.join("long".repeat(30))).0, ErrorKind::InvalidInput);
        assert_eq!(folder.names(), [""; 0]);
    });
}

#[test]
#[cfg(target_os = "linux")]
fn of_programs_that_replace_a_socket_at_once_one_serves() {
    watched(|| {
        let folder = Folder::new("served-race");
        let path = folder.0.join("socket");
        for _ in 0..50 {
            drop(UnixListener::bind(&path).expect("the path is free"));
            let servers: Vec<_> = thread::scope(|scope| {
                let racers: Vec<_> = (0..4).map(|_| scope.spawn(|| serve(&path))).collect();
                racers.into_iter().filter_map(|it| it.join().expect("it does not panic").ok()).collect()
            });
            assert_eq!(servers.len(), 1);
            ask(&path).expect("it can be reached");
            assert!(fs::symlink_metadata(&path).expect("it is there").file_type().is_socket());
            drop(servers);
            assert_eq!(folder.names(), [""; 0]);
        }
    });
}

#[test]
fn a_silent_reader_does_not_keep_others_from_their_answers() {
    watched(|| {
        let folder = Folder::new("served-silent");
        let path = folder.0.join("socket");
        let _server = serve(&path).expect("the path is free");
        // More than the system keeps for a reader.
        let name = "a long name ".repeat(100_000);
        let (chan, mut port) = stream::<Order>();
        let thread = start(&name, move || drop(port.recv()));
        asleep(&name);

        let mut silent = UnixStream::connect(&path).expect("the server listens");
        let line = ask(&path).expect("the server answers");
        assert!(line.len() > name.len() && line.ends_with('\n'));
        let mut part = String::new();
        silent.read_to_string(&mut part).expect("the server has closed it");
        assert!(!part.is_empty() && part.len() < name.len(), "it was given up");

        // One that leaves at once.
        drop(UnixStream::connect(&path).expect("the server listens"));
        ask(&path).expect("the server answers");
        drop(chan);
        thread.join().expect("it does not panic");
    });
}

#[test]
fn a_relative_path_is_that_of_the_moment() {
    // In the folder of the package, in which tests run.
    watched(|| {
        let path = PathBuf::from(format!("served-{}", process::id()));
        let server = serve(&path).expect("the path is free");
        ask(&path).expect("the server answers");
        assert!(format!("{server:?}").contains(&*path.to_string_lossy()));
        drop(server);
        assert!(!path.exists());
    });
}

#[test]
fn a_folder_without_rights_is_an_error() {
    watched(|| {
        let folder = Folder::new("served-rights");
        fs::set_permissions(&folder.0, Permissions::from_mode(0o500)).expect("it is ours");
        // Root may write everywhere.
        if fs::write(folder.0.join("probe"), "").is_err() {
            assert_eq!(refused(&folder.0.join("socket")).0, ErrorKind::PermissionDenied);
        }
        fs::set_permissions(&folder.0, Permissions::from_mode(0o700)).expect("it is ours");
    });
}
