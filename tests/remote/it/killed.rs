//! A process of a session is killed, without a chance to say goodbye.

use pipes::{Cause, RecvError};
use pipes_remote::engine::Engine;
use pipes_remote::security::{Security, Trust};
use pipes_remote::{Via, tcp, tcp_free_port, tls, tls_free_port};
use pipes_remote_tests::children::{Another, say, wait_for_ever};
use pipes_remote_tests::engines::{new, showing};
use pipes_remote_tests::numbers;
use pipes_tests::watched;
use std::time::Duration;

/// Another process: a client, of TLS if it has the fingerprint of its server.
pub fn connects(place: &str) {
    let client = match place.split_once(' ') {
        None => numbers::connect(&tcp(place)),
        Some((address, known)) => {
            let trust = Trust::fingerprint(known.parse().expect("it is a fingerprint"));
            numbers::connect(&tls(address, Security::new().servers(trust)))
        }
    };
    let client = client.expect("it listens");
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

/// The sentence for a user, in which no other library speaks.
const KILLED: &str = "the connection broke: it ended in the middle of the session, perhaps with the other \
                      program";

#[test]
fn the_server_finds_that_its_client_was_killed() {
    let here = tcp_free_port().expect("there is a free port");
    let place = here.address();
    killed_client(here, place);
    let own = new();
    let here = tls_free_port(showing(&own)).expect("there is a free port");
    let place = format!("{} {}", here.address(), own.fingerprint());
    killed_client(here, place);
}

fn killed_client<E: Engine>(here: Via<E>, place: String) {
    watched(move || {
        let mut listener = numbers::listen_with_links(&here).expect("it is free");
        let mut another = Another::start("as_another_process", &format!("connects {place}"));
        another.says();
        let (server, link) = listener.accept().expect("the client has come");
        let numbers::Open::Number(1, server) = server.recv().expect("the link stands") else {
            panic!("that is what was sent")
        };
        another.kill();
        assert!(matches!(server.recv(), Err(RecvError)));
        assert!(matches!(link.cause(), Cause::Broken(_)), "{link:?}");
        assert_eq!(link.cause().to_string(), KILLED);
        assert_eq!(listener.drain(Duration::from_secs(60)), 0, "no session is left");
    });
}
