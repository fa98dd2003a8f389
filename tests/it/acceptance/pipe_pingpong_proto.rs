//! The ping-pong as a protocol.
//!
//! `run-pass/pipe-pingpong-proto.rs`, Rust 0.5. That an endpoint has only the operations of its own state is
//! shown by programs that must not compile.

use super::Sleeper;
use pipes::Bound;
use pipes_tests::watched;

pipes::proto! {
    #[bounded(1)]
    pingpong {
        ping: send { ping -> pong }
        pong: recv { pong -> ping }
    }
}

/// The message has one variant, so no `match` is needed.
fn answer(server: pingpong::server::Ping) -> Option<pingpong::server::Ping> {
    let pingpong::Ping::Ping(server) = server.recv().ok()?;
    server.pong().ok()
}

fn call(client: pingpong::client::Ping) -> Option<pingpong::client::Ping> {
    let pingpong::Pong::Pong(client) = client.ping().ok()?.recv().ok()?;
    Some(client)
}

#[test]
fn one_round_trip_between_two_threads() {
    watched(|| {
        let (client, server) = pingpong::pipe();
        let serving = Sleeper::spawn(|| answer(server));
        let client = call(client).expect("the server answers");
        let server = serving.join().expect("the server ends").expect("the client waits for it");
        assert!(call_and_answer(client, server), "the endpoints are good for another round");
    });
}

fn call_and_answer(client: pingpong::client::Ping, server: pingpong::server::Ping) -> bool {
    let serving = Sleeper::spawn(|| answer(server).is_some());
    call(client).is_some() && serving.join().expect("the server ends")
}

/// Both sides leave after one round, in either order.
#[test]
fn stopping_after_one_round() {
    watched(|| {
        for client_first in [false, true] {
            let (client, server) = pingpong::pipe();
            let serving = Sleeper::spawn(|| answer(server).expect("the client waits"));
            let client = call(client).expect("the server answers");
            let server = serving.join().expect("the server ends");
            if client_first {
                drop(client);
                assert!(server.recv().is_err());
            } else {
                drop(server);
                assert!(client.ping().is_err());
            }
        }
    });
}

#[test]
fn it_is_bounded() {
    const { assert!(pingpong::BOUND.is_bounded()) };
    assert_eq!(pingpong::BOUND, Bound::Messages(1));
}
