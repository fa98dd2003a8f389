//! The ping-pong that was written by hand.
//!
//! `run-pass/pipe-manual-1.rs`, `-2.rs` and `-3.rs`, June 2012: over locked ports, over packets and a busy
//! wait, and with methods that macros imitated. A protocol now does what they did by hand. That neither side
//! has the other's operation is shown by programs that must not compile; that nothing leaks, by tests that
//! count allocations.

use super::Sleeper;
use pipes_tests::watched;

pipes::proto! {
    pingpong {
        ping: send { ping -> pong }
        pong: recv { pong -> ping }
    }
}

/// Pings and waits for the pong. Each step uses up its handle.
fn client(client: pingpong::client::Ping) -> pingpong::client::Ping {
    let client: pingpong::client::Pong = client.ping().expect("the server is there");
    let Ok(pingpong::Pong::Pong(client)) = client.recv() else { panic!("the server answers") };
    client
}

/// Waits for the ping and answers.
fn server(server: pingpong::server::Ping) -> pingpong::server::Ping {
    let Ok(pingpong::Ping::Ping(server)) = server.recv() else { panic!("the client pings") };
    let server: pingpong::server::Pong = server;
    server.pong().expect("the client waits")
}

#[test]
fn two_threads_with_a_half_each() {
    watched(|| {
        let (ours, theirs) = pingpong::pipe();
        let calling = Sleeper::spawn(|| drop(client(ours)));
        let serving = Sleeper::spawn(|| drop(server(theirs)));
        calling.join().expect("the client ends");
        serving.join().expect("the server ends");
    });
}

/// Whichever side drops its last handle first, the other side learns that the pipe has ended.
#[test]
fn dropping_the_last_handles_ends_the_pipe() {
    watched(|| {
        let (ours, theirs) = pingpong::pipe();
        let serving = Sleeper::spawn(|| server(theirs).recv().is_err());
        drop(client(ours));
        assert!(serving.join().expect("the server ends"));

        let (ours, theirs) = pingpong::pipe();
        let calling = Sleeper::spawn(|| client(ours));
        drop(server(theirs));
        let left = calling.join().expect("the client ends");
        assert!(left.ping().is_err());
    });
}
