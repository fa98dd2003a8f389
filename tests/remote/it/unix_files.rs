//! Files of Unix sockets: who takes them over, and who removes them.

use pipes::remote::Cause;
use pipes_remote::engine::{BoundUnix, Engine, Unix};
use pipes_remote::unix;
use pipes_remote_tests::children::{Another, say, wait_for_ever};
use pipes_remote_tests::{numbers, virtually};
use pipes_tests::{spin_while, test_in, watched};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
#[cfg(target_os = "linux")]
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::symlink;
#[cfg(target_os = "linux")]
use std::os::unix::net::SocketAddr;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Barrier;
use std::{env, thread};
use tempfile::TempDir;

fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("socket");
    (folder, path)
}

fn bind(path: impl AsRef<Path>) -> io::Result<BoundUnix> {
    virtually().block_on(Unix::new(path).bind())
}

/// The file of a socket that no process has.
fn abandoned(path: &Path) {
    drop(UnixListener::bind(path).expect("the path is free"));
}

/// Listens there in vain. Returns the error.
fn refused(path: &Path) -> io::Error {
    let error = bind(path).expect_err("it must not be taken");
    assert_eq!(error.kind(), ErrorKind::AddrInUse, "{error}");
    assert!(fs::symlink_metadata(path).is_ok(), "it was removed");
    error
}

/// Another process: a server.
pub fn serves(path: &str) {
    let _listener = numbers::listen(&unix(path)).expect("it is free");
    say("ready");
    wait_for_ever();
}

/// Another process, which goes to another folder while it listens.
pub fn moves(folder: &str) {
    let [first, second] = ["first", "second"].map(|name| Path::new(folder).join(name));
    env::set_current_dir(first).expect("it is there");
    let bound = bind("socket").expect("it is free");
    env::set_current_dir(second).expect("it is there");
    drop(bound);
}

/// A process that serves there.
fn server(path: &Path) -> Another {
    let mut server = Another::start("as_another_process", &format!("socket {}", path.display()));
    server.says();
    server
}

#[test_in(watched)]
fn an_old_listener_leaves_the_file_of_its_successor() {
    let (_folder, path) = folder();
    let old = bind(&path).expect("the path is free");
    fs::remove_file(&path).expect("it is there");
    let new = bind(&path).expect("the path is free again");
    drop(old);
    UnixStream::connect(&path).expect("the new one listens");
    drop(new);
    assert!(!path.exists());
}

#[test_in(watched)]
fn a_listener_leaves_what_took_the_place_of_its_file() {
    let (_folder, path) = folder();
    let bound = bind(&path).expect("the path is free");
    fs::remove_file(&path).expect("it is there");
    fs::write(&path, "precious").expect("it can be written");
    drop(bound);
    assert_eq!(fs::read_to_string(&path).expect("it is there"), "precious");
}

#[test_in(watched)]
fn a_relative_path_means_the_folder_of_the_beginning() {
    let (folder, _) = folder();
    let [first, second] = ["first", "second"].map(|name| folder.path().join(name));
    [&first, &second].into_iter().for_each(|it| fs::create_dir(it).expect("it can be made"));
    fs::write(second.join("socket"), "precious").expect("it can be written");
    let role = format!("moves {}", folder.path().display());
    Another::start("as_another_process", &role).ends_well();
    assert!(second.join("socket").exists());
    assert!(!first.join("socket").exists());
}

#[test_in(watched)]
fn a_folder_by_another_name_is_the_folder_of_the_beginning() {
    let (folder, _) = folder();
    let [first, second, current] = ["first", "second", "current"].map(|name| folder.path().join(name));
    [&first, &second].into_iter().for_each(|it| fs::create_dir(it).expect("it can be made"));
    symlink(&first, &current).expect("it can be made");
    let bound = bind(current.join("socket")).expect("the path is free");
    fs::remove_file(&current).expect("it is there");
    symlink(&second, &current).expect("it can be made");
    fs::write(current.join("socket"), "precious").expect("it can be written");
    drop(bound);
    assert!(second.join("socket").exists());
    assert!(!first.join("socket").exists());
}

/// The system has room for 107 bytes and a zero.
#[cfg(target_os = "linux")]
#[test]
fn a_path_that_is_too_long_is_an_error() {
    let (folder, path) = folder();
    let path = |length| format!("{}{}", path.display(), "x".repeat(length - path.as_os_str().len()));
    drop(bind(path(107)).expect("there is room"));
    for length in [108, 109, 5000] {
        let error = numbers::listen(&unix(path(length))).expect_err("there is no room");
        assert!(error.to_string().contains(&path(length)), "{error}");
        let error = numbers::connect(&unix(path(length))).expect_err("there is no such socket");
        assert!(error.to_string().contains(&path(length)), "{error}");
        assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 0, "it was not cut");
    }
}

/// A name that begins with a zero byte is none of a file.
#[cfg(target_os = "linux")]
#[test_in(watched)]
fn an_abstract_name_is_the_name_of_other_programs() {
    let name = format!("pipes test {}", std::process::id());
    let address = SocketAddr::from_abstract_name(&name).expect("it is short");
    let here = unix(format!("\0{name}"));
    for _ in 0..3 {
        let mut listener = numbers::listen(&here).expect("the name is free");
        let taken = numbers::listen(&unix(format!("\0{name}"))).expect_err("the name is taken");
        assert!(taken.to_string().contains(&name), "{taken}");
        drop(UnixStream::connect_addr(&address).expect("it listens"));
        let _client = numbers::connect(&here).expect("it listens");
        let _server = listener.accept().expect("a client comes");
        drop(listener);
        spin_while(|| UnixStream::connect_addr(&address).is_ok());
    }
}

#[test_in(watched)]
fn an_empty_path_is_an_error() {
    for error in [
        numbers::listen(&unix("")).map(drop).expect_err("it is empty").to_string(),
        numbers::connect(&unix("")).map(drop).expect_err("it is empty").to_string(),
    ] {
        assert!(error.contains("\"\": the path is empty"), "{error}");
    }
    for path in ["/", ".."] {
        assert_eq!(bind(path).expect_err("it names no file").kind(), ErrorKind::InvalidInput);
    }
}

#[test_in(watched)]
fn the_file_of_a_killed_server_is_taken_over() {
    let (_folder, path) = folder();
    let (mut server, here) = (server(&path), unix(&path));
    refused(&path);
    let (client, link) = numbers::connect_with_link(&here).expect("it listens");
    let waiting = client.done().expect("the link stands");
    server.kill();
    assert!(waiting.recv().is_err());
    assert!(matches!(link.cause(), Cause::Broken(_)), "{link:?}");
    assert!(path.exists());
    let mut listener = numbers::listen(&here).expect("no process listens there");
    let client = numbers::connect(&here).expect("it listens");
    drop((client, listener.accept().expect("a client comes")));
}

/// Also of one that does not accept, is full, or does not listen yet: so another program keeps its file.
#[test_in(watched)]
fn the_file_of_a_living_socket_is_not_taken_over() {
    let (_folder, path) = folder();
    let address = socket2::SockAddr::unix(&path).expect("it is short");
    for kind in [socket2::Type::STREAM, socket2::Type::DGRAM, socket2::Type::SEQPACKET] {
        let socket = || socket2::Socket::new(socket2::Domain::UNIX, kind, None).expect("there is one");
        let living = socket();
        living.bind(&address).expect("the path is free");
        refused(&path);
        if kind != socket2::Type::DGRAM {
            living.listen(0).expect("it is bound");
            refused(&path);
            let mut clients = Vec::new();
            loop {
                let client = socket();
                client.set_nonblocking(true).expect("it is open");
                match client.connect(&address) {
                    Ok(()) => clients.push(client),
                    Err(error) => break assert_eq!(error.kind(), ErrorKind::WouldBlock),
                }
            }
            refused(&path);
        }
        fs::remove_file(&path).expect("it is there");
    }
}

#[test_in(watched)]
fn what_is_not_the_file_of_a_socket_is_not_taken_over() {
    let (folder, path) = folder();
    fs::create_dir(&path).expect("it can be made");
    assert!(refused(&path).to_string().contains("not a socket"));
    fs::remove_dir(&path).expect("it is empty");
    // Not even a link to one that could be.
    let other = folder.path().join("other");
    abandoned(&other);
    symlink(&other, &path).expect("it can be made");
    assert!(refused(&path).to_string().contains("not a socket"));
    assert!(other.exists());
}

#[test_in(watched)]
fn one_of_many_that_begin_at_once_takes_over() {
    const SERVERS: usize = 8;
    let (_folder, path) = folder();
    for _ in 0..100 {
        abandoned(&path);
        let (begin, path) = (Barrier::new(SERVERS), &path);
        let bound: Vec<_> = thread::scope(|scope| {
            let server = || {
                begin.wait();
                let bound = bind(path);
                // Those that come later must find it alive, too.
                assert!(UnixStream::connect(path).is_ok(), "one of them listens");
                bound
            };
            let all: Vec<_> = (0..SERVERS).map(|_| scope.spawn(server)).collect();
            all.into_iter().map(|it| it.join().expect("it does not panic")).collect()
        });
        let (won, lost): (Vec<_>, Vec<_>) = bound.into_iter().partition(Result::is_ok);
        assert_eq!(won.len(), 1);
        for error in lost.into_iter().filter_map(Result::err) {
            assert_eq!(error.kind(), ErrorKind::AddrInUse, "{error}");
        }
        drop(won);
        assert!(!path.exists());
    }
}

/// The lock of a program that is in the middle of taking a file over, or of another one.
#[test_in(watched)]
fn a_locked_folder_is_waited_for() {
    let (folder, path) = folder();
    let bound = bind(&path).expect("the path is free");
    let lock = File::open(folder.path()).expect("it is there");
    lock.lock().expect("it can be locked");
    // A path that is free does not need the lock. A file that is there is not taken over without it.
    let other = folder.path().join("other");
    drop(bind(&other).expect("the path is free"));
    let error = bind(&other).expect_err("the file could not be removed");
    assert!(error.to_string().contains("lock"), "{error}");
    // A file that cannot be removed with certainty stays.
    drop(bound);
    assert!(path.exists());
    let waiting = thread::spawn(move || while bind(&path).is_err() {});
    lock.unlock().expect("it was locked");
    waiting.join().expect("it does not panic");
}
