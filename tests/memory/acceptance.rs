//! The tests of the 2012 `pipes` that count allocations.
//!
//! `run-pass/pipe-manual-1.rs`, `-2.rs`, `-3.rs`, `pipe-pingpong-bounded.rs` and `issue-2930.rs`, Rust 0.5.
//! The rest of these cases is among the tests of behaviour.

use crate::{PIPE, counting};
use pingpong::{Ping, Pong};
use pipes_tests::watched;
use std::thread;

pipes::proto! {
    #[bounded]
    pingpong {
        ping: send { ping -> pong }
        pong: recv { pong -> ping }
    }

    stream {
        open: send<T: Send> { send(T) -> open<T> }
    }
}

/// A session that ends after its first step, with its four endpoints dropped in each possible order.
#[test]
fn a_session_of_one_step_is_one_allocation() {
    let sessions: [fn(); 6] = [
        // Both sides drop unused ends.
        || drop(pingpong::pipe()),
        // The client leaves at once; the server reads, and leaves instead of answering.
        || {
            let (client, server) = pingpong::pipe();
            drop(client.ping());
            drop(server.recv());
        },
        // The server leaves first.
        || {
            let (client, server) = pingpong::pipe();
            let client = client.ping();
            drop(server.recv());
            assert!(client.expect("the server was here").recv().is_err());
        },
        // The server leaves before it reads, where the original leaked and waited for ever.
        || {
            let (client, server) = pingpong::pipe();
            let client = client.ping().expect("the server is here");
            drop(server);
            assert!(client.recv().is_err());
        },
        // The server leaves before anything is sent.
        || {
            let (client, server) = pingpong::pipe();
            drop(server);
            assert!(client.ping().is_err());
        },
        // The ping is never read.
        || {
            let (client, server) = pingpong::pipe();
            drop(client.ping());
            drop(server);
        },
    ];
    for (number, session) in sessions.into_iter().enumerate() {
        let ((), info) = counting(session);
        assert_eq!((info.count_total, info.bytes_current), (PIPE, 0), "session {number}: {info:?}");
    }
}

/// The side that leaves second frees the pipe, in either thread.
#[test]
fn a_session_between_threads() {
    watched(|| {
        let (client, server) = pingpong::pipe();
        let serving = thread::spawn(move || {
            let Ok(Ping::Ping(server)) = server.recv() else { panic!("the client pings") };
            counting(|| drop(server)).1
        });
        let client = client.ping().expect("the server is there");
        let theirs = serving.join().expect("the server does not panic");
        assert_eq!((theirs.count_total, theirs.count_current), (0, 0), "the client is still there");
        let (answer, ours) = counting(|| client.recv().is_err());
        assert!(answer);
        assert_eq!((ours.count_total, ours.count_current), (0, -1), "{ours:?}");
    });
}

#[test]
fn a_million_round_trips_use_what_the_first_one_used() {
    let ((), info) = counting(|| {
        let (mut client, mut server) = pingpong::pipe();
        for _ in 0..1_000_000 {
            let waiting = client.ping().expect("the server is here");
            let Ok(Ping::Ping(answering)) = server.recv() else { panic!("it was sent") };
            server = answering.pong().expect("the client is here");
            let Ok(Pong::Pong(next)) = waiting.recv() else { panic!("it was sent") };
            client = next;
        }
    });
    assert_eq!(
        (info.count_total, info.bytes_max, info.bytes_current),
        (PIPE, info.bytes_total, 0),
        "{info:?}"
    );
}

/// Two ends are dropped with an unread string between them, and all memory is freed.
#[test]
fn an_unread_string_is_freed() {
    let ((), pipe) = counting(|| drop(stream::pipe::<String>()));
    for client_first in [false, true] {
        let ((), info) = counting(|| {
            let (client, server) = stream::pipe();
            let client = client.send("meeple".to_owned()).expect("the server is here");
            if client_first {
                drop(client);
                drop(server);
            } else {
                drop(server);
                drop(client);
            }
        });
        assert_eq!((info.count_total, info.bytes_current), (pipe.count_total + 1, 0), "{info:?}");
    }
}
