//! The ping-pong whose sides both leave after the first step.
//!
//! `run-pass/pipe-pingpong-bounded.rs`, Rust 0.5: the bounded form, expanded by hand. Tests of memory check
//! that a session is one allocation that is freed once, and that a million round trips need no more.

use super::Sleeper;
use pipes::TryRecvError;
use pipes_tests::watched;

pipes::proto! {
    #[bounded]
    pingpong {
        ping: send { ping -> pong }
        pong: recv { pong -> ping }
    }
}

#[test]
fn both_leave_after_the_first_step() {
    watched(|| {
        let (client, server) = pingpong::pipe();
        let serving = Sleeper::spawn(|| server.recv().map(drop).is_ok());
        drop(client.ping().expect("the server is there"));
        assert!(serving.join().expect("the server ends"), "the ping comes before the close");
    });
}

/// The two sides go step by step, and leave in both orders.
#[test]
fn leaving_in_either_order() {
    let after_the_first_step = || {
        let (client, server) = pingpong::pipe();
        let client = client.ping().expect("the server is there");
        let Ok(pingpong::Ping::Ping(server)) = server.recv() else { panic!("it was sent") };
        (client, server)
    };
    let (client, server) = after_the_first_step();
    drop(client);
    assert!(server.pong().is_err());
    let (client, server) = after_the_first_step();
    drop(server);
    assert!(matches!(client.try_recv(), Err(TryRecvError::Closed)));
}

/// Where the original waited for ever: the ping is unread, and its receiver has left.
#[test]
fn the_server_leaves_before_it_receives() {
    watched(|| {
        let (client, server) = pingpong::pipe();
        let client = client.ping().expect("the server is there");
        let calling = Sleeper::spawn(|| client.recv().is_err());
        calling.fall_asleep();
        drop(server);
        assert!(calling.join().expect("the client ends"));

        let (client, server) = pingpong::pipe();
        let client = client.ping().expect("the server is there");
        drop(server);
        assert!(client.recv().is_err());
    });
}

/// Where the original lost the message silently.
#[test]
fn the_server_leaves_before_the_ping() {
    let (client, server) = pingpong::pipe();
    drop(server);
    assert!(client.ping().is_err());
}
