//! What the system denies: descriptors, room on a disk; and what it must not give to others.

use pipes_remote::security::Identity;
use pipes_remote::{tcp, tcp_free_port, unix};
use pipes_remote_tests::children::{Another, command};
use pipes_remote_tests::numbers;
use pipes_tests::{spin_while, test_in, watched};
use std::fs::{self, File};
use std::io::ErrorKind;

/// Starts another process behind a command of the shell, and asserts that it succeeds.
#[track_caller]
fn assert_succeeds(role: &str, shell: &str) {
    let output = command("as_another_process", role, shell).output().expect("it starts");
    assert!(output.status.success(), "{output:?}");
}

/// Another process: its disk has no room.
pub fn without_room(file: &str) {
    let error = Identity::kept_in(file).expect_err("there is no room");
    assert_eq!(error.kind(), ErrorKind::FileTooLarge);
    assert!(error.to_string().contains(file), "{error}");
}

/// The first use of the library needs descriptors. If there are none, that is an error, and the next use
/// succeeds when there are some.
#[test]
fn descriptors_that_are_used_up() {
    assert_succeeds("descriptors", "ulimit -n 64;");
}

/// Another process, which may have few descriptors.
pub fn without_descriptors() {
    watched(|| {
        fn use_up() -> Vec<File> {
            std::iter::from_fn(|| File::open("/dev/null").ok()).collect()
        }
        let held = use_up();
        let error = numbers::listen(&tcp("127.0.0.1:0")).expect_err("there are no descriptors");
        assert!(error.to_string().contains("Too many open files"), "{error}");
        drop(held);
        let here = tcp_free_port().expect("a port is free");
        let mut listener = numbers::listen(&here).expect("there are descriptors again");
        let client = numbers::connect(&here).expect("it listens");
        let server = listener.accept().expect("a client comes");
        let held = use_up();
        let error = numbers::connect(&here).expect_err("there are no descriptors");
        assert!(error.to_string().contains("Too many open files"), "{error}");
        // Sessions need no more.
        let _client = client.number(7).expect("the link stands");
        assert!(matches!(server.recv(), Ok(numbers::Open::Number(7, _))));
        drop(held);
        drop(numbers::connect(&here).expect("there are descriptors again"));
        let _server = listener.accept().expect("a client comes");
    });
}

/// A disk that is full leaves no part of an identity, which would be found at the next start.
#[test]
fn an_identity_for_which_there_is_no_room() {
    let folder = tempfile::tempdir().expect("there is room");
    let file = folder.path().join("server.pem");
    let name = file.to_str().expect("it is plain");
    assert_succeeds(&format!("disk {name}"), "trap '' XFSZ; ulimit -f 0;");
    assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 0);
    Identity::kept_in(&file).expect("there is room again");
}

/// A process that this one starts does not keep its sockets open.
#[test_in(watched)]
fn ports_are_free_although_a_child_lives() {
    let folder = tempfile::tempdir().expect("there is room");
    let (here, file) = (tcp_free_port().expect("a port is free"), unix(folder.path().join("socket")));
    let listeners = (numbers::listen(&here), numbers::listen(&file));
    let client = numbers::connect(&here).expect("it listens");
    let mut another = Another::start("as_another_process", "waits");
    drop((listeners, client));
    let again = tcp(here.address());
    spin_while(|| numbers::listen(&again).is_err());
    spin_while(|| numbers::listen(&file).is_err());
    assert!(another.child.try_wait().expect("it can be asked").is_none(), "it lives");
    another.ends_well();
}
