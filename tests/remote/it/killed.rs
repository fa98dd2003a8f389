//! A process of a session is killed, without a chance to say goodbye.

use pipes::{Cause, RecvError};
use pipes_remote::{tcp, tcp_free_port};
use pipes_remote_tests::children::{Another, say, wait_for_ever};
use pipes_remote_tests::numbers;
use pipes_tests::watched;
use std::time::Duration;

/// Another process: a client.
pub fn connects(address: &str) {
    let client = numbers::connect(&tcp(address)).expect("it listens");
    let _client = client.number(1).expect("the link stands");
    say("connected");
    wait_for_ever();
}

/// Another process: a server.
pub fn serves() {
    let here = tcp_free_port().expect("there is a free port");
    let mut listener = numbers::listen(&here).expect("it is free");
    say(here.address());
    let server = listener.accept().expect("a client comes");
    let numbers::Open::Number(1, _server) = server.recv().expect("the link stands") else {
        panic!("that is what was sent")
    };
    wait_for_ever();
}

#[test]
fn the_client_finds_that_its_server_was_killed() {
    watched(|| {
        let mut another = Another::start("as_another_process", "serves");
        let (client, link) = numbers::connect_with_link(&tcp(another.says())).expect("it listens");
        let client = client.number(1).expect("the link stands");
        let waiting = client.done().expect("the link stands");
        another.kill();
        assert!(matches!(waiting.recv(), Err(RecvError)));
        assert!(matches!(link.cause(), Cause::Broken(_)), "{link:?}");
    });
}

#[test]
fn the_server_finds_that_its_client_was_killed() {
    watched(|| {
        let here = tcp_free_port().expect("there is a free port");
        let mut listener = numbers::listen_with_links(&here).expect("it is free");
        let mut another = Another::start("as_another_process", &format!("connects {}", here.address()));
        another.says();
        let (server, link) = listener.accept().expect("the client has come");
        let numbers::Open::Number(1, server) = server.recv().expect("the link stands") else {
            panic!("that is what was sent")
        };
        another.kill();
        assert!(matches!(server.recv(), Err(RecvError)));
        assert!(matches!(link.cause(), Cause::Broken(_)), "{link:?}");
        assert_eq!(listener.drain(Duration::from_secs(60)), 0, "no session is left");
    });
}
