//! The ping-pong, bounded and unbounded.
//!
//! `run-pass/pipe-manual-1.rs` to `-3.rs`, `pipe-pingpong-proto.rs`, `pipe-pingpong-bounded.rs` and
//! `bench/pingpong.rs`.

use super::{Sleeper, serve};
use pipes::Bound;
use pipes_tests::watched;

pipes::proto! {
    #[bounded(1)]
    pingpong {
        ping: send { ping -> pong }
        pong: recv { pong -> ping }
    }

    /// A state that no session reaches makes it unbounded.
    unbounded {
        ping: send { ping -> pong }
        pong: recv { pong -> ping }
        #[allow(deprecated)]
        you_can_not_get_here: send { you_can_not_get_here -> you_can_not_get_here }
    }
}

/// The message has one variant, so no `match` is needed.
fn answer(server: pingpong::server::Ping) -> Option<pingpong::server::Ping> {
    let pingpong::Ping::Ping(server) = server.recv().ok()?;
    let server: pingpong::server::Pong = server;
    server.pong().ok()
}

fn call(client: pingpong::client::Ping) -> Option<pingpong::client::Ping> {
    let client: pingpong::client::Pong = client.ping().ok()?;
    let pingpong::Pong::Pong(client) = client.recv().ok()?;
    Some(client)
}

#[test]
fn two_rounds_between_two_threads() {
    watched(|| {
        for client_leaves_first in [false, true] {
            let (client, server) = pingpong::pipe();
            let serving = Sleeper::spawn(|| answer(answer(server)?));
            let client = call(call(client).expect("the server answers")).expect("the server answers");
            let server = serving.join().expect("the server ends").expect("the client waits");
            if client_leaves_first {
                drop(client);
                assert!(server.recv().is_err());
            } else {
                drop(server);
                assert!(client.ping().is_err());
            }
        }
    });
}

/// Where the original waited for ever: the ping is unread, and its receiver has left.
#[test]
fn the_server_leaves_before_it_receives() {
    watched(|| {
        for sleeps in [false, true] {
            let (client, server) = pingpong::pipe();
            let client = client.ping().expect("the server is here");
            let calling = Sleeper::spawn(|| client.recv().is_err());
            if sleeps {
                calling.fall_asleep();
            }
            drop(server);
            assert!(calling.join().expect("the client ends"));
        }
    });
}

/// Where the original lost the message silently.
#[test]
fn the_server_leaves_before_the_ping() {
    let (client, server) = pingpong::pipe();
    drop(server);
    assert!(client.ping().is_err());
}

/// How many rounds a server completes before its client leaves, by the same code for both protocols.
macro_rules! rounds {
    ($protocol:ident) => {{
        fn server(mut server: $protocol::server::Ping) -> u64 {
            let mut served = 0;
            while let Ok($protocol::Ping::Ping(answering)) = server.recv() {
                server = answering.pong().expect("the client waits");
                served += 1;
            }
            served
        }
        let (mut client, service) = serve::<$protocol::Protocol, _>(server);
        for _ in 0..ROUNDS {
            let waiting = client.ping().expect("the server serves");
            let Ok($protocol::Pong::Pong(next)) = waiting.recv() else { panic!("the server serves") };
            client = next;
        }
        drop(client);
        service.join().expect("the server ends")
    }};
}

const ROUNDS: u64 = 1_000;

#[test]
fn both_protocols_count_the_same() {
    watched(|| assert_eq!([rounds!(pingpong), rounds!(unbounded)], [ROUNDS; 2]));
}

#[test]
fn bounds() {
    const { assert!(pingpong::BOUND.is_bounded()) };
    assert_eq!(pingpong::BOUND, Bound::Messages(1));
    assert_eq!(unbounded::BOUND, Bound::Unbounded { cycle: &["you_can_not_get_here"] });
}
