//! What the system denies: descriptors, room on a disk; and what it must not give to others.
//!
//! The other processes are this executable, which runs the test `as_another_process` and nothing else.

use pipes_remote::security::Identity;
use pipes_remote::{tcp, tcp_free_port, unix};
use pipes_remote_tests::numbers;
use pipes_tests::{spin_while, watched};
use std::env;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::process::{Command, Stdio};

/// What another process is to be.
const ROLE: &str = "PIPES_TEST_DENIED_ROLE";

/// Only for another process; a run without a role has nothing to do but to check that.
#[test]
fn as_another_process() {
    let role = env::var(ROLE).unwrap_or_default();
    match role.split_once(' ') {
        Some(("descriptors", _)) => without_descriptors(),
        Some(("disk", file)) => {
            let error = Identity::kept_in(file).expect_err("there is no room");
            assert_eq!(error.kind(), ErrorKind::FileTooLarge);
            assert!(error.to_string().contains(file), "{error}");
        }
        Some(("waits", _)) => drop(io::stdin().read_to_end(&mut Vec::new())),
        _ => assert_eq!(role, "", "an unknown role"),
    }
}

/// This executable, behind a command of the shell.
fn another_process(role: &str, limits: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{limits} exec \"$0\" \"$@\"")]);
    shell.arg(env::current_exe().expect("a test knows where it is"));
    shell.args(["denied::as_another_process", "--exact", "--nocapture"]).env(ROLE, role);
    shell
}

#[track_caller]
fn assert_succeeds(mut process: Command) {
    let output = process.output().expect("it starts");
    assert!(output.status.success(), "{output:?}");
}

/// The first use of the library needs descriptors. If there are none, that is an error, and the next use
/// succeeds when there are some.
#[test]
fn descriptors_that_are_used_up() {
    assert_succeeds(another_process("descriptors here", "ulimit -n 64;"));
}

fn without_descriptors() {
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
    assert_succeeds(another_process(&format!("disk {name}"), "trap '' XFSZ; ulimit -f 0;"));
    assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 0);
    Identity::kept_in(&file).expect("there is room again");
}

/// A process that this one starts does not keep its sockets open.
#[test]
fn ports_are_free_although_a_child_lives() {
    watched(|| {
        let folder = tempfile::tempdir().expect("there is room");
        let (here, file) = (tcp_free_port().expect("a port is free"), unix(folder.path().join("socket")));
        let listeners = (numbers::listen(&here), numbers::listen(&file));
        let client = numbers::connect(&here).expect("it listens");
        let mut child = another_process("waits here", "").stdin(Stdio::piped()).spawn().expect("it starts");
        drop((listeners, client));
        let again = tcp(here.address());
        spin_while(|| numbers::listen(&again).is_err());
        spin_while(|| numbers::listen(&file).is_err());
        assert!(child.try_wait().expect("it can be asked").is_none(), "it lives");
        drop(child.stdin.take());
        assert!(child.wait().expect("it ends").success());
    });
}
