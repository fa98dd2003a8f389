//! A process of a session is killed, without a chance to say goodbye.
//!
//! The other process is this executable, which runs the test `as_the_other_process` and nothing else.

use pipes::{Cause, RecvError};
use pipes_remote_tests::numbers;
use pipes_tests::watched;
use std::env;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, Stdio};

/// What the other process is to be, and where.
const ROLE: &str = "PIPES_TEST_ROLE";
/// It prints this before what it says: the test harness prints other lines.
const SAYS: &str = "says ";

/// Only for the other process; a run without a role has nothing to do but to check that.
#[test]
fn as_the_other_process() {
    let role = env::var(ROLE).unwrap_or_default();
    match role.split_once(' ') {
        Some(("client", address)) => {
            let client = numbers::connect(&pipes_remote::tcp(address)).expect("it listens");
            let _client = client.number(1).expect("the link stands");
            println!("{SAYS}connected");
            wait_for_ever();
        }
        Some(("server", _)) => {
            let here = pipes_remote::tcp_free_port().expect("there is a free port");
            let mut listener = numbers::listen(&here).expect("it is free");
            println!("{SAYS}{}", here.address());
            let server = listener.accept().expect("a client comes");
            let numbers::Open::Number(1, _server) = server.recv().expect("the link stands") else {
                panic!("that is what was sent")
            };
            wait_for_ever();
        }
        _ => assert_eq!(role, "", "an unknown role"),
    }
}

/// Until this process is killed, or the one that started it has gone.
fn wait_for_ever() {
    let mut rest = Vec::new();
    std::io::stdin().read_to_end(&mut rest).expect("it can be read");
}

/// The other process, and the first thing that it says.
fn start(role: &str) -> (Child, BufReader<ChildStdout>, String) {
    let mut child = Command::new(env::current_exe().expect("a test knows where it is"))
        .args(["killed::as_the_other_process", "--exact", "--nocapture"])
        .env(ROLE, role)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut line = String::new();
    let said = loop {
        line.clear();
        assert_ne!(output.read_line(&mut line).expect("it can be read"), 0, "it has ended");
        if let Some((_, said)) = line.split_once(SAYS) {
            break said.trim().to_owned();
        }
    };
    (child, output, said)
}

#[test]
fn the_client_finds_that_its_server_was_killed() {
    watched(|| {
        let (mut child, _output, address) = start("server here");
        let (client, link) = numbers::connect_with_link(&pipes_remote::tcp(address)).expect("it listens");
        let client = client.number(1).expect("the link stands");
        let waiting = client.done().expect("the link stands");
        child.kill().expect("it runs");
        assert!(matches!(waiting.recv(), Err(RecvError)));
        assert!(matches!(link.cause(), Cause::Broken(_)), "{link:?}");
        child.wait().expect("it has ended");
    });
}

#[test]
fn the_server_finds_that_its_client_was_killed() {
    watched(|| {
        let here = pipes_remote::tcp_free_port().expect("there is a free port");
        let mut listener = numbers::listen_with_links(&here).expect("it is free");
        let (mut child, _output, _) = start(&format!("client {}", here.address()));
        let (server, link) = listener.accept().expect("the client has come");
        let numbers::Open::Number(1, server) = server.recv().expect("the link stands") else {
            panic!("that is what was sent")
        };
        child.kill().expect("it runs");
        assert!(matches!(server.recv(), Err(RecvError)));
        assert!(matches!(link.cause(), Cause::Broken(_)), "{link:?}");
        child.wait().expect("it has ended");
        assert_eq!(listener.drain(std::time::Duration::from_secs(60)), 0, "no session is left");
    });
}
