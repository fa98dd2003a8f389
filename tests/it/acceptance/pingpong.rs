//! The ping-pong, whose server leaves.
//!
//! `run-pass/pipe-manual-1.rs` to `-3.rs`, `pipe-pingpong-proto.rs`, `pipe-pingpong-bounded.rs` and
//! `bench/pingpong.rs`.

use super::Sleeper;
use pipes_tests::{test_in, watched};

pipes::proto! {
    #[bounded(1)]
    pingpong {
        ping: send { ping -> pong }
        pong: recv { pong -> ping }
    }
}

/// Where the original waited for ever: the ping is unread, and its receiver has left.
#[test_in(watched)]
fn the_server_leaves_before_it_receives() {
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
}

/// Where the original lost the message silently.
#[test]
fn the_server_leaves_before_the_ping() {
    let (client, server) = pingpong::pipe();
    drop(server);
    assert!(client.ping().is_err());
}
